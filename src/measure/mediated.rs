//! Mediated pass-through: while a guest runs, the real unit's counters are its own.

use core::fmt;

use crate::contract::{Driver, Image, Registers};
use crate::event::{CounterSet, CpuId, Error, Result};
use crate::unit::Pmu;
use crate::virt::PassThrough;

/// The addresses of a driver's registers.
type Address<D> = <<D as crate::Plan>::Registers as Registers>::Address;
/// The numbers of its counters.
type Index<D> = <<D as crate::Plan>::Registers as Registers>::Index;

/// A guest's unit `G`, whose counters are those of the host's real unit while the guest runs.
///
/// The guest can count every event of the processor, and its overflows interrupt when they happen. Its registers are the
/// device's: the host traps every access, and answers it by [`guest`](Self::guest).
///
/// The host calls [`enter`](Self::enter) before each entry, [`exit`](Self::exit) after each exit, and
/// [`interrupted`](Self::interrupted) when the unit's overflow interrupt has come. Nothing moves that need not:
///
/// - The first entry with a counter of the guest's in use takes the unit from the host, by [`Pmu::suspend`]. The host's
///   sessions count nothing until [`release`](Self::release). Before that entry they count on, and the guest's work too.
/// - An exit only halts the counters, and the next entry lets them run.
/// - `guest` brings the counts home. The next entry programs the counters again.
///
/// Nothing of the host's is visible to the guest, because only the device's registers are. The guest counts none of the
/// host's work but the few instructions between `enter` and the entry, and between the exit and `exit`, if it counts ring 0
/// on Intel's processors: a host closes that gap by the entry and exit controls of IA32_PERF_GLOBAL_CTRL. AMD's counters are
/// limited to guests (`GUEST_ONLY`) and Arm's count nothing at EL2.
///
/// An overflow interrupts the host once: the counter goes on from 0 until the guest writes it, which is an exit. A
/// [`RateLimit`](crate::virt::RateLimit) around the device's trigger holds the guest's own interrupts back.
///
/// All of it is called on the unit's own CPU, and with interrupts off from `enter` to `exit`. Guests take turns:
/// [`release`](Self::release) one before another one is entered there. A virtual CPU that moves to another CPU has another
/// pass-through there, whose device is [restored](crate::virt::Device::restore) from this one's. Dropping it releases it.
///
/// ```
/// use pmu::arch::x86::intel::{Device, Identity, Intel};
/// use pmu::arch::x86::{Msr, Unattached, Window};
/// use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
/// use pmu::{Mediated, Mode, Unit};
///
/// // The processor, of which the host has the unit; in a hypervisor it is `Hardware`.
/// let processor = Device::new(&Identity::SKYLAKE, Kinds::CLOCK.with(Kind::CacheMisses), Unconnected);
/// let unit = Unit::<Intel<_, _>, 0>::new();
/// let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &processor, Unattached)?)?;
///
/// let device = Device::new(&Identity::SKYLAKE, Kinds::NONE, Unconnected);
/// let mut mediated = Mediated::new(pmu, device)?;
/// mediated.guest().try_write(Msr::select(0).unwrap(), 0x0053_412E).unwrap(); // LONGEST_LAT_CACHE.MISS
/// mediated.guest().try_write(Msr::GLOBAL_CONTROL, 1).unwrap();
///
/// mediated.enter()?;
/// processor.advance(&Work::none(Mode::User).with(Kind::CacheMisses, 7)); // the guest runs
/// mediated.exit();
/// processor.advance(&Work::none(Mode::Kernel).with(Kind::CacheMisses, 100)); // the host does
/// assert_eq!(mediated.guest().try_read(Msr::counter(Window::Full, 0).unwrap()), Ok(7));
/// # Ok::<(), pmu::Error>(())
/// ```
pub struct Mediated<'u, D: Driver, G> {
    pmu: Pmu<'u, D>,
    guest: G,
    /// The unit as it is programmed for the host: not at all.
    image: D::Image,
    /// What the unit held when it was taken from the host.
    before: D::Saved,
    is_taken: bool,
    /// The CPU whose unit it is.
    owner: CpuId,
    /// The guest's counters that the unit holds.
    loaded: CounterSet,
}

impl<'u, D, G> Mediated<'u, D, G>
where
    D: Driver,
    G: PassThrough<Address = Address<D>, Index = Index<D>>,
{
    /// Creates the pass-through of a guest to this unit. The unit stays the host's until the guest uses a counter.
    ///
    /// The guest MUST be shown the processor itself, with less or as much as it has: an identity of the host
    /// (`Identity::of_host`), narrowed. What the two descriptions say is checked.
    ///
    /// # Errors
    /// [`Error::NoPassThrough`]: the unit has not what the guest is told of, its version cannot be passed through (on Intel
    /// before 4 or without full-width writes, on AMD before PerfMonV2), or somebody else uses some of its counters.
    pub fn new(pmu: Pmu<'u, D>, guest: G) -> Result<Self> {
        let real = pmu.description();
        let fits = match real.used_by_others.is_empty() {
            true => guest.fits(&real, |request| pmu.driver().encode(request).is_ok()),
            false => Err("somebody else uses counters of the unit"),
        };
        fits.map_err(|reason| Error::NoPassThrough { reason })?;
        Ok(Self {
            pmu,
            guest,
            image: D::Image::BLANK,
            before: D::NOTHING_SAVED,
            is_taken: false,
            owner: pmu.cpu(),
            loaded: CounterSet::EMPTY,
        })
    }

    /// Lets the guest's counters run on the real unit. Does nothing if none is in use.
    ///
    /// # Errors
    /// Those of [`Pmu::suspend`], if the unit is the host's. Nothing has changed then.
    #[inline]
    pub fn enter(&mut self) -> Result<()> {
        if self.loaded.is_empty() && !self.guest.in_use().is_empty() {
            self.load()?;
        }
        if !self.loaded.is_empty() {
            self.pmu.driver().run(&self.image, self.loaded);
        }
        Ok(())
    }

    /// Halts the guest's counters.
    #[inline]
    pub fn exit(&mut self) {
        if !self.loaded.is_empty() {
            self.pmu.driver().run(&self.image, CounterSet::EMPTY);
        }
    }

    /// Returns the guest's unit, after bringing its counts home. The guest does not run.
    #[inline]
    pub fn guest(&mut self) -> &G {
        if !self.loaded.is_empty() {
            self.collect();
        }
        &self.guest
    }

    /// Accounts for the unit's overflow interrupt, and lets the next one come: the device's trigger is called if the guest
    /// is to have it. The host calls it after [`exit`](Self::exit), also for an interrupt that has come late.
    ///
    /// The host's own handler leaves the unit alone meanwhile, and answers [`Handled::Guest`](crate::Handled::Guest).
    pub fn interrupted(&mut self) {
        if self.is_taken {
            self.guest();
            self.pmu.driver().rearm();
        }
    }

    /// Gives the unit back to the host, whose sessions go on.
    ///
    /// # Errors
    /// [`Error::WrongCpu`]; nothing has changed then.
    pub fn release(&mut self) -> Result<()> {
        if !self.is_taken {
            return Ok(());
        }
        let (owner, here) = (self.owner, self.pmu.cpu());
        if owner != here {
            return Err(Error::WrongCpu { owner, here });
        }
        self.guest();
        self.give_back()
    }

    /// Programs the guest's counters in the unit, which the host gives up first.
    #[cold]
    fn load(&mut self) -> Result<()> {
        let driver = self.pmu.driver();
        if !self.is_taken {
            self.pmu.suspend()?;
            self.pmu.shared.guests.set(1);
            driver.save(&self.before);
            driver.reload(&self.image);
            self.is_taken = true;
        }
        self.guest.load(driver.registers());
        self.loaded = self.guest.in_use();
        Ok(())
    }

    #[inline(never)]
    fn collect(&mut self) {
        let driver = self.pmu.driver();
        self.guest.collect(driver.registers());
        driver.acknowledge(&self.image, self.loaded);
        self.loaded = CounterSet::EMPTY;
    }
}

impl<D: Driver, G> Mediated<'_, D, G> {
    /// Restores what the unit held when it was taken, and wakes it.
    fn give_back(&mut self) -> Result<()> {
        self.pmu.driver().restore(&self.before);
        self.pmu.wake()?;
        self.pmu.shared.guests.set(0);
        self.is_taken = false;
        Ok(())
    }
}

/// Gives the unit back to the host, if this is its CPU.
impl<D: Driver, G> Drop for Mediated<'_, D, G> {
    fn drop(&mut self) {
        if self.is_taken && self.owner == self.pmu.cpu() {
            // It was suspended by this CPU, so it can be woken.
            _ = self.give_back();
        }
    }
}

impl<D: Driver, G> fmt::Debug for Mediated<'_, D, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mediated")
            .field("is_taken", &self.is_taken)
            .field("loaded", &self.loaded)
            .finish_non_exhaustive()
    }
}
