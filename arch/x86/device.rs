//! What the families' units in software share: how they count, and how a driver under test accesses them.

use core::cell::Cell;

use super::selector::{EDGE, ENABLE, INVERT, KERNEL, USER, threshold};
use crate::event::{CounterId, CounterSet, Modes};
use crate::virt::{Fault, Kind, Kinds, Work};

/// A unit whose counters count, overflow and interrupt. A family implements the required functions; the others
/// follow from them.
pub(super) trait Counting {
    /// Returns the counters that exist and are enabled globally.
    fn enabled(&self) -> CounterSet;
    /// Returns the modes in which a counter counts when it is enabled.
    fn modes(&self, id: CounterId) -> Modes;
    /// Returns what a counter counts, or `None` if it is not a kind of work.
    fn kind(&self, id: CounterId) -> Option<Kind>;
    /// Returns true if the host observes this kind.
    fn observes(&self, kind: Kind) -> bool;
    /// Returns true if the overflow of a counter interrupts.
    fn interrupts(&self, id: CounterId) -> bool;
    /// Returns the value of a counter.
    fn value(&self, id: CounterId) -> u64;
    /// Sets a counter to a value, of which it takes as many bits as it has.
    fn set_value(&self, id: CounterId, value: u64);
    /// Returns the highest value that a counter can have.
    fn reach(&self, id: CounterId) -> u64;
    /// Advances the clock.
    fn tick(&self, cycles: u64);
    /// Records overflows in the status, if there is one.
    fn note(&self, overflowed: CounterSet);
    /// Raises the interrupt of the local APIC.
    fn pull(&self);

    /// Returns the counters that count in some mode.
    #[inline]
    fn running(&self) -> CounterSet {
        self.enabled().into_iter().filter(|&id| self.modes(id) != Modes::NONE).collect()
    }

    /// Counts `work` on every running counter.
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

    /// Counts `work` on one counter. Returns true if it overflows.
    #[inline]
    fn count_one(&self, id: CounterId, work: &Work) -> bool {
        let (before, events) = (self.value(id), self.events(id, work));
        self.set_value(id, before.wrapping_add(events));
        events > self.reach(id) - before
    }

    /// Returns how many events of `work` a running counter counts.
    #[inline]
    fn events(&self, id: CounterId, work: &Work) -> u64 {
        match self.kind(id) {
            Some(kind) if self.modes(id).contains(work.mode()) => work.of(kind),
            _ => 0,
        }
    }

    /// Returns after how many repetitions of `step` a counter interrupts, or `None` if none will.
    #[inline]
    fn steps_until_overflow(&self, step: &Work) -> Option<u64> {
        let interrupting = self.running().into_iter().filter(|&id| self.interrupts(id));
        interrupting.filter_map(|id| self.steps(id, step)).min()
    }

    /// Returns after how many repetitions of `step` this counter overflows, or `None` if it counts none of them.
    #[inline]
    fn steps(&self, id: CounterId, step: &Work) -> Option<u64> {
        let left = self.reach(id) - self.value(id);
        left.checked_div(self.events(id, step))?.checked_add(1)
    }

    /// Returns the kinds that running counters count.
    #[inline]
    fn kinds(&self) -> Kinds {
        self.running().into_iter().filter_map(|id| self.kind(id)).fold(Kinds::NONE, Kinds::with)
    }

    /// Returns the running counters of kinds that the host does not observe.
    #[inline]
    fn silent(&self) -> CounterSet {
        let is_fed = |id: CounterId| self.kind(id).is_some_and(|kind| self.observes(kind));
        self.running().into_iter().filter(|&id| !is_fed(id)).collect()
    }
}

/// Returns true if the selector counts each event once. A cycle contains one cycle, so that a threshold of 1
/// changes nothing for cycles. INV has no meaning without a threshold.
pub(super) fn is_plain(selector: u64, kind: Kind) -> bool {
    let is_cycle = matches!(kind, Kind::Cycles | Kind::ReferenceCycles);
    let (edge, inverted) = (selector & EDGE != 0, selector & INVERT != 0);
    match selector & threshold(0xFF) {
        0 => !edge,
        least if least == threshold(1) && is_cycle => !edge && !inverted,
        _ => false,
    }
}

/// Returns the modes in which a counter with this selector counts.
pub(super) fn modes(selector: u64) -> Modes {
    if selector & ENABLE == 0 { Modes::NONE } else { modes_of(selector & USER != 0, selector & KERNEL != 0) }
}

/// Returns the modes of a counter that counts outside ring 0 or in it. Kernel and hypervisor both run in ring 0,
/// and no unit distinguishes them.
pub(super) fn modes_of(user: bool, kernel: bool) -> Modes {
    let ring_0 = Modes::KERNEL.and(Modes::HYPERVISOR);
    match (user, kernel) {
        (false, false) => Modes::NONE,
        (true, false) => Modes::USER,
        (false, true) => ring_0,
        (true, true) => Modes::USER.and(ring_0),
    }
}

/// Checks that a register with these bits can hold this value. A register that does not exist holds 0.
pub(super) fn check_fit(bits: Option<u64>, value: u64) -> Result<(), Fault> {
    match bits {
        _ if value == 0 => Ok(()),
        None => Err(Fault::Absent),
        Some(bits) if value & !bits == 0 => Ok(()),
        Some(_) => Err(Fault::Reserved),
    }
}

/// Sets the registers of one kind.
pub(super) fn fill<const N: usize>(cells: &[Cell<u64>; N], values: [u64; N]) {
    cells.iter().zip(values).for_each(|(cell, value)| cell.set(value));
}

/// Implements [`virt::Device`](crate::virt::Device) for a family's `Device<T>`, which counts by [`Counting`],
/// and [`Registers`](crate::Registers) for drivers under test.
///
/// The family says what its registers do: `read_register`, `write_register`, `read_index`; and what
/// they hold: `contents`, `put`, and `State::check` against its `limits`. It keeps its time in `ticks`, and in `told`
/// what its guest is told.
///
/// A unit without an overflow interrupt has no trigger: its type has no parameter.
macro_rules! unit_in_software {
    ($device:ident) => {
        unit_in_software! { [T: Trigger] $device<T> }
    };
    ([$($parameter:tt)*] $device:ty) => {
        impl<$($parameter)*> virt::Device for $device {
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
                self.contents()
            }

            fn fingerprint(&self) -> virt::Fingerprint {
                self.told
            }

            fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
                let state: State = virt::Snapshot::read(snapshot, self.told)?;
                state.check(&self.limits)?;
                self.put(&state);
                Ok(())
            }
        }

        /// For drivers under test, whose accesses never fault: one that does is a mistake of the driver.
        impl<$($parameter)*> Registers for $device {
            type Address = Msr;
            type Index = Index;
            type Kernel = OneCpu;

            fn kernel(&self) -> OneCpu {
                OneCpu
            }

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

            fn mask(&self) -> Masked {
                self.line.mask()
            }

            fn unmask(&self, before: Masked) {
                self.line.unmask(before);
            }
        }

        impl<$($parameter)*> fmt::Debug for $device {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("Device").field(&self.contents()).finish()
            }
        }
    };
}

pub(super) use unit_in_software;
