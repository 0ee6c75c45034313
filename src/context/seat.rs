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
    /// Its control word.
    bits: u64,
    flip: u64,
    longest: u64,
    /// How far the counter had come when it was stopped last.
    position: u64,
    /// What makes a position a count: what the account has too, when no interrupt has changed it.
    base: u64,
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
        request: &Request,
        tally: &Tally,
    ) -> Self {
        let (width, longest) = (backend.width(image, slot.counter), backend.longest(image, slot.counter));
        let position = width.position(width.start(tally.left.unwrap_or(longest)));
        Self {
            handle: backend.handle(image, slot.counter),
            counter: slot.counter,
            bits: slot.bits,
            flip: width.flip(),
            longest: width.longest(),
            position,
            base: tally.count.wrapping_sub(position),
            period: request.sampling.map_or(longest.count(), |sampling| sampling.period),
            label: Label::new(slot.counter, SessionId::of_thread(number as u8)),
        }
    }

    /// Is it past its overflow?
    #[inline(always)]
    pub(super) const fn is_past(&self) -> bool {
        self.position & self.longest != 0
    }

    /// What was left of the period.
    pub(super) const fn left(&self) -> Remaining {
        Remaining::events(self.longest.wrapping_sub(self.position))
    }

    pub(super) const fn counter(&self) -> CounterId {
        self.counter
    }

    /// Has the counter go on from where it was left.
    #[inline(always)]
    pub(super) fn take<B: Backend<Handle = H>>(&self, shared: &Shared<B>, backend: &B) {
        shared.account(self.counter).open(self.base, self.period, self.label);
        backend.bring_back(&shared.image, self.counter, self.position ^ self.flip);
    }

    /// The same, where the counter may count something else by now. Its account has the longest period
    /// and nobody's label, if neither this nor the last request on the counter asks for samples.
    #[inline(always)]
    pub(super) fn resume<B: Backend<Handle = H>>(&self, shared: &Shared<B>, backend: &B) {
        shared.account(self.counter).base.set(self.base);
        backend.resume(&shared.image, self.counter, self.bits, self.position ^ self.flip);
    }

    /// Gives the account its period and its label.
    pub(super) fn label<B: Backend<Handle = H>>(&self, shared: &Shared<B>) {
        shared.account(self.counter).open(self.base, self.period, self.label);
    }

    /// The count by now.
    #[inline(always)]
    pub(super) fn count_now<B: Backend<Handle = H>>(&self, shared: &Shared<B>, backend: &B) -> u64 {
        let position = backend.read(self.handle) ^ self.flip;
        position.wrapping_add(shared.account(self.counter).base.get())
    }

    /// The count when the counter was stopped last.
    #[inline(always)]
    pub(super) const fn count(&self) -> u64 {
        self.base.wrapping_add(self.position)
    }

    /// Notes how the stopped counter was left. Is it past its overflow?
    #[inline(always)]
    pub(super) fn leave<B: Backend<Handle = H>>(&mut self, backend: &B) -> bool {
        self.position = backend.read(self.handle) ^ self.flip;
        self.is_past()
    }

    /// Takes over what interrupts have made of its account.
    #[inline(always)]
    pub(super) fn compare<B: Backend<Handle = H>>(&mut self, shared: &Shared<B>) {
        self.base = shared.account(self.counter).base.get();
    }
}
