//! What the families' units in software share: how they count, and how a driver under test accesses them.

use core::cell::Cell;

use super::Msr;
use super::selector::{EDGE, ENABLE, INVERT, KERNEL, USER, threshold};
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet, Event, Flag, Mode, Modes, Request};
use crate::virt::{Decode, Kind, Work};

/// The modes that the units distinguish: those of ring 0 count together.
pub(super) const MODES: Modes = Modes::ALL.and(Modes::HYPERVISOR);

/// A counter, kept as the number of events that it can count before it overflows: the complement of its value.
#[derive(Debug, Default)]
pub(super) struct Counter(Cell<u64>);

impl Counter {
    pub(super) const fn new() -> Self {
        Self(Cell::new(0))
    }

    /// Returns the value of a counter with these bits.
    #[inline(always)]
    pub(super) fn value(&self, mask: u64) -> u64 {
        !self.0.get() & mask
    }

    /// Sets the value, of which the counter takes the bits of `mask`.
    #[inline(always)]
    pub(super) fn set_value(&self, value: u64, mask: u64) {
        self.0.set(!value & mask);
    }

    /// Returns how many events it can count without an overflow.
    #[inline(always)]
    pub(super) fn left(&self) -> u64 {
        self.0.get()
    }

    /// Counts events. Returns false, and changes nothing, if it would overflow.
    #[inline(always)]
    pub(super) fn add(&self, events: u64) -> bool {
        let left = self.0.get().checked_sub(events);
        left.into_iter().for_each(|left| self.0.set(left));
        left.is_some()
    }

    /// Counts events through an overflow.
    #[inline(always)]
    pub(super) fn wrap(&self, events: u64, mask: u64) {
        self.0.set(self.0.get().wrapping_sub(events) & mask);
    }
}

/// A unit whose counters count, overflow and interrupt. A family implements the required functions; the others
/// follow from them.
pub(super) trait Counting: Decode {
    /// Returns a counter that exists.
    fn counter(&self, id: CounterId) -> Option<&Counter>;
    /// Counts events on a counter that overflows by them. Returns false if it is the lower half of a longer one, which
    /// does not.
    fn wrap(&self, id: CounterId, events: u64) -> bool;
    /// Returns how many events a counter can count without an overflow.
    fn left(&self, id: CounterId) -> u64 {
        self.counter(id).map_or(0, Counter::left)
    }
    /// Advances the clock.
    fn tick(&self, cycles: u64);
    /// Records overflows in the status, if there is one.
    fn note(&self, overflowed: CounterSet);
    /// Raises the interrupt of the local APIC.
    fn pull(&self);

    /// Counts `work` on every counter that counts in its mode.
    #[inline]
    fn count(&self, work: &Work) {
        self.tick(work.of(Kind::Cycles));
        self.add_to(self.counting(work.mode()), |id| self.table().events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    /// Adds to each counter what happened.
    #[inline(always)]
    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        for id in counters {
            if !self.add(id, happened(id)) {
                self.overflow(counters.without(CounterSet::first(id.number())), happened);
                return;
            }
        }
    }

    /// Counts events on a counter. Returns false, and changes nothing, if it would overflow.
    #[inline(always)]
    fn add(&self, id: CounterId, events: u64) -> bool {
        self.counter(id).is_none_or(|counter| counter.add(events))
    }

    /// Counts on these counters, of which at least one overflows by it, and carries out the effects.
    #[cold]
    #[inline(never)]
    fn overflow(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let overflows = |id: &CounterId| !self.add(*id, happened(*id)) && self.wrap(*id, happened(*id));
        self.take_overflows(counters.into_iter().filter(overflows).collect());
    }

    /// Carries out the effects of overflows of these counters.
    fn take_overflows(&self, overflowed: CounterSet) {
        self.note(overflowed);
        if !overflowed.and(self.table().interrupting()).is_empty() {
            self.pull();
        }
    }

    /// Returns after how many repetitions of `step` a counter interrupts, or `None` if none will.
    #[inline]
    fn steps_until_overflow(&self, step: &Work) -> Option<u64> {
        let awaited = self.counting(step.mode()).and(self.table().awaited());
        let passes = |id| self.left(id).checked_div(self.table().events(id, step));
        awaited.into_iter().filter_map(passes).min()?.checked_add(1)
    }

    /// Returns after how many events of its own a counter interrupts, or `None` if it will not.
    fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        let interrupting = self.counting(mode).and(self.table().interrupting());
        if interrupting.contains(id) { self.left(id).checked_add(1) } else { None }
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

/// Returns the request for an event with the flags and the threshold of a selector. INV has no meaning without a threshold.
pub(super) fn request_of(event: Event, selector: u64) -> Request {
    let request = Request::new(event).threshold((selector >> 24) as u8);
    let request = if selector & EDGE != 0 { request.flag(Flag::Edge) } else { request };
    let is_inverted = selector & INVERT != 0 && request.threshold != 0;
    if is_inverted { request.flag(Flag::Invert) } else { request }
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

/// Sets the registers of one kind.
pub(super) fn fill<const N: usize>(cells: &[Cell<u64>; N], values: [u64; N]) {
    cells.iter().zip(values).for_each(|(cell, value)| cell.set(value));
}

/// Sets counters with these bits.
pub(super) fn set_values<const N: usize>(counters: &[Counter; N], values: [u64; N], mask: u64) {
    counters.iter().zip(values).for_each(|(counter, value)| counter.set_value(value, mask));
}

/// Writes a numbered register of the real unit, if there is one with the number.
pub(super) fn write<R: Registers<Address = Msr>>(onto: &R, at: Option<Msr>, value: u64) {
    at.into_iter().for_each(|at| onto.write(at, value));
}

/// Implements [`virt::Device`](crate::virt::Device) for a family's `Device<T>`, which counts by [`Counting`],
/// and [`Registers`](crate::driver::Registers) for drivers under test.
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

            virt::counted!();

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

            fn until_overflow(&self, step: &Work) -> Option<u64> {
                self.steps_until_overflow(step)
            }

            fn fingerprint(&self) -> virt::Fingerprint {
                self.fingerprint
            }

            fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
                let state: State = virt::Snapshot::read(snapshot, self.fingerprint)?;
                state.check(&self.limits)?;
                self.put(&state);
                Ok(())
            }
        }

        virt::driven!([$($parameter)*] $device);
    };
}

pub(super) use unit_in_software;
