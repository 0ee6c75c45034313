//! What one counter adds to the registers that all counters share.

use super::registers::{Control, Extension, Place, SelectField, Selects};
use crate::event::CounterId;

/// What a counter adds to MMCR0 (the low half) and to MMCR1 (the high half), whose lowest bits no
/// selector has: those say what of the threshold matters to the counter.
///
/// What agreeing counters need together is one of these too: their bits, put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Need(u64);

/// The counter compares with the threshold.
const COMPARES: u64 = 1 << 32;
/// And the multiplier matters to it.
const SCALES: u64 = 1 << 33;
/// And it wants the larger multiplier.
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

    /// The modes in which it is frozen.
    pub(super) const fn frozen_in(modes: Control) -> Self {
        Self(modes.bits() as u64)
    }

    /// It compares with this threshold, in units that have no multiplier.
    pub(super) const fn comparing(self, threshold: u8) -> Self {
        let place = Control::THRESHOLD.bits().trailing_zeros();
        Self(self.0 | COMPARES | (threshold as u64) << place & Control::THRESHOLD.bits() as u64)
    }

    /// The units of its threshold are of 2 cycles or, multiplied, of 32.
    pub(super) const fn scaled(self, extension: Extension) -> Self {
        let multiplied = if extension.contains(Extension::MULTIPLIER) { MULTIPLIED } else { 0 };
        Self(self.0 | SCALES | multiplied)
    }

    /// It selects this event, on this counter.
    #[inline(always)]
    pub(super) fn selecting(self, counter: CounterId, select: u8) -> Self {
        let Some(field) = SelectField::ALL.get(usize::from(counter.number())) else { return self };
        let half = if field.place == Place::Control { 0 } else { 32 };
        Self(self.0 | u64::from(field.with(select)) << half)
    }

    /// What both need.
    #[inline(always)]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What of it all counters share: their modes and the threshold.
    pub(super) const fn shared(self) -> Self {
        let control = Control::MODES.union(Control::THRESHOLD).bits() as u64;
        Self(self.0 & (control | COMPARES | SCALES | MULTIPLIED))
    }

    /// What the two cannot both have, as the manual names it.
    pub(super) const fn clash(self, other: Self) -> Option<&'static str> {
        let differ = self.0 ^ other.0;
        if differ & Control::MODES.bits() as u64 != 0 {
            return Some("MMCR0's FCS and FCP, by which all counters tell user from kernel");
        }
        if self.0 & other.0 & COMPARES != 0 && differ & Control::THRESHOLD.bits() as u64 != 0 {
            return Some("MMCR0's THRESHOLD");
        }
        if self.0 & other.0 & SCALES != 0 && differ & MULTIPLIED != 0 {
            return Some("MMCR2's THRESHMULT");
        }
        None
    }

    /// What it adds to MMCR0.
    #[inline(always)]
    pub(super) const fn control(self) -> u32 {
        self.0 as u32
    }

    /// What it adds to MMCR1.
    #[inline(always)]
    pub(super) const fn selects(self) -> u32 {
        (self.0 >> 32) as u32 & Selects::all().bits()
    }

    /// Returns true if what MMCR2 holds matters to it.
    #[inline(always)]
    pub(super) const fn scales(self) -> bool {
        self.0 & SCALES != 0
    }

    /// What it adds to MMCR2.
    #[inline(always)]
    pub(super) const fn extension(self) -> u32 {
        if self.0 & MULTIPLIED != 0 { Extension::MULTIPLIER.bits() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYWHERE: Need = Need::frozen_in(Control::empty());
    const USER: Need = Need::frozen_in(Control::FREEZE_SUPERVISOR);

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
        let (small, large) = (seven.scaled(Extension::empty()), seven.scaled(Extension::MULTIPLIER));
        assert_eq!((small.clash(large), small.clash(seven)), (Some("MMCR2's THRESHMULT"), None));
        assert_eq!((small.extension(), large.extension()), (0, 0x8000_0000));
    }

    #[test]
    fn what_it_knows_of_thresholds_is_no_selector() {
        let need = EVERYWHERE.comparing(0x3F).scaled(Extension::MULTIPLIER);
        assert_eq!((need.selects(), need.control()), (0, 0x3F << 16));
    }
}
