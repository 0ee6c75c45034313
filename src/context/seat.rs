//! A request's counter as its thread has it, and as it was left.

use crate::backend::{Backend, Slot};
use crate::counter::{CounterId, Remaining};
use crate::event::Request;
use crate::sample::{Label, SessionId};
use crate::shared::Shared;

use super::tally::Tally;

/// One request on the counter that it has, with all that a switch needs to know of it.
///
/// It is the same on each CPU that the thread comes to, as long as the counter is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat<H> {
    handle: H,
    counter: CounterId,
    flip: u64,
    longest: u64,
    /// How far the counter had come when it was stopped last.
    position: u64,
    period: u64,
    label: Label,
}

impl<H: Copy> Seat<H> {
    /// The seat of a request that has been loaded, at the beginning of what is left of its period.
    pub(super) fn of<B: Backend<Handle = H>>(
        backend: &B,
        image: &B::Image,
        number: usize,
        slot: &Slot,
        request: Option<&Request>,
        tally: &Tally,
    ) -> Self {
        let (width, longest) = (backend.width(image, slot.counter), backend.longest(image, slot.counter));
        let sampling = request.and_then(|request| request.sampling);
        Self {
            handle: backend.handle(image, slot.counter),
            counter: slot.counter,
            flip: width.flip(),
            longest: width.longest(),
            position: width.position(width.start(tally.left.unwrap_or(longest))),
            period: sampling.map_or(longest.count(), |sampling| sampling.period),
            label: Label::new(slot.counter, SessionId::of_thread(number as u8)),
        }
    }

    /// Anything but 0 if it is past its overflow.
    #[inline(always)]
    pub(super) const fn past(&self) -> u64 {
        self.position & self.longest
    }

    /// What was left of the period.
    pub(super) const fn left(&self) -> Remaining {
        Remaining::events(self.longest.wrapping_sub(self.position))
    }

    pub(super) const fn counter(&self) -> CounterId {
        self.counter
    }

    /// Has the counter go on from where it was left, with this count.
    #[inline(always)]
    pub(super) fn take<B: Backend<Handle = H>>(&self, shared: &Shared<B>, backend: &B, count: u64) {
        let position = self.position;
        shared.account(self.counter).open(count.wrapping_sub(position), self.period, self.label);
        backend.bring_back(&shared.image, self.counter, position ^ self.flip);
    }

    /// The count by now.
    #[inline(always)]
    pub(super) fn count<B: Backend<Handle = H>>(&self, shared: &Shared<B>, backend: &B) -> u64 {
        let position = backend.read(self.handle) ^ self.flip;
        position.wrapping_add(shared.account(self.counter).base.get())
    }

    /// Notes how the stopped counter was left; answers its count, and [`Seat::past`].
    #[inline(always)]
    pub(super) fn leave<B: Backend<Handle = H>>(&mut self, shared: &Shared<B>, backend: &B) -> (u64, u64) {
        let position = backend.read(self.handle) ^ self.flip;
        self.position = position;
        (position.wrapping_add(shared.account(self.counter).base.get()), position & self.longest)
    }
}
