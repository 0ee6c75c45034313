//! Feeding a guest's unit from the host's: whatever the guest counts that is no kind of work, a counter of the host's
//! counts while the guest runs.

use super::{ByEvent, Selection};
use crate::contract::Driver;
use crate::event::{CounterId, CounterSet, Error, Mode, Request, Result};
use crate::measure::Session;
use crate::unit::Pmu;

/// A counter of the guest's, and the host's session that counts for it.
struct Fed<'u, D: Driver> {
    counter: CounterId,
    selection: Selection,
    mode: Mode,
    session: Session<'u, D, 1>,
    /// What was passed on of the session's count.
    passed: u64,
}

/// Feeds up to `N` counters of a guest's unit from counters of the host's.
///
/// The host calls [`enter`](Self::enter) before each entry and [`exit`](Self::exit) after each exit. In between, one of the
/// host's sessions runs for each counter that is [unfed](crate::virt::Device::unfed). The host makes the session's request
/// from the counter's [`Selection`]: [`Selection::request`] if the guest is shown the host's own processor, or an event that
/// means the same if it is shown another. A session stays open over exits, until the guest selects something else or stops
/// the counter. While no session is needed, both calls only check that.
///
/// The few instructions of the host between the sessions' start and the entry, and between the exit and their stop, are
/// counted too, if they are in a mode that the guest counts. A request with the processor's own flag for
/// that ([`Flag::GuestOnly`](crate::request::Flag::GuestOnly)) counts the guest alone.
///
/// An overflow interrupts the guest only at the exit that passes the events on: the host cannot stop its guest at an event
/// that only the processor sees. Where that is too late, give the guest the real counters:
/// [`Mediated`](crate::virt::Mediated).
///
/// A feeder belongs to one guest on one CPU. Between exits it holds its counters of the host's unit:
/// [`release`](Self::release) it before another guest runs there. A virtual CPU that moves to another CPU has another feeder
/// there.
///
/// ```
/// use pmu::arch::x86::intel::{Device, Identity, Intel};
/// use pmu::arch::x86::{Msr, Unattached, Window};
/// use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
/// use pmu::{CounterSet, Mode, Unit};
/// use pmu::virt::Feeder;
///
/// // The processor, of which the host has the unit; in a hypervisor it is `Hardware`.
/// let processor = Device::new(&Identity::SKYLAKE, Kinds::CLOCK.with(Kind::CacheMisses), Unconnected);
/// let unit = Unit::<Intel<_, _>, 0>::new();
/// let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &processor, Unattached)?)?;
///
/// // A guest that counts LONGEST_LAT_CACHE.MISS, and whose host observes nothing by itself.
/// let guest = Device::new(&Identity::SKYLAKE, Kinds::NONE, Unconnected);
/// guest.try_write(Msr::select(0).unwrap(), 0x0053_412E).unwrap();
/// guest.try_write(Msr::GLOBAL_CONTROL, 1).unwrap();
///
/// let mut feeder = Feeder::<_, 8>::new(pmu);
/// assert_eq!(feeder.enter(&guest, |selection| selection.request())?, CounterSet::EMPTY);
/// processor.advance(&Work::none(Mode::User).with(Kind::CacheMisses, 7)); // the guest runs
/// feeder.exit(&guest)?;
/// assert_eq!(guest.try_read(Msr::counter(Window::Full, 0).unwrap()), Ok(7));
/// # Ok::<(), pmu::Error>(())
/// ```
pub struct Feeder<'u, D: Driver, const N: usize> {
    pmu: Pmu<'u, D>,
    fed: [Option<Fed<'u, D>>; N],
}

impl<'u, D: Driver, const N: usize> Feeder<'u, D, N> {
    /// Creates a feeder from this unit. It holds no counter yet.
    #[must_use]
    pub const fn new(pmu: Pmu<'u, D>) -> Self {
        Self { pmu, fed: [const { None }; N] }
    }

    /// Starts to count what the guest counts. The guest's unit is any [`Device`](crate::virt::Device), or x86's
    /// [`guest::Unit`](crate::arch::x86::guest::Unit). `request` returns how the host counts a selection, or `None` if it cannot.
    ///
    /// Returns the counters that remain unfed: what `request` does not know, what the unit refuses or has no
    /// counter for beside what is open, and what is beyond `N`.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Suspended`], [`Error::GuestIn`], [`Error::Halted`]; [`Error::Invalidated`] or
    /// [`Error::NotClaimed`] if the unit was given up. Nothing counts then. The next [`exit`](Self::exit) passes on what was counted before.
    pub fn enter(
        &mut self,
        guest: &impl ByEvent,
        request: impl Fn(&Selection) -> Option<Request>,
    ) -> Result<CounterSet> {
        let unfed = guest.unfed();
        self.close_others(guest, unfed);
        let mut left = CounterSet::EMPTY;
        for counter in unfed.without(self.counters()) {
            if !self.open(guest, counter, &request)? {
                left = left.or(counter.only());
            }
        }
        let started = self.fed.iter_mut().flatten().try_for_each(|fed| fed.session.start());
        if let Err(error) = started {
            self.fed.iter_mut().flatten().for_each(|fed| _ = fed.session.stop());
            return Err(error);
        }
        Ok(left)
    }

    /// Stops to count, and feeds the guest what was counted.
    ///
    /// # Errors
    /// As [`Self::enter`]. What was counted until then is passed on by the next call, if there is one.
    pub fn exit(&mut self, guest: &impl ByEvent) -> Result<()> {
        self.fed.iter_mut().flatten().try_for_each(|fed| fed.session.stop())?;
        for fed in self.fed.iter_mut().flatten() {
            let [count] = fed.session.read()?;
            guest.feed(fed.counter, fed.mode, count.wrapping_sub(fed.passed));
            fed.passed = count;
        }
        Ok(())
    }

    /// Gives back the counters of the host's unit. What was counted since the last [`exit`](Self::exit) is lost. The next
    /// [`enter`](Self::enter) takes counters anew.
    pub fn release(&mut self) {
        self.fed = [const { None }; N];
    }

    /// Returns the guest's counters that are fed.
    #[must_use]
    pub fn counters(&self) -> CounterSet {
        self.fed.iter().flatten().map(|fed| fed.counter).collect()
    }

    /// Closes the sessions of counters that run no more, or select something else.
    fn close_others(&mut self, guest: &impl ByEvent, unfed: CounterSet) {
        for place in &mut self.fed {
            let is_same = |fed: &mut Fed<'u, D>| {
                unfed.contains(fed.counter) && guest.selection(fed.counter) == Some(fed.selection)
            };
            drop(place.take_if(|fed| !is_same(fed)));
        }
    }

    /// Opens a session for a counter. Returns false if there is none for it.
    fn open(
        &mut self,
        guest: &impl ByEvent,
        counter: CounterId,
        request: impl Fn(&Selection) -> Option<Request>,
    ) -> Result<bool> {
        let Some(place) = self.fed.iter_mut().find(|place| place.is_none()) else { return Ok(false) };
        let Some(selection) = guest.selection(counter) else { return Ok(false) };
        let Some(mode) =
            [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter().find(|&mode| selection.modes().contains(mode))
        else {
            return Ok(false);
        };
        let Some(request) = request(&selection) else { return Ok(false) };
        match self.pmu.open([request]) {
            Ok(session) => *place = Some(Fed { counter, selection, mode, session, passed: 0 }),
            Err(
                Error::Refused { .. }
                | Error::Conflict(_)
                | Error::UsedByOthers(_)
                | Error::Swallowed { .. }
                | Error::Changed,
            ) => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(true)
    }
}

impl<D: Driver, const N: usize> core::fmt::Debug for Feeder<'_, D, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Feeder").field("counters", &self.counters()).finish_non_exhaustive()
    }
}
