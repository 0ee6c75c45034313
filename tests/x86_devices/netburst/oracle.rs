//! Which registers and bits the manual has: written down a second time, as numbers, so that a mistake in the library's
//! reading of it shows.

use pmu::arch::x86::netburst::{Device, Identity, Share};
use pmu::virt::Kinds;

use crate::support::hostile::{Choices, Line, Register, Subject};

/// The contents of a device.
type State = <pmu::arch::x86::netburst::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// What a guest may expect of every address (SDM vol. 4, "MSRs in the Pentium 4 and Intel Xeon Processors").
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
    has_threads: bool,
}

const COUNTER: u64 = 0xFF_FFFF_FFFF;
/// All but bits 0 to 11, 28 and 29 (SDM vol. 3, figure "Counter Configuration Control Register").
const CCCR: u64 = 0xCFFF_F000;
/// OVF_PMI_T1.
const CCCR_OF_THREAD_1: u64 = 1 << 27;
/// All but bit 31 (the same, figure "Event Selection Control Register").
const ESCR: u64 = 0x7FFF_FFFF;
/// T1_USR and T1_OS.
const ESCR_OF_THREAD_1: u64 = 0b11;
/// IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT.
const REPLAY: [u64; 2] = [0x0701_9FFF, 0x1F];
/// IA32_MISC_ENABLE: there is a unit, and no precise sampling.
const MISC_ENABLE: u64 = 1 << 7 | 1 << 12;

impl Oracle {
    pub(crate) fn new(identity: Identity, share: Share) -> Self {
        Self { identity: identity.with_share(share), has_threads: share != Share::Whole }
    }

    fn has_iq(&self) -> bool {
        self.identity.signature() >> 4 & 0xF <= 2
    }

    /// A state with every bit set that the unit can hold.
    pub(crate) fn fullest(&self) -> State {
        let shown = |address| self.shows(address);
        let mut state = State::default();
        (state.counters, state.cccrs) = ([COUNTER; 18], [shown(0x360); 18]);
        let addresses = (0x3A0..0x3BF).chain(0x3C0..0x3C6).chain(0x3C8..0x3CE).chain(0x3E0..0x3E2);
        state.escrs.iter_mut().zip(addresses).for_each(|(escr, address)| *escr = shown(address));
        (state.replay, state.ticks) = (REPLAY, u64::MAX);
        state
    }
}

/// As hostile guests find it.
impl Subject for Oracle {
    type Unit = Device<Line>;

    const NEAR: &[u32] = &[0x300, 0x30C, 0x360, 0x36C, 0x3A0, 0x3B0, 0x3B8, 0x3C0, 0x3C8, 0x3D8, 0x3F0, 0x186];

    fn chosen(choice: u8) -> Self {
        let share = [Share::Whole, Share::Thread0, Share::Thread1][usize::from(choice >> 4) % 3];
        Self::new(Identity::ALL[usize::from(choice) % 4], share)
    }

    fn unit(&self) -> Device<Line> {
        Device::new(&self.identity, Kinds::CLOCK, Line::default())
    }

    fn line(unit: &Device<Line>) -> &Line {
        unit.trigger()
    }

    fn register(&self, address: u32) -> Register {
        match address {
            0x300..=0x311 => Register::Dropping(COUNTER),
            0x360..=0x371 => Register::Plain(CCCR),
            0x3BA | 0x3BB => Register::there(self.has_iq(), Register::Plain(ESCR)),
            0x3A0..=0x3BE | 0x3C0..=0x3C5 | 0x3C8..=0x3CD | 0x3E0 | 0x3E1 => Register::Plain(ESCR),
            0x1A0 => Register::ReadOnly,
            0x3F1 => Register::Plain(REPLAY[0]),
            0x3F2 => Register::Plain(REPLAY[1]),
            _ => Register::Absent,
        }
    }

    /// The bits of a second thread that is not there are taken, and read as 0.
    fn shows(&self, address: u32) -> u64 {
        match self.register(address) {
            Register::Plain(CCCR) if !self.has_threads => CCCR & !CCCR_OF_THREAD_1,
            Register::Plain(ESCR) if !self.has_threads => ESCR & !ESCR_OF_THREAD_1,
            Register::Dropping(bits) | Register::Plain(bits) => bits,
            Register::ReadOnly => MISC_ENABLE,
            _ => 0,
        }
    }

    fn counters(&self) -> u64 {
        (1 << 18) - 1
    }

    fn reads_fast(&self) -> bool {
        true
    }

    /// Is every bit of the state one that its register has?
    fn allows(&self, state: &State) -> bool {
        let full = self.fullest();
        let fit = |values: &[u64], bits: &[u64]| values.iter().zip(bits).all(|(value, bits)| value & !bits == 0);
        fit(&state.counters, &full.counters)
            && fit(&state.cccrs, &full.cccrs)
            && fit(&state.escrs, &full.escrs)
            && fit(&state.replay, &full.replay)
    }

    fn forged(mut state: State, choices: &mut Choices) -> State {
        let (number, value) = (usize::from(choices.byte()), choices.value());
        match choices.below(5) {
            0 => state.counters[number % 18] = value,
            1 => state.cccrs[number % 18] = value,
            2 => state.escrs[number % 45] = value,
            3 => state.replay[number % 2] = value,
            _ => state.ticks = value,
        }
        state
    }
}
