//! What a unit is and can do.

use core::fmt;

use crate::event::{CounterId, CounterSet, Flags, Modes, Width};

/// What a unit is and can do, for people and for programs that ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The unit's name.
    pub name: &'static str,
    /// The manual that describes it.
    pub manual: &'static str,
    /// The version that the processor announces; 0 where there is no such thing.
    pub version: u8,
    /// The counters that count what their selector says.
    pub general: CounterSet,
    /// The counters that count one thing.
    pub fixed: CounterSet,
    /// How wide the general counters are.
    pub general_width: Width,
    /// How wide the fixed counters are.
    pub fixed_width: Width,
    /// The modes that it tells apart.
    pub modes: Modes,
    /// The flags that it has.
    pub flags: Flags,
    /// Whether it interrupts on overflow, and whether it says which counter it was.
    pub overflow: Overflow,
    /// How user programs are lent counters.
    pub lending: Lending,
}

impl Description {
    /// A unit with nothing in it, for drivers to fill in.
    #[must_use]
    pub const fn new(name: &'static str, manual: &'static str, width: Width) -> Self {
        Self {
            name,
            manual,
            version: 0,
            general: CounterSet::EMPTY,
            fixed: CounterSet::EMPTY,
            general_width: width,
            fixed_width: width,
            modes: Modes::ALL,
            flags: Flags::NONE,
            overflow: Overflow::None,
            lending: Lending::Together,
        }
    }
}

impl Description {
    /// Every counter, in the order in which people number them: the general ones, then the fixed.
    pub fn counters(&self) -> impl Iterator<Item = CounterId> + Clone + use<> {
        self.general.into_iter().chain(self.fixed)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if self.version > 0 {
            write!(f, " version {}", self.version)?;
        }
        write!(f, ": {} general counters of {} bits", self.general.len(), self.general_width.bits())?;
        if !self.fixed.is_empty() {
            write!(f, ", {} fixed ones of {} bits", self.fixed.len(), self.fixed_width.bits())?;
        }
        Ok(())
    }
}

/// What a unit does when a counter overflows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Nothing that anybody would notice.
    None,
    /// It interrupts, and cannot tell which counter it was.
    Interrupt,
    /// It interrupts and says which counter it was.
    Identified,
}

/// How user programs are lent a unit's counters, which they read with an instruction of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lending {
    /// One by one: programs see nothing of the others.
    Each,
    /// All or none.
    Together,
}
