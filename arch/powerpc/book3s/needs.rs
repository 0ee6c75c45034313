//! The values that an event needs in the fields of the control registers that all counters share.

use crate::arch::powerpc::book3s::registers::Mmcr0;
use crate::arch::powerpc::book3s::words::Words;
use crate::placement::{Ignored, Register};

/// The fields that requests share, with the names that conflicts report.
static FIELDS: [(Register, Needs); 7] = [
    (Register::new(0, "MMCR0[FCS, FCP, FCHV]"), Needs::of_others(STATES, STATES)),
    (Register::new(1, "MMCR0[CC5-6RUN]"), Needs::of_others(ALWAYS_RUN, ALWAYS_RUN)),
    // Before the rest of MMCR1: a bank is two fields of it, and has a better name.
    (Register::new(2, "the bank of L2 and L3 events, which PMC4 selects"), Needs::of_others(BANKS, BANKS)),
    (Register::new(3, "MMCR1"), Needs::selects(u64::MAX, u64::MAX)),
    (Register::new(4, "MMCRA[SAMPLE_ENABLE, SDAR_MODE]"), Needs::marks(SAMPLES, SAMPLES)),
    (Register::new(5, "MMCRA[THRESH_START, THRESH_STOP, THRESH_SEL, THRESH_CMP]"), Needs::marks(!SAMPLES, !SAMPLES)),
    (Register::new(6, "MMCR2[L2L3SEL]"), Needs::of_others(CACHE_SELECT, CACHE_SELECT)),
];

/// Bits that must have a certain value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Bits {
    mask: u64,
    /// The value. Bits outside the mask are 0.
    value: u64,
}

impl Bits {
    const NONE: Self = Self { mask: 0, value: 0 };

    const fn new(mask: u64, value: u64) -> Self {
        Self { mask, value: value & mask }
    }

    /// Returns the needs of both, which MUST agree.
    #[inline(always)]
    const fn and(self, other: Self) -> Self {
        Self { mask: self.mask | other.mask, value: self.value | other.value }
    }

    /// Returns the bits that both need with different values.
    #[inline(always)]
    const fn clash(self, other: Self) -> u64 {
        (self.value ^ other.value) & self.mask & other.mask
    }

    /// Returns the needs without these bits.
    const fn without(self, other: Self) -> Self {
        Self { mask: self.mask & !other.mask, value: self.value & !other.mask }
    }
}

/// Bits of the upper half of MMCR1, and their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HalfBits {
    pub(super) mask: u32,
    /// The value. Bits outside the mask are 0.
    pub(super) value: u32,
}

impl HalfBits {
    pub(super) const NONE: Self = Self { mask: 0, value: 0 };

    pub(super) const fn is_none(self) -> bool {
        self.mask == 0
    }

    /// Returns the bits of both, which MUST agree.
    pub(super) const fn and(self, other: Self) -> Self {
        Self { mask: self.mask | other.mask, value: self.value | other.value }
    }

    pub(super) const fn agrees(self, other: Self) -> bool {
        (self.value ^ other.value) & self.mask & other.mask == 0
    }

    /// Returns the route that is among the bits, of which one is.
    pub(super) const fn first_of(self, routes: [Self; 2]) -> Self {
        let [first, second] = routes;
        if self.has(first) { first } else { second }
    }

    /// Returns true if these are among the bits.
    pub(super) const fn has(self, others: Self) -> bool {
        others.mask & !self.mask == 0 && self.agrees(others)
    }
}

/// In [`Needs::others`]: bits of MMCR0, at their positions there.
const STATES: u64 = Mmcr0::MODES.bits();
const ALWAYS_RUN: u64 = Mmcr0::ALWAYS_RUN.bits();
const CONTROL: u64 = STATES | ALWAYS_RUN;
/// In [`Needs::others`]: L2L3SEL, at its position in MMCR2.
const CACHE_SELECT: u64 = 0x1F << 3;
/// In [`Needs::others`]: the bank of cache events that PMC4 selects, and whether it selects one. In MMCR1 these are
/// PMC4's own fields.
const BANKS: u64 = 0xFF << BANK_AT | IS_BANK;
const BANK_AT: u32 = 13;
const IS_BANK: u64 = 1 << 21;
/// PMC4SEL and PMC4UNIT of MMCR1.
const FOURTH: u64 = 0xFF | 0xF << 48;
/// In MMCRA: SAMPLE_ENABLE, the mode and the eligibility, SDAR_MODE.
const SAMPLES: u64 = 0x77 | 3 << 42;

/// The values that an event needs in shared fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Needs {
    mmcr1: Bits,
    mmcra: Bits,
    /// The fields of MMCR0 and MMCR2, and what is in no register; their mask is the upper half.
    others: u64,
}

/// The number of words of [`Needs`]. The needs of two events together are the OR of their words.
pub(in super::super) const WORDS: usize = 5;

impl Needs {
    pub(in super::super) const NOTHING: Self = Self { mmcr1: Bits::NONE, mmcra: Bits::NONE, others: 0 };

    const fn of_others(mask: u64, value: u64) -> Self {
        Self { others: mask << 32 | value & mask, ..Self::NOTHING }
    }

    const fn others(&self) -> Bits {
        Bits { mask: self.others >> 32, value: self.others & 0xFFFF_FFFF }
    }

    /// Needs these bits of MMCR1.
    pub(super) const fn selects(mask: u64, value: u64) -> Self {
        Self { mmcr1: Bits::new(mask, value), ..Self::NOTHING }
    }

    /// Needs these bits of MMCRA, for sampling or thresholds.
    pub(super) const fn marks(mask: u64, value: u64) -> Self {
        Self { mmcra: Bits::new(mask, value), ..Self::NOTHING }
    }

    /// Needs this value of MMCR0's FCS, FCP and FCHV.
    pub(in super::super) const fn states(value: u64) -> Self {
        Self::of_others(STATES, value)
    }

    /// Needs this value of MMCR0's CC5-6RUN.
    #[inline(always)]
    pub(in super::super) const fn run(always: bool) -> Self {
        Self::of_others(ALWAYS_RUN, if always { ALWAYS_RUN } else { 0 })
    }

    /// Returns true if a value of MMCR0's CC5-6RUN is needed.
    #[inline(always)]
    pub(in super::super) const fn has_run(&self) -> bool {
        self.others & ALWAYS_RUN << 32 != 0
    }

    /// The same without a value of MMCR0's CC5-6RUN.
    pub(in super::super) const fn without_run(self) -> Self {
        self.without(&Self::run(true))
    }

    /// Needs this value of MMCR2's L2L3SEL.
    pub(super) const fn cache(select: u64) -> Self {
        Self::of_others(CACHE_SELECT, select << 3)
    }

    /// Needs PMC4 to select this bank of cache events.
    pub(super) const fn bank(select: u64, unit: u64) -> Self {
        Self::of_others(BANKS, select << BANK_AT | IS_BANK).and(Self::selects(FOURTH, select | unit << 48))
    }

    /// Needs PMC4 to select no bank.
    #[inline(always)]
    pub(in super::super) const fn no_bank() -> Self {
        Self::of_others(IS_BANK, 0)
    }

    /// Returns true if PMC4 must select a bank.
    #[inline(always)]
    pub(in super::super) const fn has_bank(&self) -> bool {
        self.others & IS_BANK != 0
    }

    /// Returns the needs of both, which MUST agree.
    #[inline(always)]
    pub(in super::super) const fn and(self, other: Self) -> Self {
        Self {
            mmcr1: self.mmcr1.and(other.mmcr1),
            mmcra: self.mmcra.and(other.mmcra),
            others: self.others | other.others,
        }
    }

    /// Returns true if both can be satisfied at once.
    #[inline(always)]
    pub(in super::super) const fn agrees(&self, other: &Self) -> bool {
        let shared = self.mmcr1.clash(other.mmcr1) | self.mmcra.clash(other.mmcra);
        shared | self.others().clash(other.others()) == 0
    }

    /// Returns the needed bits of the upper half of MMCR1.
    #[inline(always)]
    pub(in super::super) const fn upper_selects(&self) -> HalfBits {
        HalfBits { mask: (self.mmcr1.mask >> 32) as u32, value: (self.mmcr1.value >> 32) as u32 }
    }

    /// Returns these needs with other bits of the upper half of MMCR1.
    #[inline(always)]
    pub(in super::super) const fn with_upper_selects(self, bits: HalfBits) -> Self {
        let lower = u32::MAX as u64;
        let mmcr1 = Bits {
            mask: self.mmcr1.mask & lower | (bits.mask as u64) << 32,
            value: self.mmcr1.value & lower | (bits.value as u64) << 32,
        };
        Self { mmcr1, ..self }
    }

    /// Returns the needed bits of the control registers.
    #[inline(always)]
    pub(in super::super) const fn words(&self) -> Words {
        Words {
            mmcr0: self.others & CONTROL,
            mmcr1: self.mmcr1.value,
            mmcr2: self.others & CACHE_SELECT,
            mmcr3: 0,
            mmcra: self.mmcra.value,
        }
    }

    #[inline(always)]
    pub(in super::super) const fn to_array(self) -> [u64; WORDS] {
        [self.mmcr1.mask, self.mmcr1.value, self.mmcra.mask, self.mmcra.value, self.others]
    }

    #[inline(always)]
    pub(in super::super) const fn from_array(words: [u64; WORDS]) -> Self {
        let [mask1, value1, mask, value, others] = words;
        Self { mmcr1: Bits { mask: mask1, value: value1 }, mmcra: Bits { mask, value }, others }
    }

    /// Returns the needs without these bits.
    const fn without(self, other: &Self) -> Self {
        let others = self.others().without(other.others());
        Self {
            mmcr1: self.mmcr1.without(other.mmcr1),
            mmcra: self.mmcra.without(other.mmcra),
            others: others.mask << 32 | others.value,
        }
    }

    /// Returns the needs without the fields that are ignored.
    #[inline]
    pub(in super::super) fn without_ignored(self, ignored: Ignored) -> Self {
        match ignored {
            Ignored::Nothing => self,
            Ignored::Everything => Self::NOTHING,
            Ignored::Register(_) => {
                let fields = FIELDS.iter().filter(|(register, _)| ignored.has(register));
                fields.fold(self, |needs, (_, field)| needs.without(field))
            }
        }
    }

    /// Returns the fields in which a value is needed.
    pub(in super::super) fn registers(self) -> impl Iterator<Item = &'static Register> {
        FIELDS.iter().filter(move |(_, field)| self.without(field) != self).map(|(register, _)| register)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Needs =
        Needs { mmcr1: ONES, mmcra: ONES, others: Needs::of_others(CONTROL | CACHE_SELECT | BANKS, u64::MAX).others };
    const ONES: Bits = Bits::new(u64::MAX, u64::MAX);

    #[test]
    fn fields_are_all_of_what_is_needed_and_each_bit_is_in_one() {
        let together = FIELDS.iter().map(|(_, field)| *field).fold(Needs::NOTHING, Needs::and);
        assert_eq!(together, ALL);
        let bits = |needs: &Needs| {
            needs.mmcr1.mask.count_ones() + needs.mmcra.mask.count_ones() + needs.others().mask.count_ones()
        };
        assert_eq!(FIELDS.iter().map(|(_, field)| bits(field)).sum::<u32>(), bits(&ALL));
    }

    #[test]
    fn needs_agree_where_both_need_the_same() {
        assert!(Needs::run(true).agrees(&Needs::cache(5)));
        assert!(!Needs::run(true).agrees(&Needs::run(false)));
        assert!(!Needs::bank(5, 6).agrees(&Needs::bank(4, 6)) && Needs::bank(5, 6).agrees(&Needs::NOTHING));
        assert!(!Needs::bank(0, 6).agrees(&Needs::no_bank()) && Needs::no_bank().agrees(&Needs::NOTHING));
    }

    #[test]
    fn each_need_is_written_to_its_register_and_to_no_other() {
        assert_eq!(Needs::no_bank().words(), Words::NOTHING);
        assert_eq!(Needs::bank(0xFF, 6).words(), Words { mmcr1: 6 << 48 | 0xFF, ..Words::NOTHING });
        assert_eq!(Needs::cache(0x1F).words().mmcr2, 0xF8);
    }
}
