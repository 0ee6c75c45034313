//! The bits that one counter adds to the registers that all counters share.

use super::registers::{Mmcr0, Mmcr1, Mmcr2, SelectField, SelectRegister};
use crate::event::CounterId;

/// The bits that a counter adds to MMCR0 (the low half) and to MMCR1 (the high half). The lowest bits of the high
/// half, which no selector has, record how the counter uses the threshold.
///
/// The need of several counters that agree is the OR of theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Need(u64);

/// The counter compares with the threshold.
const COMPARES: u64 = 1 << 32;
/// The counter uses the multiplier.
const SCALES: u64 = 1 << 33;
/// The counter needs the larger multiplier.
const MULTIPLIED: u64 = 1 << 34;

impl Need {
    pub(super) const NOTHING: Self = Self(0);

    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// Creates the need of a counter that is frozen in these modes.
    pub(super) const fn frozen_in(modes: Mmcr0) -> Self {
        Self(modes.bits() as u64)
    }

    /// Adds this threshold, without a multiplier.
    pub(super) const fn comparing(self, threshold: u8) -> Self {
        let place = Mmcr0::THRESHOLD.bits().trailing_zeros();
        Self(self.0 | COMPARES | (threshold as u64) << place & Mmcr0::THRESHOLD.bits() as u64)
    }

    /// Adds the multiplier of the threshold: its unit is 2 cycles or, multiplied, 32.
    pub(super) const fn scaled(self, extension: Mmcr2) -> Self {
        let multiplied = if extension.contains(Mmcr2::MULTIPLIER) { MULTIPLIED } else { 0 };
        Self(self.0 | SCALES | multiplied)
    }

    /// Adds the selector of an event on this counter.
    #[inline(always)]
    pub(super) fn selecting(self, counter: CounterId, select: u8) -> Self {
        let Some(field) = SelectField::ALL.get(usize::from(counter.number())) else { return self };
        let half = if field.register == SelectRegister::Mmcr0 { 0 } else { 32 };
        Self(self.0 | u64::from(field.with(select)) << half)
    }

    /// Returns the need of both.
    #[inline(always)]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the part that all counters share: modes and threshold.
    pub(super) const fn shared(self) -> Self {
        let control = Mmcr0::MODES.union(Mmcr0::THRESHOLD).bits() as u64;
        Self(self.0 & (control | COMPARES | SCALES | MULTIPLIED))
    }

    /// Returns the manual's name of a field that the two need with different values.
    pub(super) const fn clash(self, other: Self) -> Option<&'static str> {
        let differ = self.0 ^ other.0;
        if differ & Mmcr0::MODES.bits() as u64 != 0 {
            return Some("MMCR0's FCS and FCP, by which all counters tell user from kernel");
        }
        if self.0 & other.0 & COMPARES != 0 && differ & Mmcr0::THRESHOLD.bits() as u64 != 0 {
            return Some("MMCR0's THRESHOLD");
        }
        if self.0 & other.0 & SCALES != 0 && differ & MULTIPLIED != 0 {
            return Some("MMCR2's THRESHMULT");
        }
        None
    }

    /// Returns the bits for MMCR0.
    #[inline(always)]
    pub(super) const fn control(self) -> u32 {
        self.0 as u32
    }

    /// Returns the bits for MMCR1.
    #[inline(always)]
    pub(super) const fn selects(self) -> u32 {
        (self.0 >> 32) as u32 & Mmcr1::all().bits()
    }

    /// Returns true if it uses MMCR2.
    #[inline(always)]
    pub(super) const fn scales(self) -> bool {
        self.0 & SCALES != 0
    }

    /// Returns the bits for MMCR2.
    #[inline(always)]
    pub(super) const fn extension(self) -> u32 {
        if self.0 & MULTIPLIED != 0 { Mmcr2::MULTIPLIER.bits() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYWHERE: Need = Need::frozen_in(Mmcr0::empty());
    const USER: Need = Need::frozen_in(Mmcr0::FREEZE_SUPERVISOR);

    fn counter(number: u8) -> CounterId {
        CounterId::new(number).unwrap()
    }

    #[test]
    fn selectors_of_six_counters_are_put_together() {
        let needs = (0..6).map(|number| EVERYWHERE.selecting(counter(number), number + 1));
        let together = needs.fold(Need::NOTHING, Need::and);
        assert_eq!(together.control(), 1 << 6 | 2);
        assert_eq!(together.selects(), 3 << 27 | 4 << 22 | 5 << 17 | 6 << 11);
    }

    #[test]
    fn counters_clash_over_modes_and_over_what_both_compare_with() {
        assert!(USER.clash(EVERYWHERE).is_some_and(|name| name.contains("FCS")));
        let (seven, nine) = (EVERYWHERE.comparing(7), EVERYWHERE.comparing(9));
        assert_eq!(seven.clash(nine), Some("MMCR0's THRESHOLD"));
        assert_eq!((seven.clash(seven), seven.clash(EVERYWHERE)), (None, None));
        let (small, large) = (seven.scaled(Mmcr2::empty()), seven.scaled(Mmcr2::MULTIPLIER));
        assert_eq!((small.clash(large), small.clash(seven)), (Some("MMCR2's THRESHMULT"), None));
        assert_eq!((small.extension(), large.extension()), (0, 0x8000_0000));
    }

    #[test]
    fn what_it_knows_of_thresholds_is_no_selector() {
        let need = EVERYWHERE.comparing(0x3F).scaled(Mmcr2::MULTIPLIER);
        assert_eq!((need.selects(), need.control()), (0, 0x3F << 16));
    }
}
