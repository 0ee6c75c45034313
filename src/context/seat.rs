//! A request's counter as its thread has it, and as it was left.

use crate::backend::{Backend, Slot};
use crate::event::{CounterId, Remaining, Sampling};
use crate::sample::{Label, SessionId};
use crate::shared::Shared;

use super::tally::Tally;

/// One request on the counter that it has, with all that a switch needs to know of it.
///
/// It is the same on each CPU that the thread comes to, as long as the counter is. The counter's account
/// knows what interrupts have added to the count since the seat was compared with it, and no more: so a
/// switch from one thread to another leaves it alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat<H, W> {
    handle: H,
    way_back: W,
    /// What the counter read when it was stopped last.
    raw: u64,
    flip: u64,
    longest: u64,
    /// What makes a count of what a counter reads that has not overflowed: its base less what is flipped
    /// then, which is what every such reading has set.
    origin: u64,
    counter: CounterId,
    period: u64,
    label: Label,
}

impl<H: Copy, W: Copy> Seat<H, W> {
    /// The seat of a request that has been loaded, at the beginning of what is left of its period.
    pub(super) fn of<B: Backend<Handle = H, WayBack = W>>(
        backend: &B,
        image: &B::Image,
        session: SessionId,
        slot: &Slot,
        sampling: Option<Sampling>,
        tally: &Tally,
    ) -> Self {
        let (width, longest) = (backend.width(image, slot.counter), backend.longest(image, slot.counter));
        let raw = width.start(tally.left.unwrap_or(longest));
        let base = tally.count.wrapping_sub(width.position(raw));
        Self {
            handle: backend.handle(image, slot.counter),
            way_back: backend.way_back(image, slot),
            raw,
            flip: width.flip(),
            longest: width.longest(),
            origin: base.wrapping_sub(width.flip()),
            counter: slot.counter,
            period: sampling.map_or(longest.count(), |sampling| sampling.period),
            label: Label::new(slot.counter, session),
        }
    }

    /// How far the counter had come when it was stopped last.
    #[inline(always)]
    const fn position(&self) -> u64 {
        self.raw ^ self.flip
    }

    /// Is it past its overflow?
    #[inline(always)]
    pub(super) const fn is_past(&self) -> bool {
        self.position() & self.longest != 0
    }

    /// What was left of the period.
    pub(super) const fn left(&self) -> Remaining {
        Remaining::events(self.longest.wrapping_sub(self.position()))
    }

    pub(super) const fn counter(&self) -> CounterId {
        self.counter
    }

    /// Has the counter go on from where it was left.
    #[inline(always)]
    pub(super) fn take<B: Backend<Handle = H, WayBack = W>>(&self, shared: &Shared<B>, backend: &B) {
        self.open(shared);
        backend.bring_back(&shared.image, self.counter, self.raw);
    }

    /// The same, where the counter may count something else by now. Its account has the longest period
    /// and nobody's label, if neither this nor the last request on the counter asks for samples; and
    /// interrupts have added nothing to it.
    #[inline(always)]
    pub(super) fn resume<B: Backend<Handle = H, WayBack = W>>(&self, shared: &Shared<B>, backend: &B) {
        backend.resume(&shared.image, &self.way_back, self.raw);
    }

    /// Gives the account its period and its label.
    #[inline(always)]
    pub(super) fn open<B: Backend<Handle = H, WayBack = W>>(&self, shared: &Shared<B>) {
        shared.account(self.counter).open(0, self.period, self.label);
    }

    /// What makes a position a count by now.
    #[inline(always)]
    pub(super) fn base<B: Backend<Handle = H, WayBack = W>>(&self, shared: &Shared<B>) -> u64 {
        self.origin.wrapping_add(self.flip).wrapping_add(shared.account(self.counter).base.get())
    }

    /// The count by now.
    #[inline(always)]
    pub(super) fn count_now<B: Backend<Handle = H, WayBack = W>>(&self, shared: &Shared<B>, backend: &B) -> u64 {
        let position = backend.read(self.handle) ^ self.flip;
        position.wrapping_add(self.base(shared))
    }

    /// The count when the counter was stopped last, and what it had overflowed was accounted for.
    #[inline(always)]
    pub(super) const fn count(&self) -> u64 {
        self.origin.wrapping_add(self.raw)
    }

    /// Notes how the stopped counter was left. Is it past its overflow?
    #[inline(always)]
    pub(super) fn leave<B: Backend<Handle = H, WayBack = W>>(&mut self, backend: &B) -> bool {
        self.raw = backend.read(self.handle);
        self.is_past()
    }

    /// Takes over what interrupts have added to its account.
    pub(super) fn compare<B: Backend<Handle = H, WayBack = W>>(&mut self, shared: &Shared<B>) {
        let account = shared.account(self.counter);
        self.origin = self.origin.wrapping_add(account.base.get());
        account.base.set(0);
    }
}
