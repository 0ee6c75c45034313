//! How a unit's counters are started: by a global control register, or each by its own selector.
//!
//! It is a parameter of both vendors' drivers. A kernel that runs on any machine names [`Either`], the default, which
//! costs a comparison where the two differ. A kernel that names [`Global`] or [`Single`] contains that half alone.

use core::fmt;

use crate::event::{Error, Result};

/// A generation of units, as a parameter of a driver: [`Global`], [`Single`] or [`Either`].
pub trait Generation: Copy + fmt::Debug {
    /// Returns the generation of a unit that has a global control register, or has none.
    ///
    /// # Errors
    /// [`Error::OtherGeneration`]: this is a fixed generation, and the unit is of the other.
    fn of(has_global: bool) -> Result<Self>;

    /// Returns true if the unit has a global control register.
    fn has_global(self) -> bool;
}

/// A unit that one register starts and stops: Intel's from version 2 on, AMD's from PerfMonV2 (Zen 4) on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Global;

/// A unit whose counters are started and stopped by their selectors alone: Intel's version 1, AMD's K7 to Zen 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Single;

/// A unit of either generation: which one is asked at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Either {
    has_global: bool,
}

impl Either {
    pub(super) const fn new(has_global: bool) -> Self {
        Self { has_global }
    }
}

impl Generation for Global {
    fn of(has_global: bool) -> Result<Self> {
        if has_global { Ok(Self) } else { Err(Error::OtherGeneration { driver: "Global", unit: "Single" }) }
    }

    #[inline(always)]
    fn has_global(self) -> bool {
        true
    }
}

impl Generation for Single {
    fn of(has_global: bool) -> Result<Self> {
        if has_global { Err(Error::OtherGeneration { driver: "Single", unit: "Global" }) } else { Ok(Self) }
    }

    #[inline(always)]
    fn has_global(self) -> bool {
        false
    }
}

impl Generation for Either {
    fn of(has_global: bool) -> Result<Self> {
        Ok(Self::new(has_global))
    }

    #[inline(always)]
    fn has_global(self) -> bool {
        self.has_global
    }
}
