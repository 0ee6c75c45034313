//! Describes a unit.

use core::fmt;

use crate::event::{CounterId, CounterSet, Flags, Modes, Width};

/// Describes a unit: its name, counters, modes and flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The unit's name.
    pub name: &'static str,
    /// The manual that describes it.
    pub manual: &'static str,
    /// The version that the processor announces; 0 if it announces none.
    pub version: u8,
    /// The general counters, which count the event that is selected.
    pub general: CounterSet,
    /// The fixed counters, each of which counts one event.
    pub fixed: CounterSet,
    /// The counters that somebody else uses, as firmware or a watchdog: they are neither among `general` nor among
    /// `fixed`, and they go on counting.
    pub used_by_others: CounterSet,
    /// The width of the general counters.
    pub general_width: Width,
    /// The width of the fixed counters.
    pub fixed_width: Width,
    /// The modes that it can filter.
    pub modes: Modes,
    /// The flags that it has.
    pub flags: Flags,
    /// Whether it interrupts on overflow, and whether it identifies the counter.
    pub overflow: Overflow,
    /// How counters are lent to user programs.
    pub lending: Lending,
}

impl Description {
    /// Creates the description of a unit without counters, for drivers to fill in.
    #[must_use]
    pub const fn new(name: &'static str, manual: &'static str, width: Width) -> Self {
        Self {
            name,
            manual,
            version: 0,
            general: CounterSet::EMPTY,
            fixed: CounterSet::EMPTY,
            used_by_others: CounterSet::EMPTY,
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
    /// Returns all counters: first the general ones, then the fixed.
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
            write!(f, ", {} fixed of {} bits", self.fixed.len(), self.fixed_width.bits())?;
        }
        if !self.used_by_others.is_empty() {
            write!(f, "; counters {} are used by others", self.used_by_others)?;
        }
        Ok(())
    }
}

/// What a unit does when a counter overflows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Overflow {
    /// Nothing: there is no interrupt.
    None,
    /// It interrupts, and does not identify the counter.
    Interrupt,
    /// It interrupts, and a status register identifies the counter.
    Identified,
}

/// How counters can be lent to user programs, which then read them by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lending {
    /// One by one: programs cannot read the others.
    Each,
    /// All or none.
    Together,
}
