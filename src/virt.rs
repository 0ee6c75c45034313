//! The other end of a driver: what a unit made of software promises, to tests and to hypervisors.
//!
//! A [`Device`] is the register-level model of a family's unit: it has the manual's semantics and
//! faults, and no more. Time reaches it as [`Work`]: so many instructions, cycles, branches, done
//! in one mode. An overflow leaves it through a [`Trigger`].
//!
//! # Threat model
//!
//! A guest chooses every address, every value, and the order of its accesses. A device therefore
//! never panics, never stores a reserved bit, never faults where the hardware would not, and uses
//! a bounded number of steps for each access. What it holds is its own: the host's unit is not
//! reachable through it.

mod strict;

use core::fmt;

use crate::counter::CounterSet;
use crate::event::Mode;
pub use strict::{Breach, Discipline, Strict};

/// How a unit made of software reaches its guest: the overflow interrupt's wire.
pub trait Trigger {
    /// A counter with its interrupt enabled has overflowed.
    ///
    /// MUST return soon and MUST NOT call back into the device.
    fn interrupt(&self);

    /// The unit holds its line as long as there is a reason to interrupt, and the last reason is gone.
    ///
    /// Only units whose line is a level call this, after an [`interrupt`](Self::interrupt) that began
    /// it. MUST return soon and MUST NOT call back into the device.
    fn withdraw(&self) {}
}

impl<T: Trigger + ?Sized> Trigger for &T {
    #[inline(always)]
    fn interrupt(&self) {
        (**self).interrupt();
    }

    #[inline(always)]
    fn withdraw(&self) {
        (**self).withdraw();
    }
}

/// A wire that leads nowhere, for units that are only counted with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unconnected;

impl Trigger for Unconnected {
    fn interrupt(&self) {}
}

/// What a processor does that a counter can count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    /// Instructions retired.
    Instructions,
    /// Cycles while not halted.
    Cycles,
    /// Cycles of the reference clock while not halted.
    ReferenceCycles,
    /// Branch instructions retired, taken or not.
    Branches,
    /// Branches that were taken.
    TakenBranches,
    /// Branches that were mispredicted.
    MispredictedBranches,
    /// Instructions that read memory.
    Loads,
    /// Instructions that wrote memory.
    Stores,
    /// Data references that cross the boundary which the processor's manual names.
    MisalignedReferences,
    /// References to the last-level cache.
    CacheReferences,
    /// Misses in the last-level cache.
    CacheMisses,
    /// Issue slots of the top-down method that could have been filled.
    Slots,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = 12;

    /// Every kind, in the order of [`Work`]'s table.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Instructions,
        Self::Cycles,
        Self::ReferenceCycles,
        Self::Branches,
        Self::TakenBranches,
        Self::MispredictedBranches,
        Self::Loads,
        Self::Stores,
        Self::MisalignedReferences,
        Self::CacheReferences,
        Self::CacheMisses,
        Self::Slots,
    ];
}

/// A set of kinds: what the host of a device can observe.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Kinds(u64);

impl Kinds {
    /// Nothing is observed.
    pub const NONE: Self = Self(0);

    /// What a clock that ticks once an instruction can tell.
    pub const CLOCK: Self = Self::NONE.with(Kind::Instructions).with(Kind::Cycles).with(Kind::ReferenceCycles);

    /// This set and one kind more.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// This set without one kind.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self(self.0 & !(1 << kind as u8))
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Is this kind in it?
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Is anything in both?
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What was done since the device last heard: counts by kind, all in one mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    mode: Mode,
    counts: [u64; Kind::COUNT],
}

impl Work {
    /// Nothing done yet, in this mode.
    #[must_use]
    pub const fn none(mode: Mode) -> Self {
        Self { mode, counts: [0; Kind::COUNT] }
    }

    /// `n` instructions on a clock that ticks once for each: as many cycles of either clock.
    #[must_use]
    pub const fn instructions(mode: Mode, n: u64) -> Self {
        Self::none(mode).with(Kind::Instructions, n).with(Kind::Cycles, n).with(Kind::ReferenceCycles, n)
    }

    /// The same with `count` of one kind.
    #[must_use]
    pub const fn with(mut self, kind: Kind, count: u64) -> Self {
        self.counts[kind as usize] = count;
        self
    }

    /// The mode it was done in.
    #[inline(always)]
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// How much of this kind was done.
    #[inline(always)]
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u64 {
        self.counts[kind as usize]
    }
}

/// Why the unit refuses an access, as hardware would: the host turns it into the guest's exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The unit has no such register.
    Absent,
    /// The value has bits set that this register reserves.
    Reserved,
    /// The register cannot be written.
    ReadOnly,
    /// The register cannot be read.
    WriteOnly,
    /// The access is not this mode's to make: it is handed to a higher one, which finds out by the
    /// exception that hardware would raise there.
    Trapped(Mode),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "the unit has no such register",
            Self::Reserved => "reserved bits are set",
            Self::ReadOnly => "the register is read-only",
            Self::WriteOnly => "the register is write-only",
            Self::Trapped(to) => return write!(f, "the access is trapped to the {to}"),
        })
    }
}

impl core::error::Error for Fault {}

/// A unit in software.
///
/// It is driven from one place at a time (a virtual CPU's own loop) and takes `&self`, so that a
/// driver and its test can both hold it.
pub trait Device {
    /// Names one register.
    type Address: Copy;
    /// Names one counter for the fast read.
    type Index: Copy;
    /// Everything it holds, as plain data that can be stored and sent elsewhere.
    type State: Copy + PartialEq + fmt::Debug;

    /// Reads a register.
    ///
    /// # Errors
    /// [`Fault::Absent`], [`Fault::WriteOnly`], [`Fault::Trapped`]; nothing has changed.
    fn try_read(&self, at: Self::Address) -> Result<u64, Fault>;

    /// Writes a register.
    ///
    /// # Errors
    /// [`Fault::Absent`], [`Fault::Reserved`], [`Fault::ReadOnly`], [`Fault::Trapped`]; nothing has
    /// changed.
    fn try_write(&self, at: Self::Address, value: u64) -> Result<(), Fault>;

    /// Reads a counter by the fast path.
    ///
    /// # Errors
    /// [`Fault::Absent`]; nothing has changed.
    fn try_read_counter(&self, index: Self::Index) -> Result<u64, Fault>;

    /// The processor did this much: counts it, and pulls the trigger for what overflowed.
    fn advance(&self, work: &Work);

    /// How many steps, each doing `step`, until an overflow interrupts; `None` if none will.
    fn until_overflow(&self, step: &Work) -> Option<u64>;

    /// The kinds that the counters which run count, observed or not: a host that can observe at
    /// different prices pays for no more than these.
    fn wanted(&self) -> Kinds;

    /// The counters that run and select something nobody observes: their silence means nothing.
    fn unfed(&self) -> CounterSet;

    /// A snapshot of every register.
    fn state(&self) -> Self::State;

    /// Puts a snapshot back, bit for bit.
    ///
    /// # Errors
    /// A snapshot that this unit could never hold (a reserved bit, an absent counter) is
    /// [`Fault::Reserved`] or [`Fault::Absent`]; nothing has changed.
    fn set_state(&self, state: &Self::State) -> Result<(), Fault>;
}
