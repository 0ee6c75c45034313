//! Which registers and bits CPUID promises: written down a second time, from the leaves alone, so
//! that a mistake in the library's reading of them shows.

use crate::beneath::registers;
use pmu::arch::x86::CpuIdReader as _;
use pmu::arch::x86::intel::{Device, Identity};
use pmu::virt::Kinds;

use crate::support::hostile::{Choices, Line, Register, Subject};

/// The contents of a device.
type State = <pmu::arch::x86::intel::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// The identities, and a Skylake with IA32_TSX_FORCE_ABORT.
pub(crate) const ALL: [Identity; 7] = {
    let [core_duo, core_2, nehalem, skylake, sapphire_rapids, lion_cove] = Identity::ALL;
    [core_duo, core_2, nehalem, skylake, sapphire_rapids, lion_cove, skylake.with_force_abort()]
};

/// What a guest may expect of every address.
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
    version: u32,
    general: u64,
    fixed: u64,
    general_mask: u64,
    fixed_mask: u64,
    any_thread: bool,
    pins: bool,
    long_selectors: bool,
    perf_capabilities: u64,
    force_abort: bool,
    beside: [u64; 3],
}

impl Oracle {
    pub(crate) fn new(identity: &Identity) -> Self {
        let leaf = |leaf, subleaf| registers(identity.cpuid2(leaf, subleaf));
        let [eax, _, ecx, edx] = leaf(0xA, 0);
        let version = eax & 0xFF;
        let counted = |count: u32| (1u64 << count) - 1;
        let [general, fixed, ..] = leaf(0x23, 1).map(u64::from);
        let fixed_0a = if version == 1 { 0 } else { counted(edx & 0x1F) | u64::from(ecx) };
        Self {
            identity: *identity,
            version,
            general: if version >= 6 { general } else { counted(eax >> 8 & 0xFF) },
            fixed: if version >= 6 { fixed } else { fixed_0a },
            general_mask: counted(eax >> 16 & 0xFF),
            fixed_mask: counted(edx >> 5 & 0xFF),
            any_thread: version >= 3 && edx >> 15 & 1 == 0,
            pins: version < 4,
            long_selectors: leaf(0x23, 0)[1] & 3 == 3,
            force_abort: leaf(7, 0)[3] >> 13 & 1 == 1,
            perf_capabilities: if version >= 4 { 1 << 13 } else { 0 },
            beside: beside(identity.signature()),
        }
    }

    fn selector(&self) -> u64 {
        let absent = u64::from(!self.any_thread) << 21 | u64::from(!self.pins) << 19;
        0xFFFF_FFFF & !absent | if self.long_selectors { 1 << 36 | 0xFF << 40 } else { 0 }
    }

    fn fixed_control(&self) -> u64 {
        let each = if self.any_thread { 0xF } else { 0xB };
        (0..16).filter(|counter| self.fixed >> counter & 1 == 1).map(|counter| each << (counter * 4)).sum()
    }

    /// What IA32_PERF_GLOBAL_STATUS_SET sets: frozen branch records, frozen counters, uncore and
    /// buffer overflow, besides the counters.
    fn settable(&self) -> u64 {
        if self.version >= 4 { self.counters() | 1 << 58 | 1 << 59 | 1 << 61 | 1 << 62 } else { self.counters() }
    }

    /// What the unit minds of IA32_DEBUGCTL: since there is a global control, that overflows freeze.
    pub(crate) fn debug_control(&self) -> u64 {
        if self.version >= 2 { 1 << 12 } else { 0 }
    }

    /// A state with every bit set that this processor's unit can hold.
    pub(crate) fn fullest(&self) -> State {
        let shows = |first: u32| move |number: usize| self.shows(first + number as u32);
        let mut state = State::default();
        state.general = std::array::from_fn(shows(0xC1));
        state.selects = std::array::from_fn(shows(0x186));
        state.fixed = std::array::from_fn(shows(0x309));
        state.beside = [0x1A6, 0x1A7, 0x3F7].map(|at| self.shows(at));
        state.fixed_control = self.shows(0x38D);
        state.global_control = self.shows(0x38F);
        state.global_status = self.shows(0x38E);
        state.force_abort = self.shows(0x10F);
        state.debug_control = self.debug_control();
        state.ticks = u64::MAX;
        state
    }

    fn resettable(&self) -> u64 {
        self.settable() | 1 << 62 | 1 << 63 | if self.version >= 3 { 1 << 61 } else { 0 }
    }

    /// Version 6 repeats counters and selectors, four addresses to each counter.
    fn second(&self, address: u32) -> Register {
        let first = match (address / 0x80 * 0x80, address % 4) {
            (0x1900, 0) => 0x4C1,
            (0x1900, 1) => 0x186,
            (0x1980, 0) => 0x309,
            _ => return Register::Absent,
        };
        let number = address % 0x80 / 4;
        if number < 10 { self.register(first + number) } else { Register::Absent }
    }
}

/// As hostile guests find it.
impl Subject for Oracle {
    type Unit = Device<Line>;

    const NEAR: &[u32] = &[0xC1, 0x10F, 0x186, 0x1A6, 0x309, 0x345, 0x38D, 0x38D, 0x3F7, 0x4C1, 0x1900, 0x1980];

    fn chosen(choice: u8) -> Self {
        Self::new(&ALL[usize::from(choice % 7)])
    }

    fn unit(&self) -> Device<Line> {
        Device::new(&self.identity, Kinds::CLOCK, Line::default())
    }

    fn line(unit: &Device<Line>) -> &Line {
        unit.trigger()
    }

    fn register(&self, address: u32) -> Register {
        let has_general = |first: u32| self.general >> (address - first) & 1 == 1;
        let has_fixed = |first: u32| self.fixed >> (address - first) & 1 == 1;
        let beside = |number: usize| Register::there(self.beside[number] != 0, Register::Plain(self.beside[number]));
        match address {
            0xC1..=0xCA => Register::there(has_general(0xC1), Register::Dropping(self.general_mask)),
            0x10F => Register::there(self.force_abort, Register::Plain(1)),
            0x186..=0x18F => Register::there(has_general(0x186), Register::Plain(self.selector())),
            0x1A6 | 0x1A7 => beside(address as usize - 0x1A6),
            0x309..=0x30F => Register::there(has_fixed(0x309), Register::Plain(self.fixed_mask)),
            0x345 => Register::ReadOnly,
            0x38D..=0x390 if self.version < 2 => Register::Absent,
            0x38D => Register::Plain(self.fixed_control()),
            0x38E => Register::ReadOnly,
            0x38F => Register::Plain(self.counters()),
            0x390 => Register::Command(self.resettable()),
            0x391 => Register::there(self.version >= 4, Register::Command(self.settable())),
            0x392 => Register::there(self.version >= 4, Register::ReadOnly),
            0x3F7 => beside(2),
            0x4C1..=0x4CA => {
                Register::there(self.perf_capabilities != 0 && has_general(0x4C1), Register::Plain(self.general_mask))
            }
            0x1900..=0x19FF if self.version >= 6 => self.second(address),
            _ => Register::Absent,
        }
    }

    /// The bits that a read may show.
    fn shows(&self, address: u32) -> u64 {
        match (address, self.register(address)) {
            (0x345, _) => self.perf_capabilities,
            (0x38E, Register::ReadOnly) => self.settable(),
            (0x392, Register::ReadOnly) => self.counters() | 1 << 63,
            (_, Register::Dropping(bits) | Register::Plain(bits)) => bits,
            _ => 0,
        }
    }

    fn counters(&self) -> u64 {
        self.general | self.fixed << 32
    }

    /// Is every bit of the state one that its register has?
    fn allows(&self, state: &State) -> bool {
        let fits = |first: u32, values: &[u64]| (first..).zip(values).all(|(at, value)| value & !self.shows(at) == 0);
        let [offcore_0, offcore_1, frontend] = state.beside;
        fits(0xC1, &state.general)
            && fits(0x186, &state.selects)
            && fits(0x309, &state.fixed)
            && fits(0x1A6, &[offcore_0, offcore_1])
            && fits(0x3F7, &[frontend])
            && fits(0x10F, &[state.force_abort])
            && fits(0x38D, &[state.fixed_control, state.global_status, state.global_control])
            && state.debug_control & !self.debug_control() == 0
    }

    fn forged(mut state: State, choices: &mut Choices) -> State {
        let number = usize::from(choices.byte());
        let value = choices.value();
        match choices.below(10) {
            0 => state.general[number % 10] = value,
            1 => state.selects[number % 10] = value,
            2 => state.fixed[number % 7] = value,
            3 => state.beside[number % 3] = value,
            4 => state.fixed_control = value,
            5 => state.global_control = value,
            6 => state.global_status = value,
            7 => state.debug_control = value,
            8 => state.force_abort = value,
            _ => state.ticks = value,
        }
        state
    }
}

/// The bits of MSR_OFFCORE_RSP_0, MSR_OFFCORE_RSP_1 and MSR_PEBS_FRONTEND.
fn beside(signature: u32) -> [u64; 3] {
    match signature {
        0x106A4 => [0xFFFF, 0, 0],
        0x506E3 => [0x3F_FFFF_8FFF, 0x3F_FFFF_8FFF, 0x7F_FF17],
        0x806F8 => [0x3F_FFFF_FFFF, 0x3F_FFFF_FFFF, 0x7F_FF1F],
        0xB06D1 => [0xFFF_FFFF_FFFF, 0xFFF_FFFF_FFFF, 0x7F_FF1F],
        _ => [0; 3],
    }
}
