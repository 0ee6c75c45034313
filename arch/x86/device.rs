//! What the families' units in software share: how they count, and how a driver under test
//! reaches them.

use core::cell::Cell;

use super::selector::{EDGE, ENABLE, INVERT, KERNEL, USER, threshold};
use crate::counter::{CounterId, CounterSet};
use crate::event::Modes;
use crate::virt::{Fault, Kind, Kinds, Work};

/// A unit whose counters count, overflow, and interrupt; what a family says of them is required,
/// what follows from it is provided.
pub(super) trait Counting {
    /// The counters that are there, and that what controls all of them lets count.
    fn enabled(&self) -> CounterSet;
    /// The modes in which a counter counts, once it is enabled.
    fn modes(&self, id: CounterId) -> Modes;
    /// What a counter counts; `None` if no work says so.
    fn kind(&self, id: CounterId) -> Option<Kind>;
    /// Does the host observe this?
    fn observes(&self, kind: Kind) -> bool;
    /// Does its overflow interrupt?
    fn interrupts(&self, id: CounterId) -> bool;
    /// What it holds.
    fn value(&self, id: CounterId) -> u64;
    /// Makes it hold this, of which it takes as much as it has bits for.
    fn set_value(&self, id: CounterId, value: u64);
    /// The highest value that it can hold.
    fn reach(&self, id: CounterId) -> u64;
    /// So many cycles have passed.
    fn tick(&self, cycles: u64);
    /// Notes overflows in the status, if there is one.
    fn note(&self, overflowed: CounterSet);
    /// Pulls the line to the local APIC.
    fn pull(&self);

    /// The counters that count in some mode.
    #[inline]
    fn running(&self) -> CounterSet {
        self.enabled().into_iter().filter(|&id| self.modes(id) != Modes::NONE).collect()
    }

    /// Counts `work` on every counter that runs.
    #[inline]
    fn count(&self, work: &Work) {
        self.tick(work.of(Kind::Cycles));
        let overflowed: CounterSet = self.running().into_iter().filter(|&id| self.count_one(id, work)).collect();
        if overflowed.is_empty() {
            return;
        }
        self.note(overflowed);
        if overflowed.into_iter().any(|id| self.interrupts(id)) {
            self.pull();
        }
    }

    /// Counts what one counter sees of `work`; did it overflow?
    #[inline]
    fn count_one(&self, id: CounterId, work: &Work) -> bool {
        let (before, events) = (self.value(id), self.events(id, work));
        self.set_value(id, before.wrapping_add(events));
        events > self.reach(id) - before
    }

    /// How many events a running counter sees in `work`.
    #[inline]
    fn events(&self, id: CounterId, work: &Work) -> u64 {
        match self.kind(id) {
            Some(kind) if self.modes(id).contains(work.mode()) => work.of(kind),
            _ => 0,
        }
    }

    /// How many steps of `step` until a counter interrupts; `None` if none will.
    #[inline]
    fn steps_until_overflow(&self, step: &Work) -> Option<u64> {
        let interrupting = self.running().into_iter().filter(|&id| self.interrupts(id));
        interrupting.filter_map(|id| self.steps(id, step)).min()
    }

    /// How many steps of `step` until this counter overflows; `None` if it sees nothing of them.
    #[inline]
    fn steps(&self, id: CounterId, step: &Work) -> Option<u64> {
        let left = self.reach(id) - self.value(id);
        left.checked_div(self.events(id, step))?.checked_add(1)
    }

    /// What the counters that run count.
    #[inline]
    fn kinds(&self) -> Kinds {
        self.running().into_iter().filter_map(|id| self.kind(id)).fold(Kinds::NONE, Kinds::with)
    }

    /// The counters that run on something that the host does not observe.
    #[inline]
    fn silent(&self) -> CounterSet {
        let is_fed = |id: CounterId| self.kind(id).is_some_and(|kind| self.observes(kind));
        self.running().into_iter().filter(|&id| !is_fed(id)).collect()
    }
}

/// Does the selector count each event once? A cycle has one cycle in it, so that a threshold of 1
/// changes nothing there; INV says nothing where there is no threshold.
pub(super) fn is_plain(selector: u64, kind: Kind) -> bool {
    let is_cycle = matches!(kind, Kind::Cycles | Kind::ReferenceCycles);
    let (edge, inverted) = (selector & EDGE != 0, selector & INVERT != 0);
    match selector & threshold(0xFF) {
        0 => !edge,
        least if least == threshold(1) && is_cycle => !edge && !inverted,
        _ => false,
    }
}

/// The modes in which a counter with this selector counts.
pub(super) fn modes(selector: u64) -> Modes {
    if selector & ENABLE == 0 { Modes::NONE } else { modes_of(selector & USER != 0, selector & KERNEL != 0) }
}

/// The modes of a counter that counts outside ring 0, or in it. Both kinds of supervisor run in ring
/// 0, and no unit tells them apart.
pub(super) fn modes_of(user: bool, kernel: bool) -> Modes {
    let ring_0 = Modes::KERNEL.and(Modes::HYPERVISOR);
    match (user, kernel) {
        (false, false) => Modes::NONE,
        (true, false) => Modes::USER,
        (false, true) => ring_0,
        (true, true) => Modes::USER.and(ring_0),
    }
}

/// Can a register with these bits hold this value? One that is not there holds 0.
pub(super) fn check_fit(bits: Option<u64>, value: u64) -> Result<(), Fault> {
    match bits {
        _ if value == 0 => Ok(()),
        None => Err(Fault::Absent),
        Some(bits) if value & !bits == 0 => Ok(()),
        Some(_) => Err(Fault::Reserved),
    }
}

/// Puts values into registers of one kind.
pub(super) fn fill<const N: usize>(cells: &[Cell<u64>; N], values: [u64; N]) {
    cells.iter().zip(values).for_each(|(cell, value)| cell.set(value));
}

/// Makes a family's `Device<T>` a [`virt::Device`](crate::virt::Device) that counts as [`Counting`]
/// has it, and a set of [`Registers`](crate::Registers) for drivers under test.
///
/// The family says what its registers do: `read_register`, `write_register`, `read_index`; and what
/// they hold: `snapshot`, `put`, and `State::check` against its `limits`. It keeps its time in `ticks`.
macro_rules! unit_in_software {
    ($device:ident) => {
        impl<T: Trigger> virt::Device for $device<T> {
            type Address = Msr;
            type Index = Index;
            type State = State;

            #[inline]
            fn try_read(&self, at: Msr) -> Result<u64, Fault> {
                self.read_register(at)
            }

            #[inline]
            fn try_write(&self, at: Msr, value: u64) -> Result<(), Fault> {
                self.write_register(at, value)
            }

            #[inline]
            fn try_read_counter(&self, at: Index) -> Result<u64, Fault> {
                self.read_index(at)
            }

            fn advance(&self, work: &Work) {
                self.count(work);
            }

            fn until_overflow(&self, step: &Work) -> Option<u64> {
                self.steps_until_overflow(step)
            }

            fn wanted(&self) -> Kinds {
                self.kinds()
            }

            fn unfed(&self) -> CounterSet {
                self.silent()
            }

            fn state(&self) -> State {
                self.snapshot()
            }

            fn set_state(&self, state: &State) -> Result<(), Fault> {
                state.check(&self.limits)?;
                self.put(state);
                Ok(())
            }
        }

        /// For drivers under test, whose accesses never fault: one that does is a mistake of the driver.
        impl<T: Trigger> Registers for $device<T> {
            type Address = Msr;
            type Index = Index;

            fn read(&self, at: Msr) -> u64 {
                self.read_register(at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
            }

            fn write(&self, at: Msr, value: u64) {
                self.write_register(at, value).unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
            }

            fn read_counter(&self, index: Index) -> u64 {
                self.read_index(index).unwrap_or_else(|fault| panic!("reading counter {index:?}: {fault}"))
            }

            fn ticks(&self) -> u64 {
                self.ticks.get()
            }
        }

        impl<T: Trigger> fmt::Debug for $device<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("Device").field(&self.snapshot()).finish()
            }
        }
    };
}

pub(super) use unit_in_software;
