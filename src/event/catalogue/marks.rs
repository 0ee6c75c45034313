//! What a maker's list says of an event beside its code.

use core::fmt;

/// What its maker's list says of an event.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks(u8);

impl Marks {
    /// Nothing is said.
    pub const NONE: Self = Self(0);
    /// Another name has taken its place.
    pub const DEPRECATED: Self = Self(1);
    /// An erratum is known of it. The text that the table is made of names it.
    pub const ERRATUM: Self = Self(1 << 1);
    /// The processor can sample it precisely: its debug store (PEBS) records the instruction that caused it.
    pub const PRECISE: Self = Self(1 << 2);
    /// It should be counted alone.
    pub const ALONE: Self = Self(1 << 3);

    /// All marks with their names, as the texts of the tables write them.
    const NAMES: [(Self, &'static str); 4] = [
        (Self::DEPRECATED, "deprecated"),
        (Self::ERRATUM, "erratum"),
        (Self::PRECISE, "precise"),
        (Self::ALONE, "alone"),
    ];

    pub(super) const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Returns true if all of these marks are among them.
    #[must_use]
    pub const fn has(self, marks: Self) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// Returns true if there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Prints the marks, separated by blanks: `erratum precise`.
impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = Self::NAMES.iter().filter(|(mark, _)| self.has(*mark));
        for (nth, (_, name)) in marks.enumerate() {
            write!(f, "{}{name}", if nth == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Marks({self})")
    }
}
