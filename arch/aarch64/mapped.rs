//! The unit's registers where they are mapped into memory, for an external agent or another
//! processor.

mod access;
mod word;

pub use access::Mapped;

use super::SystemRegister;

/// The layout of the registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// In words of 32 bits (FEAT_PMUv3_EXT32).
    Words,
    /// In double words (FEAT_PMUv3_EXT64).
    DoubleWords,
}

/// The registers of a unit where they are mapped into memory, for an external agent or another processor: their layout, and
/// which upper halves exist.
///
/// The view has no register that identifies the processor, none of EL0 and EL2, and no selector:
/// [`View::offset`] returns `None` for those, and [`Mapped`] reads them as 0 and ignores writes. A
/// driver over it must therefore get its [`Capabilities`](super::pmuv3::Capabilities) from the processor itself.
///
/// Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section I5.2, tables
/// "Performance Monitors external register views when FEAT_PMUv3_EXT64 is implemented" and "when
/// FEAT_PMUv3_EXT32 is implemented".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    shape: Shape,
    version: u8,
}

/// The offsets of a register's halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Offset {
    /// The offset of the lower half, in bytes from the view's start.
    pub low: u16,
    /// The offset of the upper half, or `None` if it has none.
    pub high: Option<u16>,
}

impl Offset {
    const fn word(low: u16) -> Self {
        Self { low, high: None }
    }

    const fn double_word(low: u16) -> Self {
        Self { low, high: Some(low + 4) }
    }
}

impl View {
    /// Returns the view of a unit with this PMDEVARCH, at offset FBCH, and of this version
    /// ([`Capabilities::version`](super::pmuv3::Capabilities::version)), or `None` if it is another component.
    #[must_use]
    pub const fn of(architecture: u32, version: u8) -> Option<Self> {
        match architecture & 0xFFF {
            0xA16 => Some(Self { shape: Shape::Words, version }),
            0xA26 => Some(Self { shape: Shape::DoubleWords, version }),
            _ => None,
        }
    }

    /// Returns the offsets of a register in this view, or `None` if it is not there.
    #[must_use]
    pub const fn offset(self, at: SystemRegister) -> Option<Offset> {
        if let Some(number) = at.as_counter() {
            return Some(self.since(5, 8 * number as u16));
        }
        if let Some(number) = at.as_select() {
            return Some(self.select(number as u16));
        }
        Some(match at {
            SystemRegister::CYCLES => Offset::double_word(0x0F8),
            SystemRegister::INSTRUCTIONS => Offset::double_word(0x100),
            SystemRegister::CYCLE_FILTER => self.select(31),
            SystemRegister::INSTRUCTION_FILTER => self.select(32),
            SystemRegister::ENABLE_SET => self.since(9, 0xC00),
            SystemRegister::ENABLE_CLEAR => self.since(9, 0xC20),
            SystemRegister::INTERRUPT_SET => self.since(9, 0xC40),
            SystemRegister::INTERRUPT_CLEAR => self.since(9, 0xC60),
            SystemRegister::OVERFLOW_CLEAR => self.since(9, 0xC80),
            SystemRegister::OVERFLOW_SET => self.since(9, 0xCC0),
            SystemRegister::MACHINE => self.since(9, 0xE40),
            _ => return self.single(at),
        })
    }

    /// A register whose upper half exists from a version on, or if the layout has double words.
    const fn since(self, first: u8, low: u16) -> Offset {
        match self.shape {
            Shape::Words if self.version < first => Offset::word(low),
            _ => Offset::double_word(low),
        }
    }

    /// PMEVTYPERn_EL0: with words, the upper halves follow after all the others, from PMUv3p8 on.
    const fn select(self, number: u16) -> Offset {
        match self.shape {
            Shape::Words if self.version < 8 => Offset::word(0x400 + 4 * number),
            Shape::Words => Offset { low: 0x400 + 4 * number, high: Some(0xA00 + 4 * number) },
            Shape::DoubleWords => Offset::double_word(0x400 + 8 * number),
        }
    }

    /// The registers whose offsets follow no rule.
    const fn single(self, at: SystemRegister) -> Option<Offset> {
        match (self.shape, at) {
            (Shape::Words, SystemRegister::CONTROL) => Some(Offset::word(0xE04)),
            (Shape::DoubleWords, SystemRegister::CONTROL) => Some(Offset::double_word(0xE10)),
            (Shape::Words, SystemRegister::SOFTWARE_INCREMENT) if self.version < 9 => Some(Offset::word(0xCA0)),
            (_, SystemRegister::ZERO) if self.version >= 9 => Some(Offset::double_word(0xCA0)),
            (Shape::Words, SystemRegister::EVENTS_0) => Some(Offset { low: 0xE20, high: Some(0xE28) }),
            (Shape::Words, SystemRegister::EVENTS_1) => Some(Offset { low: 0xE24, high: Some(0xE2C) }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn all() -> impl Iterator<Item = SystemRegister> {
        (0..=u16::MAX).filter_map(SystemRegister::from_number)
    }

    fn views() -> impl Iterator<Item = View> {
        let versions = [0, 5, 8, 9].into_iter();
        versions.flat_map(|version| [0xA16, 0xA26].map(|part| View::of(part, version).unwrap()))
    }

    #[test]
    fn no_two_registers_share_a_word() {
        for view in views() {
            let offsets: Vec<_> = all().filter_map(|at| view.offset(at)).collect();
            let words: Vec<_> = offsets.iter().flat_map(|offset| [Some(offset.low), offset.high]).flatten().collect();
            assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len(), "{view:?}");
            assert!(words.iter().all(|word| word % 4 == 0 && *word < 0xF00), "{view:?}");
        }
    }

    #[test]
    fn the_last_event_counter_is_before_the_cycle_counter() {
        let words = View::of(0xA16, 8).unwrap();
        let last = SystemRegister::counter(30).and_then(|at| words.offset(at));
        assert_eq!(last, Some(Offset { low: 0x0F0, high: Some(0x0F4) }));
        let filter = SystemRegister::CYCLE_FILTER;
        assert_eq!(words.offset(filter), Some(Offset { low: 0x47C, high: Some(0xA7C) }));
        let double_words = View::of(0xA26, 8).unwrap();
        assert_eq!(double_words.offset(filter), Some(Offset { low: 0x4F8, high: Some(0x4FC) }));
    }

    /// Their offsets are CONSTRAINED UNPREDICTABLE (I5.3.28) or belong to other registers (table I5-2, note d).
    #[test]
    fn an_upper_half_that_a_version_does_not_have_is_left_alone() {
        let high = |version, at| View::of(0xA16, version).unwrap().offset(at).unwrap().high;
        let (counter, select) = (SystemRegister::counter(0).unwrap(), SystemRegister::select(0).unwrap());
        assert_eq!([1, 5].map(|version| high(version, counter)), [None, Some(4)]);
        assert_eq!([7, 8].map(|version| high(version, select)), [None, Some(0xA00)]);
        assert_eq!([8, 9].map(|version| high(version, SystemRegister::ENABLE_SET)), [None, Some(0xC04)]);
    }

    /// "Arm Armv8-A Architecture Registers" (DDI 0595), external registers, PMMIR: "PMU, 0xE40", in each of the
    /// three editions that were looked at (2020-09, 2020-12, 2021-06); E44H is its upper half in 64 bits.
    #[test]
    fn the_machines_parameters_are_at_e40() {
        let at = |part, version| View::of(part, version).unwrap().offset(SystemRegister::MACHINE);
        assert_eq!(at(0xA16, 4), Some(Offset { low: 0xE40, high: None }));
        assert_eq!([at(0xA16, 9), at(0xA26, 9)], [Some(Offset { low: 0xE40, high: Some(0xE44) }); 2]);
    }

    #[test]
    fn what_is_each_processors_alone_is_not_in_the_view() {
        let own = [SystemRegister::USER_ENABLE, SystemRegister::SELECTOR, SystemRegister::HYPERVISOR_CONTROL];
        for view in views() {
            assert_eq!(own.map(|at| view.offset(at)), [None; 3]);
            assert_eq!(view.offset(SystemRegister::DEBUG_FEATURES_0), None);
        }
    }

    #[test]
    fn another_components_view_is_none_of_a_units() {
        assert_eq!(View::of(0x4770_0A10, 0), None);
        assert!(View::of(0x4770_2A16, 0).is_some());
    }
}
