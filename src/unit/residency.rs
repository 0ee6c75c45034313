//! Whose values are in the counters: those of sessions, of the thread that is switched in, or of one that has left.

mod epoch;
mod freeing;
mod lending;
mod owner;

use epoch::Epoch;
use owner::Owner;

use super::{Claim, Pmu, Threads};
use crate::contract::{Driver, Image, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sync::{Cell, SharedSet};

/// Whose values are in the counters, and how the counters are programmed for them.
pub(crate) struct Residency<D: Driver> {
    /// The counters of sessions.
    reserved: Cell,
    /// The counters of the thread that is switched in.
    scheduled: Cell,
    /// The ticket of the thread that is switched in, with counters or without; 0 is nobody.
    occupant: Cell,
    /// The ticket of the thread whose values are in the counters, whether it is in or not; 0 is nobody.
    resident: Cell,
    /// Its counters; none of nobody.
    resident_set: Cell,
    /// The ticket of the resident thread, once its counters hold nothing of the threads before it; or of an earlier one.
    shown: Cell,
    /// The counters that programs may read: all of them on a unit that can only lend all or none.
    lent: Cell,
    /// The counters of sessions that were dropped where the unit could not be touched.
    abandoned: SharedSet,
    /// Who has the counters if sessions and threads cannot both have them: a [`Threads`].
    threads: Cell,
    /// The last ticket.
    tickets: Cell,
    /// The last serial number. One is taken for each session that is opened, and each time the unit is given to a guest.
    serials: Cell,
    epoch: Epoch,
    image: D::Image,
    owners: [Owner; 64],
}

/// The bits of a ticket that are the number of its CPU plus 1.
const CPU_BITS: u32 = 32;

impl<D: Driver> Residency<D> {
    pub(super) const fn nobody() -> Self {
        Self {
            reserved: Cell::new(0),
            scheduled: Cell::new(0),
            occupant: Cell::new(0),
            resident: Cell::new(0),
            resident_set: Cell::new(0),
            shown: Cell::new(0),
            lent: Cell::new(0),
            abandoned: SharedSet::empty(),
            threads: Cell::new(0),
            tickets: Cell::new(0),
            serials: Cell::new(0),
            epoch: Epoch::unknown(),
            image: D::Image::BLANK,
            owners: [const { Owner::none() }; 64],
        }
    }

    /// Begins a claim: sets the number of the last ticket from the clock, with the CPU in the low bits. A thread keeps its
    /// counters for more than a tick, so tickets never overtake the clock. So no ticket of another unit that was in this one's
    /// place before is valid here. Numbers never go back, so no ticket of an earlier claim is valid either, whatever the clock
    /// does.
    pub(super) fn begin(&self, claim: Claim, ticks: u64) {
        let from = (ticks << CPU_BITS).max(self.tickets.get() >> CPU_BITS << CPU_BITS);
        self.tickets.set(from | (u64::from(claim.cpu().0) + 1));
    }

    /// Returns a number for the thread that is about to have the counters. No other unit gives the same, and none is 0.
    #[inline(always)]
    pub(crate) fn next_ticket(&self) -> u64 {
        self.tickets.add(1 << CPU_BITS);
        self.tickets.get()
    }

    /// Returns a number for a session or a guest. None is 0, and none repeats.
    #[inline(always)]
    pub(crate) fn next_serial(&self) -> u64 {
        self.serials.add(1);
        self.serials.get()
    }

    pub(super) fn choose(&self, threads: Threads) {
        self.threads.set(threads as u64);
    }

    /// Returns true if threads yield to sessions.
    #[inline(always)]
    pub(crate) fn threads_yield(&self) -> bool {
        self.threads.get() == Threads::Yield as u64
    }

    /// Returns the counters of sessions.
    #[inline(always)]
    pub(crate) fn reserved(&self) -> CounterSet {
        self.reserved.counters()
    }

    /// Returns the counters of the thread that is switched in.
    #[inline(always)]
    pub(super) fn scheduled(&self) -> CounterSet {
        self.scheduled.counters()
    }

    /// Returns true if no thread is switched in.
    #[inline(always)]
    pub(crate) fn is_vacant(&self) -> bool {
        self.occupant.get() == 0
    }

    /// Returns true if the thread with this ticket is switched in.
    #[inline(always)]
    pub(crate) fn is_occupant(&self, ticket: u64) -> bool {
        self.occupant.get() == ticket
    }

    /// Returns true if the counters hold the values of the thread with this ticket.
    #[inline(always)]
    pub(crate) fn is_resident(&self, ticket: u64) -> bool {
        self.resident.get() == ticket
    }

    /// Returns the counters of the resident thread.
    #[inline(always)]
    pub(crate) fn resident_counters(&self) -> CounterSet {
        self.resident_set.counters()
    }

    /// The thread with this ticket has its values in these counters.
    #[inline(always)]
    fn settle(&self, ticket: u64, counters: CounterSet) {
        self.resident.set(ticket);
        self.resident_set.set(counters.bits());
    }

    /// The thread with this ticket is switched in. It counts on these counters.
    #[inline(always)]
    pub(crate) fn schedule(&self, ticket: u64, counters: CounterSet) {
        self.occupant.set(ticket);
        self.scheduled.set(counters.bits());
    }

    /// No thread is switched in any more. Its counters do not run.
    #[inline(always)]
    pub(crate) fn unschedule(&self) {
        self.schedule(0, CounterSet::EMPTY);
    }

    /// Returns the slot of a session's counter, with no more than reading and presetting need.
    pub(crate) fn slot(&self, counter: CounterId) -> Slot {
        Slot { counter, partner: self.owner(counter).partner(counter), ..Slot::EMPTY }
    }

    #[inline(always)]
    fn owner(&self, counter: CounterId) -> &Owner {
        &self.owners[counter.index()]
    }
}

impl<'u, D: Driver> Pmu<'u, D> {
    /// Returns how the counters are programmed.
    #[inline(always)]
    pub(crate) fn image(self) -> &'u D::Image {
        &self.shared.residency.image
    }

    /// Returns the counters that are loaded.
    #[inline(always)]
    pub(crate) fn occupied(self) -> CounterSet {
        self.image().counters()
    }

    /// Programs counters that nobody has, which are `taken` by these slots, for the thread with this ticket.
    #[inline(always)]
    pub(crate) fn load_resident(self, ticket: u64, taken: CounterSet, program: &D::Program, slots: &[Slot]) {
        self.driver.load(self.image(), program, slots);
        self.shared.residency.settle(ticket, taken);
    }

    /// Programs counters that nobody has, and reserves them for a session. Returns them.
    #[inline(always)]
    pub(crate) fn load_reserved(self, serial: u64, program: &D::Program, slots: &[Slot]) -> CounterSet {
        let residency = &self.shared.residency;
        self.driver.load(self.image(), program, slots);
        let mut occupied = CounterSet::EMPTY;
        for slot in slots {
            let taken = slot.occupies();
            residency.owner(slot.counter).reserve(serial, taken);
            if let Some(second) = slot.partner {
                residency.owner(second).reserve(serial, second.only());
            }
            occupied = occupied.or(taken);
        }
        residency.reserved.set(residency.reserved().or(occupied).bits());
        occupied
    }
}
