//! Which registers and bits the manual promises: written down a second time, so that a mistake in the library shows.

use pmu::arch::x86::CpuIdReader as _;
use pmu::arch::x86::p5::{Device, Identity};
use pmu::virt::Kinds;

use crate::support::hostile::{Choices, Line, Register, Subject};

/// The contents of a device.
type State = <pmu::arch::x86::p5::Device as pmu::virt::Device>::State;

/// What a guest may expect of every address.
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
    has_rdpmc: bool,
}

const COUNTER: u64 = (1 << 40) - 1;
/// ES0, CC0 and PC0 in bits 0 to 9; ES1, CC1 and PC1 in bits 16 to 25.
const CONTROL: u64 = 0x03FF_03FF;

impl Oracle {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self { identity: *identity, has_rdpmc: identity.cpuid2(1, 0).edx >> 23 & 1 == 1 }
    }
}

/// A state with every bit set that a unit can hold.
pub(crate) fn fullest() -> State {
    let mut state = State::default();
    (state.control, state.counters, state.ticks) = (CONTROL, [COUNTER; 2], u64::MAX);
    state
}

/// As hostile guests find it.
impl Subject for Oracle {
    type Unit = Device;

    const NEAR: &[u32] = &[0x11, 0x11, 0x10, 0x8, 0xC1];

    fn chosen(choice: u8) -> Self {
        Self::new(&Identity::ALL[usize::from(choice % 2)])
    }

    fn unit(&self) -> Device {
        Device::new(&self.identity, Kinds::CLOCK)
    }

    /// A unit has no line: this one is never pulled.
    fn line(_: &Device) -> &Line {
        thread_local! {
            static SILENT: &'static Line = Box::leak(Box::default());
        }
        SILENT.with(|line| *line)
    }

    fn register(&self, address: u32) -> Register {
        match address {
            0x11 => Register::Dropping(CONTROL),
            _ => Register::there((0x12..=0x13).contains(&address), Register::Dropping(COUNTER)),
        }
    }

    fn shows(&self, address: u32) -> u64 {
        match self.register(address) {
            Register::Dropping(bits) => bits,
            _ => 0,
        }
    }

    fn counters(&self) -> u64 {
        if self.has_rdpmc { 0b11 } else { 0 }
    }

    /// Is every bit of the state one that its register has?
    fn allows(&self, state: &State) -> bool {
        state.control & !CONTROL == 0 && state.counters.iter().all(|value| value & !COUNTER == 0)
    }

    fn forged(mut state: State, choices: &mut Choices) -> State {
        let number = usize::from(choices.byte() % 2);
        let value = choices.value();
        match choices.below(4) {
            0 => state.counters[number] = value,
            1 => state.control = value,
            2 => state.control = value & CONTROL,
            _ => state.ticks = value,
        }
        state
    }
}
