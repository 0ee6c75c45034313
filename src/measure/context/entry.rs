//! One request of a thread: where it counts, what it has counted, and what is left of its period.

use crate::contract::{Counter, Driver, Slot};
use crate::event::{CounterId, Remaining, Request, Width};
use crate::measure::open::period_of;
use crate::sample::{Label, SessionId};
use crate::unit::Pmu;

/// What is known of a request while its thread is switched out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) count: u64,
    /// What is left of its period; 0 if it only counts.
    left: u64,
}

/// The counter that a request is placed on, and how it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<H> {
    /// The counter's [`Width::longest`]: as a [`Width`] it would take a word more.
    longest: u64,
    counter: CounterId,
    handle: H,
}

impl<H: Copy> Place<H> {
    /// Of the request in this slot.
    pub(super) fn of<D: Driver<Handle = H>>(driver: &D, slot: &Slot) -> Self {
        let Counter { handle, width, .. } = driver.counter(slot);
        debug_assert_eq!(width.flip() != 0, D::WRAPS, "all counters of a unit overflow alike");
        Self { longest: width.longest(), counter: slot.counter, handle }
    }

    #[inline(always)]
    const fn width<D: Driver<Handle = H>>(&self) -> Width {
        Width::of(self.longest, D::WRAPS)
    }

    /// Returns the count. An interrupt may change the account meanwhile.
    #[inline(always)]
    pub(super) fn count<D: Driver<Handle = H>>(&self, pmu: Pmu<'_, D>) -> u64 {
        let base = pmu.shared.counting.base(self.counter).get();
        base.wrapping_add(self.width::<D>().position(pmu.driver.read(self.handle)))
    }
}

impl Entry {
    /// Of no request.
    pub(super) const NOTHING: Self = Self { count: 0, left: 0 };

    /// A count that begins where the request has it begin, with a whole period.
    pub(super) fn beginning(request: &Request) -> Self {
        Self { count: request.preset, left: period_of(request) }
    }

    /// Replaces what is left by a whole new period, if a whole old period is left.
    pub(super) fn change_period(&mut self, old: &Request, new: &Request) {
        if self.left == period_of(old) {
            self.left = period_of(new);
        }
    }

    /// Gives the request its counter, with its count, if it only counts. Otherwise does nothing, and returns what is left of
    /// its period.
    #[inline(always)]
    pub(super) fn bring<D: Driver>(&self, pmu: Pmu<'_, D>, place: &Place<D::Handle>) -> u64 {
        if self.left == 0 {
            pmu.go_on(place.counter, place.width::<D>(), self.count);
        }
        self.left
    }

    /// Gives a request with a period its counter, with its count and what was left of the period. Its samples name the
    /// session and the thread.
    pub(super) fn bring_sampling<D: Driver>(
        &self,
        pmu: Pmu<'_, D>,
        place: &Place<D::Handle>,
        request: &Request,
        (session, thread): (SessionId, u32),
    ) {
        let label = Label::new(place.counter, session).doing(request.sampling).of_thread(thread);
        pmu.sample(place.counter, period_of(request), label);
        pmu.put(place.counter, place.width::<D>(), self.count, Remaining::events(self.left));
    }

    /// Takes the count and what is left of the period from its counter, which is stopped. Returns a negative number if the
    /// counter may have overflowed, or its period has ended or was doubled; then [`Entry::take_settled`] takes them once
    /// that is accounted for.
    #[inline(always)]
    pub(super) fn take<D: Driver>(&mut self, pmu: Pmu<'_, D>, place: &Place<D::Handle>) -> i64 {
        let (count, room) = pmu.collect_quiet(place.counter, place.handle, place.width::<D>());
        self.count = count;
        let left = if self.left == 0 { room } else { self.take_left(pmu, place.counter, room) };
        left.min(room).wrapping_sub_unsigned(D::EARLY + 1)
    }

    /// Takes what is left of the period from a counter that has `room` before its overflow. Returns it, or a negative number
    /// if the period was doubled.
    fn take_left<D: Driver>(&mut self, pmu: Pmu<'_, D>, counter: CounterId, room: i64) -> i64 {
        let left = room.wrapping_sub(pmu.shared.counting.excess(counter));
        self.left = left.cast_unsigned();
        if pmu.throttled_among(counter.only()).is_empty() { left } else { -1 }
    }

    /// Takes the count and what is left of the period from its counter, which is stopped and settled.
    pub(super) fn take_settled<D: Driver>(&mut self, pmu: Pmu<'_, D>, slot: &Slot) {
        let known = pmu.driver.counter(slot);
        let (count, left) = pmu.collect(slot.counter, &known);
        _ = pmu.collect_quiet(slot.counter, known.handle, known.width);
        let only_counts = pmu.shared.counting.period(slot.counter) == 0;
        (self.count, self.left) = (count, if only_counts { 0 } else { left.count() });
    }
}
