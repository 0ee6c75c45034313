//! Rules that all x86 drivers should keep although hardware permits more.

use super::selector::{ENABLE, INVERT, KERNEL, USER, threshold};
use crate::virt::{Decode, forbid};

/// Checks a change of a selector from `old` to `new`. Its counter may be counting.
pub(super) fn check_selector(old: u64, new: u64, counts: bool) -> Result<(), &'static str> {
    let changes = (old ^ new) & !ENABLE != 0;
    forbid(counts && changes, "the selector of a counter that counts is changed")?;
    forbid(new & INVERT != 0 && new & threshold(0xFF) == 0, "INV without a threshold means nothing")
}

/// Checks that an enabled counter counts in some mode.
pub(super) fn check_modes(selector: u64) -> Result<(), &'static str> {
    let has_mode = selector & (USER | KERNEL) != 0;
    forbid(selector & ENABLE != 0 && !has_mode, "a counter is enabled in no mode")
}

/// Checks an acknowledgement. While counters count, an overflow may come after the driver has read the status. If it
/// is cleared without having been read, it is lost.
pub(super) fn check_acknowledged(unit: &impl Decode, value: u64, status: u64) -> Result<(), &'static str> {
    let unread = value & unit.running().bits() & !status;
    forbid(unread != 0, "the overflow of a counter that counts is acknowledged before it happens")
}
