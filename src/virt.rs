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
//! | a guest reads or changes the host's own counters | a map of the registers that are trapped | `no_register_of_any_unit_is_open_to_a_guest` |
//! | a guest finds units of the host that the device is not | hides them | `units_that_only_the_processor_underneath_has_are_hidden` |
//! | the same on Arm, in the ID registers | hides them | `units_that_the_device_is_not_are_hidden_from_an_arm_guest` |
//! | a guest is told of more than the host has | announces what both have | `within_a_host_nothing_is_announced_that_the_host_does_not_have` |
//! | the same on Intel | likewise | `within_an_intel_host_nothing_is_announced_that_the_host_or_the_identity_does_not_have` |
//! | the same on AMD | likewise | `within_an_amd_host_nothing_is_announced_that_the_host_or_the_identity_does_not_have` |
//! | a guest that is to have no unit uses the host's | every register of a unit faults | `a_guest_without_a_unit_is_told_of_none_and_every_register_of_one_faults` |
//! | a guest counts what its host does not want it to | a [filter](Filter): it counts nothing, and the host is told | `an_event_that_is_denied_counts_nothing_and_the_others_do` |
//! | a guest that is fed from the host's counters counts the host's work | sessions that run from entry to exit | `whatever_the_guest_counts_passes_through_and_the_hosts_own_work_does_not` |
//! | a guest whose counters are the real unit's counts the host's work, or sees the host's counts | the counters are halted at each exit and limited to guests, and the registers are the device's | `whatever_an_intel_guest_does_its_counters_in_the_real_unit_count_what_a_fed_one_counts` |
//! | the same on AMD | likewise | `whatever_an_amd_guest_does_its_counters_in_the_real_unit_count_what_a_fed_one_counts` |
//! | the same on Arm | likewise | `whatever_an_arm_guest_does_its_counters_in_the_real_unit_count_what_a_fed_one_counts` |
//! | a guest asks in its selections for the work of EL2, EL3 or other threads | left out of the real unit's selections | `a_guest_that_asks_for_the_work_of_others_counts_its_own_in_the_real_unit` |
//! | a guest that is passed through is told of more than the real unit has | an error | `a_unit_that_cannot_be_passed_through_is_refused` |
//! | a guest interrupts at every event | a [limit](RateLimit) postpones its interrupts | `a_guest_that_wants_an_interrupt_for_every_event_is_held_to_the_rate` |
//! | it stops its host at every event | a least number of steps to each stop | `ten_million_operations_on_every_x86_unit_stay_within_the_rate` |
//! | the same by counters of the real unit | an overflow interrupts once for each write of the counter, which is an exit | `a_guest_stops_its_host_once_for_each_write_of_a_counter_and_is_held_to_the_rate_itself` |
//! | a snapshot has contents that the unit cannot have | refuses it, and nothing has changed | `bytes_that_were_changed_are_refused_or_are_a_snapshot_that_the_unit_could_have_made` |
//! | a snapshot is cut off | refuses it | `every_part_of_a_snapshot_is_refused` |
//! | a guest brings its unit into a state from which it cannot move to another host | never has such a state | `whatever_a_guest_leaves_for_its_unit_goes_on_in_a_state_that_it_can_have` |
//! | a guest wakes up on another unit than it was told of | refuses the snapshot | `only_a_unit_of_the_same_identity_takes_a_snapshot` |

mod by_event;
mod delegate;
mod feeder;
mod filter;
mod line;
mod mediated;
mod pass_through;
mod rate;
mod snapshot;
mod strict;
mod table;
mod top_bit;
mod words;
mod work;

use core::fmt;

use crate::event::{CounterId, CounterSet, Mode};
pub(crate) use by_event::ByEvent;
pub(crate) use delegate::{counted, driven, recorded};
pub use feeder::Feeder;
pub use filter::{Filter, Rule};
pub use line::Delivery;
pub(crate) use line::Line;
pub use mediated::Mediated;
pub use pass_through::PassThrough;
pub use rate::RateLimit;
pub use snapshot::{Contents, Family, Fingerprint, RestoreError, Snapshot};
pub(crate) use strict::forbid;
pub use strict::{Discipline, Strict};
pub use table::Selection;
pub(crate) use table::{Decode, Selected, Table, put};
pub(crate) use top_bit::{Place, TopBit};
pub use words::Words;
pub(crate) use words::words;
pub(crate) use work::Source;
pub use work::{Kind, Kinds, Observed, Work};

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
    /// The access is not allowed in the current mode. Hardware would trap it to this mode, which decides about it.
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

/// Checks that a register with these bits can hold this value. A register that does not exist holds 0.
pub(crate) fn check_fit(bits: Option<u64>, value: u64) -> Result<(), Fault> {
    match bits {
        _ if value == 0 => Ok(()),
        None => Err(Fault::Absent),
        Some(bits) if value & !bits == 0 => Ok(()),
        Some(_) => Err(Fault::Reserved),
    }
}

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

    /// Returns after how many repetitions of `step` an overflow interrupts, or `None` if none will. A line that is high
    /// already does not interrupt again until it has fallen.
    fn until_overflow(&self, step: &Work) -> Option<u64>;

    /// Returns the kinds that running counters count, whether observed or not. The host need not observe any
    /// others. A counter of an event that is no kind of work is among [`unfed`](Self::unfed).
    fn wanted(&self) -> Kinds;

    /// Returns the running counters whose events the host does not observe. If the host does not tell modes apart
    /// ([`Observed`]), they include the counters that count in some modes only. Their values mean nothing unless the host
    /// feeds them by [`feed`](Self::feed).
    fn unfed(&self) -> CounterSet;

    /// Returns the counters that would run if the host let the guest count their events ([`Filter`]). They keep their
    /// values and do not interrupt. The guest reads in its registers what it wrote.
    fn withheld(&self) -> CounterSet;

    /// From now on, the guest counts only what passes this filter. Report its work first. A counter that is denied keeps its
    /// value, and counts again once a filter allows it.
    fn set_filter(&self, filter: Filter);

    /// Returns what a counter selects, or `None` if the unit has no such counter.
    fn selection(&self, counter: CounterId) -> Option<Selection>;

    /// Counts `events` events on one counter, if it counts in this mode now, with all effects of an overflow.
    ///
    /// Call this for counters of [`unfed`](Self::unfed) only: [`advance`](Self::advance) feeds the others, which would then
    /// count the same events twice.
    fn feed(&self, counter: CounterId, mode: Mode, events: u64);

    /// Like [`until_overflow`](Self::until_overflow), for one counter: returns after how many of its events, counted in this
    /// mode, to stop the guest for an effect of its overflow, or `None` if it has none.
    fn until_overflow_of(&self, counter: CounterId, mode: Mode) -> Option<u64>;

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
    /// An interrupt that the trigger was called for is the interrupt controller's, and not in the snapshot: the host stores
    /// it with that, or delivers it first. What this host observes may differ from what the other did: see
    /// [`unfed`](Self::unfed) afterwards.
    ///
    /// # Errors
    /// Returns the [`RestoreError`] if the bytes are not a whole snapshot of a unit with this [`fingerprint`], or if
    /// the unit cannot have these contents (a reserved bit, a missing counter). Nothing has changed then.
    ///
    /// [`fingerprint`]: Self::fingerprint
    fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError>;
}
