//! Opening a session: requests are validated, placed and programmed, all or none.

use super::{Reservation, Session};
use crate::contract::{Driver, Image, Slot, Steps};
use crate::event::{Error, Event, Refusal, Remaining, Request, Result, Sampling, Set};
use crate::sample::{Label, SessionId};
use crate::stats::Buffer;
use crate::unit::{Operation, Pmu};

/// How often a placement is tried. The first attempt may precede the freeing of counters that nobody needs any more.
const ATTEMPTS: u32 = 4;

impl<'u, D: Driver> Pmu<'u, D> {
    /// Validates, places and programs requests, or events; they do not count yet. The placement is looked for with
    /// interrupts on.
    ///
    /// # Errors
    /// [`Error::Refused`] for a request that this unit cannot do, or that was parsed for another kind of unit;
    /// [`Error::Conflict`] for requests that cannot be together beside what is open already; [`Error::Changed`] if what is
    /// open changed during each attempt; [`Error::Swallowed`] if the hardware does not keep a request's selection, which some
    /// processors permit (RISC-V); [`Error::WrongCpu`], [`Error::Suspended`], [`Error::Halted`]. Nothing was programmed and no
    /// counter is reserved. After [`Error::Conflict`], [`Error::Changed`] or [`Error::Swallowed`], a thread that yields to
    /// sessions ([`Threads::Yield`](crate::Threads::Yield)) was invalidated all the same.
    #[inline]
    pub fn open<E: Into<Request>, const N: usize>(&self, requests: [E; N]) -> Result<Session<'u, D, N>> {
        self.open_first(&requests.map(Into::into), N)
    }

    /// Like [`Pmu::open`], for a set: the session reads as a [`Buffer`], whose values are a slice in the set's order.
    ///
    /// ```
    /// # use pmu::arch::x86::{Unattached, intel::{Device, Identity, Intel}};
    /// # use pmu::virt::{Device as _, Kinds, Unconnected, Work};
    /// # use pmu::{Mode, Unit};
    /// use pmu::text::notation::Perfmon;
    ///
    /// # let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    /// # let unit = Unit::<Intel<_, _>, 0>::new();
    /// # let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &device, Unattached)?)?;
    /// # let work = || device.advance(&Work::instructions(Mode::Kernel, 100));
    /// let set = Perfmon::parse::<8>("instructions:k,cycles:k", pmu.processor())?; // as a user typed it
    /// let mut session = pmu.open_set(&set)?;
    /// session.start()?;
    /// work();
    /// assert_eq!(session.read()?.values(), [100, 100]);
    /// # Ok::<(), pmu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pmu::open`].
    pub fn open_set<const N: usize>(&self, set: &Set<N>) -> Result<Session<'u, D, N, Buffer<N>>> {
        self.open_first(set.places(), set.len())
    }

    /// Opens a session with the first `length` of these requests.
    #[inline(always)]
    fn open_first<const N: usize, C>(&self, requests: &[Request; N], length: usize) -> Result<Session<'u, D, N, C>> {
        const { assert!(N <= 64, "a session has at most 64 requests") };
        let (mut demands, mut slots) = ([D::Demand::default(); N], [Slot::EMPTY; N]);
        let reservation = self.reserve(&requests[..length], &mut demands[..length], &mut slots[..length])?;
        Ok(Session::new(reservation, &slots, requests, length))
    }

    /// Clears the counters of other sessions and threads. Call it before a program is allowed to read counters itself: it can
    /// then read every counter of the unit.
    ///
    /// A session that is opened afterwards calls [`Kernel::close_user_reads`](crate::Kernel::close_user_reads), and so does a
    /// thread that is switched in and gets counters. If the kernel's method does nothing, the program can read the new
    /// counters too: until its access is closed, open no session and switch in no thread that counts.
    ///
    /// # Errors
    /// [`Error::InUse`] with the counters of other sessions, which cannot be hidden; [`Error::WrongCpu`],
    /// [`Error::Suspended`], [`Error::Invalidated`]. Nothing has changed.
    pub fn show_only<const N: usize, C>(&self, session: &Session<'_, D, N, C>) -> Result<()> {
        let operation = (*self).enter_under(session.reservation.claim)?;
        operation.free_dropped();
        operation.free_resident();
        operation.hide_all_but(session.reservation.occupied)
    }

    /// Counts `events` while `work` runs: the counts, and what `work` returned.
    ///
    /// # Errors
    /// Those of [`Pmu::open`], and `work` was not run; or [`Error::WrongCpu`], if the thread was on another CPU after `work`.
    pub fn count<R, E: Into<Request>, const N: usize>(
        &self,
        events: [E; N],
        work: impl FnOnce() -> R,
    ) -> Result<([u64; N], R)> {
        self.open(events)?.count(work)
    }

    /// Like [`Pmu::count`], for a set: the counts are in the set's order.
    ///
    /// # Errors
    /// As [`Pmu::count`].
    pub fn count_set<R, const N: usize>(&self, set: &Set<N>, work: impl FnOnce() -> R) -> Result<(Buffer<N>, R)> {
        self.open_set(set)?.count(work)
    }

    /// Checks that the unit counts: some keep what is written to them and count nothing, and some drop what is written to
    /// counters.
    ///
    /// `work` MUST execute at least `least` instructions, and fewer than a counter can wait for: half of its range or less,
    /// 2^47 for 48 bits. A larger count may be taken modulo the range, and then tells nothing.
    ///
    /// # Errors
    /// [`Error::Silent`] if the count is below `least`, or not below what a counter can wait for. [`Error::Refused`] if
    /// `least` is 0, or not below what a counter can wait for: the check would tell nothing, and `work` was not run. And those
    /// of [`Pmu::open`].
    pub fn check(&self, least: u64, work: impl FnOnce()) -> Result<()> {
        let request = Request::from(Event::INSTRUCTIONS);
        let mut session = self.open([request])?;
        let longest = |counter| self.driver.counter(&self.shared.residency.slot(counter)).longest.count();
        let longest = session.counter(0).map_or(0, longest);
        if !(1..longest).contains(&least) {
            return Err(Error::refused(0, &request, TELLS_NOTHING));
        }
        session.start()?;
        work();
        session.stop()?;
        let [counted] = session.read()?;
        if (least..longest).contains(&counted) { Ok(()) } else { Err(Error::Silent { counted, least }) }
    }

    /// Reserves counters for `requests`. `demands` and `slots` have the same length; `slots` receives the assignment.
    ///
    /// What is in use is read with interrupts on, and again with interrupts off. If it differs, the placement is tried again.
    /// Not generic over the number of requests, because a kernel may open sessions of many sizes.
    #[inline(never)]
    fn reserve(
        &self,
        requests: &[Request],
        demands: &mut [D::Demand],
        slots: &mut [Slot],
    ) -> Result<Reservation<'u, D>> {
        encode_all(self.driver, requests, demands)?;
        for _ in 0..ATTEMPTS {
            let beside = self.image().occupancy();
            let placed = self.driver.place(&beside, demands, Steps::OPEN, slots);
            let operation = (*self).enter()?;
            if self.shared.counting.is_halted() {
                return Err(Error::Halted);
            }
            operation.make_room();
            if self.image().occupancy() != beside {
                continue;
            }
            let program = placed.map_err(|conflict| conflict.among(requests))?;
            operation.check_kept(slots)?;
            return Ok(load(&operation, &program, requests, slots));
        }
        Err(Error::Changed)
    }

    /// Checks that the hardware keeps the selections of these slots, as far as their counters are free. They may count meanwhile.
    pub(super) fn check_kept(self, slots: &[Slot]) -> Result<()> {
        if D::MAY_SWALLOW {
            slots.iter().for_each(|slot| self.shared.counting.forget_rooms(slot.occupies().without(self.occupied())));
        }
        self.driver.swallowed(self.image(), slots).map_or(Ok(()), Err)
    }

    /// Frees the counters that nobody needs any more, and evicts a thread that yields to sessions.
    #[inline(always)]
    fn make_room(self) {
        self.free_dropped();
        if self.shared.residency.threads_yield() && !self.shared.residency.is_vacant() {
            self.evict_occupant();
        }
        self.free_resident();
    }
}

/// Programs and presets what was placed.
#[inline(always)]
fn load<'u, D: Driver>(
    operation: &Operation<'u, D>,
    program: &D::Program,
    requests: &[Request],
    slots: &[Slot],
) -> Reservation<'u, D> {
    let pmu = **operation;
    for slot in slots {
        pmu.withdraw(slot.occupies());
        pmu.end_sampling(slot.occupies());
        if let Some(second) = slot.partner {
            pmu.shared.counting.forget_rooms(second.only());
        }
    }
    let serial = pmu.shared.residency.next_serial();
    let id = SessionId::of_session(serial);
    let occupied = pmu.load_reserved(serial, program, slots);
    for (slot, request) in slots.iter().zip(requests) {
        let (counter, period) = (slot.counter, period_of(request));
        if period != 0 {
            pmu.sample(counter, period, Label::new(counter, id).doing(request.sampling));
        }
        let known = pmu.driver.counter(slot);
        let left = if period == 0 { known.longest } else { Remaining::events(period) };
        pmu.put(counter, known.width, request.preset, left);
    }
    let counters = slots.iter().map(|slot| slot.counter).collect();
    Reservation { pmu, claim: operation.claim(), serial, counters, occupied, enabled: 0, is_running: false }
}

/// Returns the events from one overflow to the next; 0 if the request only counts. Nothing waits for 2^63 events.
#[inline(always)]
pub(super) fn period_of(request: &Request) -> u64 {
    request.sampling.map_or(0, |sampling| sampling.period.min(i64::MAX.unsigned_abs()))
}

/// Works out what the requests take.
pub(super) fn encode_all<D: Driver>(driver: &D, requests: &[Request], demands: &mut [D::Demand]) -> Result<()> {
    for (position, (demand, request)) in demands.iter_mut().zip(requests).enumerate() {
        match encode(driver, request) {
            Ok(takes) => *demand = takes,
            Err(reason) => return Err(Error::refused(position, request, reason)),
        }
    }
    Ok(())
}

/// Works out what a request takes.
#[inline(always)]
pub(super) fn encode<D: Driver>(driver: &D, request: &Request) -> Result<D::Demand, Refusal> {
    check_period(request)?;
    if request.is_foreign_to(driver.kind().codes()) {
        return Err(FOREIGN);
    }
    driver.encode(request)
}

/// The refusal of a check that could not tell a unit that counts from one that does not.
const TELLS_NOTHING: Refusal =
    Refusal::Impossible("a check needs work of at least one instruction, and of fewer than its counter can wait for");

/// The refusal of a request that was made for a hybrid processor's other cores, say.
const FOREIGN: Refusal = Refusal::Impossible(
    "its code is that of another kind of unit; parse it with this unit's processor(), or bind it by name on a unit of that kind",
);

/// Refuses a period that no unit has.
#[inline(always)]
pub(super) fn check_period(request: &Request) -> Result<(), Refusal> {
    match request.sampling {
        Some(Sampling { period: 0, .. }) => Err(Refusal::PeriodZero),
        _ => Ok(()),
    }
}
