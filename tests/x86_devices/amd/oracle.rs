//! Which registers and bits CPUID and the family promise: written down a second time, from the
//! leaves alone, so that a mistake in the library's reading of them shows.

use crate::beneath::registers;
use pmu::arch::x86::CpuIdReader as _;
use pmu::arch::x86::amd::Svm;
use pmu::arch::x86::amd::{Device, Identity};
use pmu::virt::Kinds;

use crate::support::hostile::{Choices, Line, Register, Subject};

/// The contents of a device.
type State = <pmu::arch::x86::amd::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// What a guest may expect of every address.
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
    family: u32,
    counters: u64,
    has_core: bool,
    has_global: bool,
}

const COUNTER: u64 = (1 << 48) - 1;

impl Oracle {
    pub(crate) fn new(identity: &Identity) -> Self {
        let leaf = |leaf| registers(identity.cpuid2(leaf, 0));
        let signature = leaf(1)[0];
        let base = signature >> 8 & 0xF;
        let [version, amount, ..] = leaf(0x8000_0022);
        let has_core = leaf(0x8000_0001)[2] >> 23 & 1 == 1;
        let six = if has_core { 0x3F } else { 0xF };
        Self {
            identity: *identity,
            family: if base == 0xF { base + (signature >> 20 & 0xFF) } else { base },
            counters: if version & 1 == 1 { (1 << (amount & 0xF)) - 1 } else { six },
            has_core,
            has_global: version & 1 == 1,
        }
    }

    /// The high event bits and those for guest and host came with family 10h, and the pin went. On family 19h, models 0 to
    /// 0FH, counter 2 has bit 43.
    pub(crate) fn selector(&self, number: u32) -> u64 {
        let is_exact = self.family == 0x19 && self.identity.signature() >> 16 & 0xF == 0 && number == 2;
        let exact = if is_exact { 1 << 43 } else { 0 };
        if self.family < 0x10 { 0xFFDF_FFFF } else { 0xFFD7_FFFF | 0xF << 32 | 0b11 << 40 | exact }
    }

    fn merges(&self) -> bool {
        self.family >= 0x17
    }

    /// A state with every bit set that this processor's unit can hold.
    pub(crate) fn fullest(&self) -> State {
        let there = |number: usize, bits| if self.counters >> number & 1 == 1 { bits } else { 0 };
        let global = if self.has_global { self.counters } else { 0 };
        let mut state = State::default();
        (state.counters, state.selects) = (
            std::array::from_fn(|number| there(number, COUNTER)),
            std::array::from_fn(|number| there(number, self.selector(number as u32))),
        );
        (state.control, state.status, state.ticks) = (global, global, u64::MAX);
        state
    }
}

/// As hostile guests find it.
impl Subject for Oracle {
    type Unit = Device<Line>;

    const NEAR: &[u32] = &[0xC001_0000, 0xC001_0200, 0xC001_0200, 0xC000_0300, 0xC000_02FC, 0x186];

    fn chosen(choice: u8) -> Self {
        Self::new(&Identity::ALL[usize::from(choice % 8)])
    }

    fn unit(&self) -> Device<Line> {
        Device::new(&self.identity, Kinds::CLOCK, Line::default())
    }

    fn line(unit: &Device<Line>) -> &Line {
        unit.trigger()
    }

    fn register(&self, address: u32) -> Register {
        let numbered = |number: u32, bits| Register::there(self.counters >> number & 1 == 1, Register::Dropping(bits));
        let of_all = |bits| Register::there(self.has_global, Register::Dropping(bits));
        match address {
            0xC001_0000..=0xC001_0003 => numbered(address - 0xC001_0000, self.selector(address - 0xC001_0000)),
            0xC001_0004..=0xC001_0007 => numbered(address - 0xC001_0004, COUNTER),
            0xC001_0200..=0xC001_020B if !self.has_core => Register::Absent,
            0xC001_0200..=0xC001_020B if address.is_multiple_of(2) => {
                let number = (address - 0xC001_0200) / 2;
                numbered(number, self.selector(number))
            }
            0xC001_0200..=0xC001_020B => numbered((address - 0xC001_0200) / 2, COUNTER),
            0xC000_0301 => of_all(self.counters),
            0xC000_0300 | 0xC000_0302 | 0xC000_0303 => of_all(0),
            _ => Register::Absent,
        }
    }

    /// The bits that a read may show; a merged counter shows those of the one after it too.
    fn shows(&self, address: u32) -> u64 {
        match (address, self.register(address)) {
            (_, Register::Absent) => 0,
            (0xC000_0300, _) => self.counters,
            (0xC001_0004 | 0xC001_0006 | 0xC001_0201 | 0xC001_0205 | 0xC001_0209, _) if self.merges() => u64::MAX,
            (_, Register::Dropping(bits)) => bits,
            (_, other) => panic!("no register of this unit is {other:?}"),
        }
    }

    fn counters(&self) -> u64 {
        self.counters
    }

    /// Is every bit of the state one that its register has?
    fn allows(&self, state: &State) -> bool {
        let full = self.fullest();
        let fit = |values: &[u64], bits: &[u64]| values.iter().zip(bits).all(|(value, bits)| value & !bits == 0);
        fit(&state.counters, &full.counters)
            && fit(&state.selects, &full.selects)
            && fit(&[state.control, state.status], &[full.control, full.status])
    }

    fn forged(mut state: State, choices: &mut Choices) -> State {
        const MERGE: u64 = 0x000F_0040_00FF;
        let number = usize::from(choices.byte());
        let value = choices.value();
        match choices.below(8) {
            0 => state.counters[number % 6] = value,
            1 => state.selects[number % 6] = value,
            2 => state.selects[(number % 6) | 1] = MERGE,
            3 => state.control = value,
            4 => state.status = value,
            5 => state.svm = [Svm::Off, Svm::Host, Svm::Guest][number % 3],
            _ => state.ticks = value,
        }
        state
    }
}
