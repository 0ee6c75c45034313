//! Maps addresses to the registers of the unit.

use crate::arch::x86::{Block, Msr};

/// A register of the unit, with its number among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The selector of a counter, by either of its addresses.
    Select(usize),
    /// A counter, by either of its addresses.
    Counter(usize),
    /// PerfCntrGlobalStatus.
    Status,
    /// PerfCntrGlobalCtl.
    Control,
    /// PerfCntrGlobalStatusClr.
    Reset,
    /// PerfCntrGlobalStatusSet.
    Set,
}

impl Place {
    /// Returns the register at an address, or `None` if it is not the unit's.
    #[inline(always)]
    pub(super) const fn of(at: Msr) -> Option<Self> {
        match at {
            Msr::CORE_STATUS => Some(Self::Status),
            Msr::CORE_CONTROL => Some(Self::Control),
            Msr::CORE_RESET => Some(Self::Reset),
            Msr::CORE_SET => Some(Self::Set),
            _ => Self::numbered(at),
        }
    }

    /// Finds the registers that each counter has.
    #[inline(always)]
    const fn numbered(at: Msr) -> Option<Self> {
        let (core, legacy) = (within(Block::Core, at), within(Block::Legacy, at));
        match (core, legacy) {
            (Some(offset), _) if offset.is_multiple_of(2) => Some(Self::Select(offset / 2)),
            (Some(offset), _) => Some(Self::Counter(offset / 2)),
            (None, Some(offset @ ..4)) => Some(Self::Select(offset)),
            (None, Some(offset)) => Some(Self::Counter(offset - 4)),
            (None, None) => None,
        }
    }
}

/// Returns the offset of an address in a block, which has a selector and a counter for each counter.
#[inline(always)]
pub(super) const fn within(block: Block, at: Msr) -> Option<usize> {
    let offset = at.address().wrapping_sub(block.first_select());
    if offset < 2 * block.counters() as u32 { Some(offset as usize) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_register_is_found_by_the_name_it_was_made_from() {
        for block in [Block::Legacy, Block::Core] {
            for number in 0..block.counters() {
                let at = usize::from(number);
                assert_eq!(Msr::core_select(block, number).and_then(Place::of), Some(Place::Select(at)));
                assert_eq!(Msr::core_counter(block, number).and_then(Place::of), Some(Place::Counter(at)));
            }
        }
    }

    #[test]
    fn what_is_above_the_extended_addresses_is_the_units_and_nothing_else_is() {
        let all = (0..0x2000).chain(0xC000_0000..0xC000_2000).chain(0xC001_0000..0xC001_2000);
        for msr in all.filter_map(Msr::from_address) {
            let is_units = msr.address() >= 0xC000_0000 && !msr.is_recorders();
            assert_eq!(Place::of(msr).is_some(), is_units, "{msr:?}");
        }
    }
}
