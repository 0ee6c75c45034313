//! Units in software, for tests and for hypervisors.
//!
//! A [`Device`] models a family's unit register by register: it has the semantics and the faults of the manual.
//! The host tells it what the processor has done, as [`Work`]: numbers of instructions, cycles and branches in one
//! mode. The device reports an overflow through a [`Trigger`].
//!
//! # Threat model
//!
//! A guest chooses every address, every value, and the order of its accesses. Whoever brings a snapshot chooses its bytes.
//! A device uses a bounded number of steps for each access, and has no access to the host's unit.
//!
//! | threat | what the device does | the test |
//! |---|---|---|
//! | an access makes the host panic, stores a reserved bit, or faults where hardware would not | what the manual says, for every address and value | `a_million_random_accesses_do_what_the_manual_allows` |
//! | a trapped instruction is not one that the host knows | says that it is none of the unit's | `a_host_survives_any_syndrome_and_any_work` |
//! | an access that is refused changes something | nothing has changed | `a_refused_access_leaves_everything_as_it_was_and_says_who_has_to_hear_of_it` |
//! | a user program uses the unit that its kernel has not lent | decides by the level of the access | `user_programs_can_do_nothing_until_they_are_let` |
//! | a user program reads counters through a register that selects one | shows what the kernel has lent | `a_user_program_leaks_nothing_through_the_selector` |
//! | a guest finds units of the host that the device is not | hides them | `units_that_only_the_processor_underneath_has_are_hidden` |
//! | a snapshot has contents that the unit cannot have | refuses it, and nothing has changed | `bytes_that_were_changed_are_refused_or_are_a_snapshot_that_the_unit_could_have_made` |
//! | a snapshot is cut off | refuses it | `every_part_of_a_snapshot_is_refused` |
//! | a guest wakes up on another unit than it was told of | refuses the snapshot | `only_a_unit_of_the_same_identity_takes_a_snapshot` |
//!
//! A device does not limit how often a guest's counters interrupt. A host that stops the guest at each overflow chooses how
//! often it does.

mod line;
mod snapshot;
mod strict;

use core::fmt;

use crate::event::{CounterSet, Mode};
pub use line::Delivery;
pub(crate) use line::Line;
pub(crate) use snapshot::words;
pub use snapshot::{Contents, Family, Fingerprint, RestoreError, Snapshot, Words};
pub use strict::{Breach, Discipline, Strict};

/// The overflow interrupt of a device: how it reaches the guest.
pub trait Trigger {
    /// Called when a counter overflows whose interrupt is enabled.
    ///
    /// MUST return soon, and MUST NOT call the device.
    fn interrupt(&self);

    /// Called when no reason for an interrupt is left.
    ///
    /// Only units with a level-triggered interrupt call this, after an [`interrupt`](Self::interrupt). MUST return
    /// soon, and MUST NOT call the device.
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

/// A trigger that does nothing, for units that only count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unconnected;

impl Trigger for Unconnected {
    fn interrupt(&self) {}
}

/// Something a processor does that counters can count.
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
    /// Data references that cross the boundary that the processor's manual defines.
    MisalignedReferences,
    /// References to the last-level cache.
    CacheReferences,
    /// Misses in the last-level cache.
    CacheMisses,
    /// Issue slots of the top-down method that could have been filled.
    Slots,
}

impl Kind {
    /// The number of kinds.
    pub const COUNT: usize = 12;

    /// All kinds, in the order of [`Work`]'s table.
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

/// A set of kinds: those that the host of a device can observe.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Kinds(u64);

impl Kinds {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The kinds that a clock which ticks once an instruction can count.
    pub const CLOCK: Self = Self::NONE.with(Kind::Instructions).with(Kind::Cycles).with(Kind::ReferenceCycles);

    /// Returns the set with this kind added.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Returns the set with this kind removed.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self(self.0 & !(1 << kind as u8))
    }

    /// Returns the kinds that are in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if the set has this kind.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns true if the sets have a kind in common.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What the processor has done since the last report, in one mode: counts by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    mode: Mode,
    counts: [u64; Kind::COUNT],
}

impl Work {
    /// Creates a report of nothing, in this mode.
    #[must_use]
    pub const fn none(mode: Mode) -> Self {
        Self { mode, counts: [0; Kind::COUNT] }
    }

    /// Creates a report of `n` instructions, each of which takes one cycle of either clock.
    #[must_use]
    pub const fn instructions(mode: Mode, n: u64) -> Self {
        Self::none(mode).with(Kind::Instructions, n).with(Kind::Cycles, n).with(Kind::ReferenceCycles, n)
    }

    /// Sets the count of a kind.
    #[must_use]
    pub const fn with(mut self, kind: Kind, count: u64) -> Self {
        self.counts[kind as usize] = count;
        self
    }

    /// Returns the mode.
    #[inline(always)]
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the count of a kind.
    #[inline(always)]
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u64 {
        self.counts[kind as usize]
    }
}

/// The reason why a unit refuses an access, as hardware would. The host raises the guest's exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The unit has no such register.
    Absent,
    /// The value sets reserved bits of this register.
    Reserved,
    /// The register cannot be written.
    ReadOnly,
    /// The register cannot be read.
    WriteOnly,
    /// This mode may not make the access. A higher one, whose trap hardware would take, decides about it.
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
/// It is used from one place at a time, such as the loop of a virtual CPU. Its functions take `&self`, so
/// that a driver and its test can both hold it.
pub trait Device {
    /// The address of a register.
    type Address: Copy;
    /// The number of a counter for the fast read.
    type Index: Copy;
    /// The contents of all registers, as plain data.
    type State: Contents;

    /// Reads a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::WriteOnly`] or [`Fault::Trapped`]. Nothing has changed then.
    fn try_read(&self, at: Self::Address) -> Result<u64, Fault>;

    /// Writes a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::Reserved`], [`Fault::ReadOnly`] or [`Fault::Trapped`]. Nothing has changed
    /// then.
    fn try_write(&self, at: Self::Address, value: u64) -> Result<(), Fault>;

    /// Reads a counter by the fast path.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`]. Nothing has changed then.
    fn try_read_counter(&self, index: Self::Index) -> Result<u64, Fault>;

    /// Counts what the processor has done, and calls the trigger if a counter overflows.
    fn advance(&self, work: &Work);

    /// Returns after how many repetitions of `step` an overflow interrupts, or `None` if none will.
    fn until_overflow(&self, step: &Work) -> Option<u64>;

    /// Returns the kinds that running counters count, whether observed or not. The host need not observe any
    /// others.
    fn wanted(&self) -> Kinds;

    /// Returns the counters that run and count something that is not observed. Their values mean nothing.
    fn unfed(&self) -> CounterSet;

    /// Returns the contents of all registers, to look at.
    fn state(&self) -> Self::State;

    /// Returns the fingerprint of what the guest is told of the unit.
    fn fingerprint(&self) -> Fingerprint;

    /// Returns the contents of all registers as bytes, for a guest that is stored or moves to another host.
    fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.fingerprint(), &self.state())
    }

    /// Restores the contents of all registers from the bytes of a snapshot, from whatever host. The snapshot may be of an
    /// older version of this crate.
    ///
    /// # Errors
    /// Returns the [`RestoreError`] if the bytes are not a whole snapshot of a unit with this [`fingerprint`], or if
    /// the unit cannot have these contents (a reserved bit, a missing counter). Nothing has changed then.
    ///
    /// [`fingerprint`]: Self::fingerprint
    fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError>;
}
