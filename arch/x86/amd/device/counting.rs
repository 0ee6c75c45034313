//! Which of AMD's counters count, what they count, and how far: what [`Counting`] is built on.

use super::{Device, Select, Svm, index};
use crate::arch::x86::device::{self, Counting};
use crate::event::{CounterId, CounterSet, Modes};
use crate::virt::{Kind, Trigger};

impl<T: Trigger> Counting for Device<T> {
    fn enabled(&self) -> CounterSet {
        let all = self.limits.counters();
        if self.limits.has_global() { all.and(CounterSet::from_bits(self.control.get())) } else { all }
    }

    /// The upper half of a merged pair counts nothing by itself.
    fn modes(&self, id: CounterId) -> Modes {
        let select = self.select(index(id));
        let is_on = counts_in(select, self.svm.get()) && self.lower_half(index(id)).is_none();
        if is_on { device::modes(select.bits()) } else { Modes::NONE }
    }

    fn kind(&self, id: CounterId) -> Option<Kind> {
        self.feed.kind(id, self.select(index(id)))
    }

    fn observes(&self, kind: Kind) -> bool {
        self.feed.observes(kind)
    }

    fn interrupts(&self, id: CounterId) -> bool {
        self.select(index(id)).contains(Select::INTERRUPT)
    }

    fn value(&self, id: CounterId) -> u64 {
        self.read_number(index(id))
    }

    /// Sets a counter, and the upper half that is merged with it.
    fn set_value(&self, id: CounterId, value: u64) {
        let number = index(id);
        self.upper_half(number).into_iter().for_each(|upper| upper.set(value >> 48));
        self.counters.get(number).into_iter().for_each(|own| own.set(value & self.limits.mask()));
    }

    fn reach(&self, id: CounterId) -> u64 {
        if self.is_merged(index(id)) { u64::MAX } else { self.limits.mask() }
    }

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
