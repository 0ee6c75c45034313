//! Finds the register that a word of the view belongs to, for hosts that answer a guest's accesses.

use super::{Offset, View};
use crate::arch::aarch64::{Half, SystemRegister};

/// The registers of which there is one.
const SINGLE: [SystemRegister; 16] = [
    SystemRegister::CYCLES,
    SystemRegister::INSTRUCTIONS,
    SystemRegister::CYCLE_FILTER,
    SystemRegister::INSTRUCTION_FILTER,
    SystemRegister::ENABLE_SET,
    SystemRegister::ENABLE_CLEAR,
    SystemRegister::INTERRUPT_SET,
    SystemRegister::INTERRUPT_CLEAR,
    SystemRegister::OVERFLOW_CLEAR,
    SystemRegister::OVERFLOW_SET,
    SystemRegister::SOFTWARE_INCREMENT,
    SystemRegister::ZERO,
    SystemRegister::CONTROL,
    SystemRegister::MACHINE,
    SystemRegister::EVENTS_0,
    SystemRegister::EVENTS_1,
];

impl View {
    /// Returns the register with a word at `offset`, in bytes from the view's start, or `None` if there is none or
    /// if the offset is not that of a word.
    #[must_use]
    pub fn register(self, offset: u16) -> Option<(SystemRegister, Half)> {
        let counters = (0..SystemRegister::EVENT_COUNTERS).filter_map(SystemRegister::counter);
        let selections = (0..SystemRegister::EVENT_COUNTERS).filter_map(SystemRegister::select);
        let all = SINGLE.into_iter().chain(counters).chain(selections);
        all.filter_map(|at| half(self.offset(at)?, offset).map(|half| (at, half))).next()
    }
}

fn half(of: Offset, offset: u16) -> Option<Half> {
    match offset {
        low if low == of.low => Some(Half::Low),
        high if Some(high) == of.high => Some(Half::High),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn views() -> impl Iterator<Item = View> {
        [0, 5, 8, 9].into_iter().flat_map(|version| [0xA16, 0xA26].map(|part| View::of(part, version).unwrap()))
    }

    #[test]
    fn every_word_leads_to_the_register_that_has_it() {
        for view in views() {
            for at in (0..=u16::MAX).filter_map(SystemRegister::from_number) {
                let Some(offset) = view.offset(at) else { continue };
                assert_eq!(view.register(offset.low), Some((at, Half::Low)), "{view:?}");
                assert!(offset.high.is_none_or(|high| view.register(high) == Some((at, Half::High))), "{view:?}");
            }
        }
    }

    #[test]
    fn every_other_offset_leads_nowhere() {
        for view in views() {
            let words = (0..0x1100).filter_map(|offset| Some((offset, view.register(offset)?)));
            for (offset, (at, half)) in words {
                let there = view.offset(at).unwrap();
                assert_eq!(Some(offset), if half == Half::Low { Some(there.low) } else { there.high }, "{at:?}");
                assert_eq!(offset % 4, 0, "{at:?}");
            }
        }
    }
}
