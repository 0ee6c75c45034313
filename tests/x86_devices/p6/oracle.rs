//! Which registers and bits the manual has: written down a second time, as numbers, so that a mistake in the library's
//! reading of it shows.

use pmu::arch::x86::p6::{Device, Identity};
use pmu::virt::Kinds;

use crate::support::hostile::{Choices, Line, Register, Subject};

/// The contents of a device.
type State = <pmu::arch::x86::p6::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// What a guest may expect of every address (SDM vol. 4, "MSRs in the P6 Family Processors"): the same on all of the
/// family.
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
}

const COUNTER: u64 = 0xFF_FFFF_FFFF;
/// All but bit 21; EN, bit 22, is in the first alone.
const SELECTS: [u64; 2] = [0xFFDF_FFFF, 0xFF9F_FFFF];

impl Oracle {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self { identity: *identity }
    }

    /// A state with every bit set that the unit can hold.
    pub(crate) fn fullest(&self) -> State {
        let mut state = State::default();
        (state.counters, state.selects, state.ticks) = ([COUNTER; 2], SELECTS, u64::MAX);
        state
    }
}

/// As hostile guests find it.
impl Subject for Oracle {
    type Unit = Device<Line>;

    const NEAR: &[u32] = &[0xC1, 0xC1, 0x186, 0x186, 0x180, 0xBF, 0x309, 0x38D];

    fn chosen(choice: u8) -> Self {
        let identity = Identity::ALL[usize::from(choice) % 4];
        Self::new(&if choice & 0x40 == 0 { identity } else { identity.without_apic() })
    }

    fn unit(&self) -> Device<Line> {
        Device::new(&self.identity, Kinds::CLOCK, Line::default())
    }

    fn line(unit: &Device<Line>) -> &Line {
        unit.trigger()
    }

    /// A counter takes any value, and keeps some of it.
    fn register(&self, address: u32) -> Register {
        match address {
            0xC1 | 0xC2 => Register::Dropping(COUNTER),
            0x186 => Register::Plain(SELECTS[0]),
            0x187 => Register::Plain(SELECTS[1]),
            _ => Register::Absent,
        }
    }

    fn shows(&self, address: u32) -> u64 {
        match self.register(address) {
            Register::Dropping(bits) | Register::Plain(bits) => bits,
            _ => 0,
        }
    }

    fn counters(&self) -> u64 {
        0b11
    }

    /// Is every bit of the state one that its register has?
    fn allows(&self, state: &State) -> bool {
        let full = self.fullest();
        let fit = |values: &[u64], bits: &[u64]| values.iter().zip(bits).all(|(value, bits)| value & !bits == 0);
        fit(&state.counters, &full.counters) && fit(&state.selects, &full.selects)
    }

    fn forged(mut state: State, choices: &mut Choices) -> State {
        let number = usize::from(choices.byte() & 1);
        let value = choices.value();
        match choices.below(4) {
            0 | 1 => state.counters[number] = value,
            2 => state.selects[number] = value,
            _ => state.ticks = value,
        }
        state
    }
}
