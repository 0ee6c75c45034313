//! Which of AMD's counters count, what they count, and how far: what [`Counting`] is built on.

use super::{Device, Select, Svm, index};
use crate::arch::x86::device::{self, Counter, Counting};
use crate::event::{CounterId, CounterSet, Event, Mode, Modes, Request};
use crate::virt::{Decode, Selected, Source, Table, Trigger};

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.limits.counters()
    }

    /// The upper half of a merged pair counts nothing by itself.
    fn decode(&self, id: CounterId) -> Selected {
        let select = self.select(index(id));
        let is_on = counts_in(select, self.svm.get()) && self.lower_half(index(id)).is_none();
        Selected {
            modes: if is_on { device::modes(select.bits()) } else { Modes::NONE },
            source: Source::of_known(self.feed.kind(id, select)),
            interrupts: select.contains(Select::INTERRUPT),
        }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        let all = self.limits.counters();
        if self.limits.has_global() { all.and(CounterSet::from_bits(self.control.get())) } else { all }
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.select(index(id)).bits()
    }

    /// A counter that is limited to a side of SVM, or merged, says more than a request.
    fn request(&self, id: CounterId) -> Option<Request> {
        let select = self.select(index(id));
        let is_more = select.intersects(Select::GUEST_ONLY | Select::HOST_ONLY) || self.is_merged(index(id));
        (!is_more).then(|| device::request_of(Event::raw(select.code()), select.bits()))
    }
}

impl<T: Trigger> Counting for Device<T> {
    #[inline(always)]
    fn counter(&self, id: CounterId) -> Option<&Counter> {
        self.counters.get(index(id))
    }

    /// The upper half that is merged with a counter takes what it carries.
    fn wrap(&self, id: CounterId, events: u64) -> bool {
        let number = index(id);
        if !self.is_merged(number) {
            self.counters.get(number).into_iter().for_each(|counter| counter.wrap(events, self.limits.mask()));
            return true;
        }
        let (after, overflows) = self.read_number(number).overflowing_add(events);
        self.set_own(number, after);
        self.set_own(number + 1, after >> 48);
        overflows
    }

    #[inline(always)]
    fn left(&self, id: CounterId) -> u64 {
        let left = |number: usize| self.counters.get(number).map_or(0, Counter::left);
        match self.merged.get().contains(id) {
            true => left(index(id)) | left(index(id) + 1) << 48,
            false => left(index(id)),
        }
    }

    #[inline(always)]
    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    fn note(&self, overflowed: CounterSet) {
        if self.limits.has_global() {
            self.status.set(self.status.get() | overflowed.bits());
        }
    }

    fn pull(&self) {
        self.line.interrupt();
    }
}

/// Returns true if a counter with this selector counts on this side of SVM. A selector that is limited to a side,
/// or even to both, counts nothing while SVM is off (APM vol. 2, "Performance Monitoring Counters", table
/// "Host/Guest Only Bits": the condition of each is EFER.SVME = 1).
fn counts_in(select: Select, svm: Svm) -> bool {
    let (guest, host) = (select.contains(Select::GUEST_ONLY), select.contains(Select::HOST_ONLY));
    match svm {
        Svm::Off => !guest && !host,
        Svm::Host => host || !guest,
        Svm::Guest => guest || !host,
    }
}
