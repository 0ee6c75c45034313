//! One request of a thread: what it has counted, and the counter that it has or had last.

use crate::contract::{Counter, Driver, Slot};
use crate::event::{CounterId, Remaining, Request};
use crate::measure::open::period_of;
use crate::sample::{Label, SessionId};
use crate::unit::{Left, Pmu};

/// What is known of a request while its thread is switched out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<H> {
    pub(super) count: u64,
    /// What is left of its period; `None` for a whole one.
    pub(super) left: Option<Left>,
    pub(super) place: Option<Place<H>>,
}

/// The counter that a request has, or had last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<H> {
    pub(super) id: CounterId,
    pub(super) counter: Counter<H>,
}

impl<H: Copy> Entry<H> {
    /// A count that begins here, with a whole period.
    pub(super) const fn beginning(count: u64) -> Self {
        Self { count, left: None, place: None }
    }

    /// Gives the request this slot's counter, with its count and what was left of its period.
    #[inline(always)]
    pub(super) fn bring<D: Driver<Handle = H>>(
        &mut self,
        pmu: Pmu<'_, D>,
        slot: &Slot,
        request: &Request,
        label: Label,
    ) {
        let counter = pmu.driver.counter(slot);
        let period = period_of(request, counter.longest);
        let account = pmu.shared.account(slot.counter);
        account.period.set(period.count());
        account.label.set(label.bits());
        let left = self.left.filter(|_| request.sampling.is_some()).unwrap_or(Left::exactly(period));
        pmu.put(slot.counter, counter.width, self.count, left);
        self.place = Some(Place { id: slot.counter, counter });
    }

    /// Takes the count and what is left of the period from the counter, which is stopped.
    #[inline(always)]
    pub(super) fn take<D: Driver<Handle = H>>(&mut self, pmu: Pmu<'_, D>) {
        if let Some(place) = &self.place {
            let position = pmu.stopped_position(place.id, &place.counter);
            self.count = place.base(pmu).wrapping_add(position);
            let overflow = Remaining::events(place.counter.width.longest().wrapping_sub(position));
            self.left = Some(Left { overflow, excess: pmu.shared.account(place.id).excess.get().cast_signed() });
        }
    }
}

impl<H: Copy> Place<H> {
    #[inline(always)]
    fn position<D: Driver<Handle = H>>(&self, pmu: Pmu<'_, D>) -> u64 {
        self.counter.width.position(pmu.driver.read(self.counter.handle))
    }

    /// Returns the number by which programs read the counter, if they can.
    pub(crate) const fn user_index(&self) -> Option<u32> {
        self.counter.user_index
    }

    /// Returns what makes the counter's value a position, by exclusive or.
    pub(crate) const fn flip(&self) -> u64 {
        self.counter.width.flip()
    }

    /// Returns what makes a position a count.
    #[inline(always)]
    pub(crate) fn base<D: Driver<Handle = H>>(&self, pmu: Pmu<'_, D>) -> u64 {
        pmu.shared.account(self.id).base.get()
    }

    /// Returns the count while the counter counts. An interrupt may change the account meanwhile.
    #[inline(always)]
    pub(super) fn count<D: Driver<Handle = H>>(&self, pmu: Pmu<'_, D>) -> u64 {
        let base = self.base(pmu);
        base.wrapping_add(self.position(pmu))
    }
}

/// What the overflows of a thread's request say and do.
#[inline(always)]
pub(super) fn label(slot: &Slot, group: u16, number: usize, request: &Request, thread: u32) -> Label {
    let session = SessionId::of_thread(group, number as u8);
    Label::new(slot.counter, session).doing(request.sampling).of_thread(thread)
}
