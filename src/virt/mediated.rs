//! Mediated pass-through: while a guest runs, the real unit's counters are its own.

use core::fmt;

use super::PassThrough;
use crate::contract::{Driver, Image, Registers};
use crate::event::{CounterSet, CpuId, Error, Result};
use crate::unit::{Claim, Pmu, Scope};

/// The addresses of a driver's registers.
type Address<D> = <<D as crate::driver::Plan>::Registers as Registers>::Address;
/// The numbers of its counters.
type Index<D> = <<D as crate::driver::Plan>::Registers as Registers>::Index;

/// A guest's unit `G`, whose counters are those of the host's real unit while the guest runs.
///
/// The guest can count every event of the processor, and its overflows interrupt when they happen. Its registers are the
/// device's: the host traps every access, and answers it by [`guest`](Self::guest).
///
/// The host calls [`enter`](Self::enter) before each entry, [`exit`](Self::exit) after each exit, and
/// [`interrupted`](Self::interrupted) when the unit's overflow interrupt has come. They write as few registers as possible:
///
/// - The first entry with one of the guest's counters in use takes the unit from the host, by [`Pmu::suspend`]. From then on
///   the host's sessions count nothing until [`release`](Self::release). Before it, they also count the guest's work.
/// - An exit only halts the counters, and the next entry lets them run.
/// - `guest` reads the counts into the device. The next entry programs the counters again.
///
/// Nothing of the host's is visible to the guest, because only the device's registers are. The guest counts none of the
/// host's work, with one exception: if it counts ring 0 on Intel's processors, it counts the few instructions between `enter`
/// and the entry, and between the exit and `exit`. A host closes that gap by the entry and exit controls of
/// IA32_PERF_GLOBAL_CTRL. AMD's counters are limited to guests (`GUEST_ONLY`) and Arm's count nothing at EL2.
///
/// An overflow interrupts the host once: the counter goes on from 0 until the guest writes it, which is an exit. A
/// [`RateLimit`](crate::virt::RateLimit) around the device's trigger holds the guest's own interrupts back.
///
/// A guest of Intel's that freezes its counters at an overflow (FREEZE_PERFMON_ON_PMI) counts on until the exit, unless the host
/// loads bit 12 of the guest's IA32_DEBUGCTL at the entry. The host passes that register on to the device in any case.
///
/// All functions are called on the unit's own CPU; elsewhere they return [`Error::WrongCpu`]. Interrupts are off from `enter`
/// to `exit`. From `enter` until `guest` has returned, the counts are in this CPU's unit: the host keeps its thread there, and
/// calls `guest` before the thread may move. [`release`](Self::release) one guest before another is entered there.
/// A virtual CPU that moves to another CPU has another pass-through there, whose device is
/// [restored](crate::virt::Device::restore) from this one's.
///
/// Dropping a `Mediated` releases the unit. If it is dropped on another CPU, the next operation on the unit's own CPU takes the
/// unit back, and the next overflow interrupt there halts it.
///
/// ```
/// use pmu::arch::x86::intel::{Device, Identity, Intel};
/// use pmu::arch::x86::{Msr, Unattached, Window};
/// use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
/// use pmu::{Mode, Unit};
/// use pmu::virt::Mediated;
///
/// // The processor, of which the host has the unit; in a hypervisor it is `Hardware`.
/// let processor = Device::new(&Identity::SKYLAKE, Kinds::CLOCK.with(Kind::CacheMisses), Unconnected);
/// let unit = Unit::<Intel<_, _>, 0>::new();
/// let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &processor, Unattached)?)?;
///
/// let device = Device::new(&Identity::SKYLAKE, Kinds::NONE, Unconnected);
/// let mut mediated = Mediated::new(pmu, device)?;
/// mediated.guest()?.try_write(Msr::select(0).unwrap(), 0x0053_412E).unwrap(); // LONGEST_LAT_CACHE.MISS
/// mediated.guest()?.try_write(Msr::GLOBAL_CONTROL, 1).unwrap();
///
/// mediated.enter()?;
/// processor.advance(&Work::none(Mode::User).with(Kind::CacheMisses, 7)); // the guest runs
/// mediated.exit()?;
/// processor.advance(&Work::none(Mode::Kernel).with(Kind::CacheMisses, 100)); // the host does
/// assert_eq!(mediated.guest()?.try_read(Msr::counter(Window::Full, 0).unwrap()), Ok(7));
/// # Ok::<(), pmu::Error>(())
/// ```
pub struct Mediated<'u, D: Driver, G> {
    unit: OfHost<'u, D>,
    guest: G,
    /// The host's image, which stays empty.
    image: D::Image,
    /// The guest's counters that the unit holds.
    loaded: CounterSet,
}

/// The host's unit. Dropping it gives it back.
struct OfHost<'u, D: Driver> {
    pmu: Pmu<'u, D>,
    /// The claim of the CPU whose unit it is.
    claim: Claim,
    /// The number by which the unit knows that it is this guest's; 0 while it is the host's.
    serial: u64,
}

impl<'u, D, G> Mediated<'u, D, G>
where
    D: Driver,
    G: PassThrough<Address = Address<D>, Index = Index<D>>,
{
    /// Creates the pass-through of a guest to this unit. The unit stays the host's until the guest uses a counter.
    ///
    /// The guest MUST be shown the processor itself or a subset of it: the host's identity (`Identity::of_host`), possibly
    /// narrowed. On Arm that identity has no EL2, by
    /// [`for_guest`](crate::arch::aarch64::pmuv3::Identity::for_guest). The descriptions of both units are compared.
    ///
    /// # Errors
    /// [`Error::NoPassThrough`]: the unit lacks what the guest is told of, its version cannot be passed through (on Intel
    /// before 4 or without full-width writes, on AMD before PerfMonV2), or somebody else uses some of its counters.
    /// [`Error::WrongCpu`], [`Error::NotClaimed`].
    pub fn new(pmu: Pmu<'u, D>, guest: G) -> Result<Self> {
        let real = pmu.description();
        let fits = match real.used_by_others.is_empty() {
            true => guest.fits(&real, |request| pmu.driver().encode(request).is_ok()),
            false => Err("somebody else uses counters of the unit"),
        };
        fits.map_err(|reason| Error::NoPassThrough { reason })?;
        let claim = pmu.held_here()?;
        let unit = OfHost { pmu, claim, serial: 0 };
        Ok(Self { unit, guest, image: D::Image::BLANK, loaded: CounterSet::EMPTY })
    }

    /// Lets the guest's counters run on the real unit. Does nothing if none is in use.
    ///
    /// # Errors
    /// [`Error::WrongCpu`]; [`Error::Invalidated`] if the host has resumed its unit or given it up:
    /// [`into_guest`](Self::into_guest) returns the guest's unit, for another pass-through;
    /// the errors of [`Pmu::suspend`], if the host has the unit, and [`Error::GuestIn`], if another guest has it;
    /// [`Error::Halted`]. Nothing has changed then.
    #[inline]
    pub fn enter(&mut self) -> Result<()> {
        let _scope = self.unit.at_home()?;
        if self.loaded.is_empty() && !self.guest.in_use().is_empty() {
            self.load()?;
        }
        if self.loaded.is_empty() { Ok(()) } else { self.run() }
    }

    /// Halts the guest's counters.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] and [`Error::Invalidated`], as [`enter`](Self::enter). Nothing has changed then.
    #[inline]
    pub fn exit(&mut self) -> Result<()> {
        let _scope = self.unit.at_home()?;
        if !self.loaded.is_empty() {
            self.unit.pmu.driver().run(&self.image, CounterSet::EMPTY);
        }
        Ok(())
    }

    /// Returns the guest's unit, after bringing its counts home. The guest does not run.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] and [`Error::Invalidated`], as [`enter`](Self::enter). Nothing has changed then.
    #[inline]
    pub fn guest(&mut self) -> Result<&G> {
        let _scope = self.unit.at_home()?;
        self.collect();
        Ok(&self.guest)
    }

    /// Accounts for the unit's overflow interrupt, and lets the next one come: the device's trigger is called if the guest
    /// is to have it. The host calls it after [`exit`](Self::exit), also for an interrupt that has come late.
    ///
    /// The host's own handler leaves the unit alone meanwhile, and answers [`Handled::Guest`](crate::Handled::Guest).
    ///
    /// # Errors
    /// [`Error::WrongCpu`] and [`Error::Invalidated`], as [`enter`](Self::enter). Nothing has changed then.
    pub fn interrupted(&mut self) -> Result<()> {
        let _scope = self.unit.at_home()?;
        if self.unit.serial != 0 {
            self.collect();
            self.unit.pmu.driver().rearm();
        }
        Ok(())
    }

    /// Gives the unit back to the host, whose sessions go on.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] and [`Error::Invalidated`], as [`enter`](Self::enter). Nothing has changed then.
    pub fn release(&mut self) -> Result<()> {
        let _scope = self.unit.at_home()?;
        if self.unit.serial != 0 {
            self.collect();
            self.unit.pmu.wake()?;
            self.unit.serial = 0;
        }
        Ok(())
    }

    /// Returns the guest's unit, whatever has become of the host's: its counts are brought home and the host's unit is given
    /// back, as by [`release`](Self::release). If that is an error, what the guest has counted since
    /// [`guest`](Self::guest) was last called is lost.
    pub fn into_guest(mut self) -> G {
        _ = self.release();
        self.guest
    }

    /// Lets the guest's counters run, unless the unit was halted. A halt may come in between.
    #[inline]
    fn run(&self) -> Result<()> {
        let pmu = self.unit.pmu;
        pmu.driver().run(&self.image, self.loaded);
        pmu.fence();
        if pmu.shared.counting.is_halted() {
            pmu.driver().run(&self.image, CounterSet::EMPTY);
            return Err(Error::Halted);
        }
        Ok(())
    }

    /// Programs the guest's counters in the unit, which the host gives up first.
    #[cold]
    fn load(&mut self) -> Result<()> {
        if self.unit.pmu.shared.counting.is_halted() {
            return Err(Error::Halted);
        }
        if self.unit.serial == 0 {
            self.unit.serial = self.unit.pmu.give_to_guest()?;
        }
        self.guest.load(self.unit.pmu.driver().registers());
        self.loaded = self.guest.in_use();
        Ok(())
    }

    /// Brings the guest's counts home, if they are in the unit.
    #[inline]
    fn collect(&mut self) {
        if !self.loaded.is_empty() {
            self.collect_loaded();
        }
    }

    #[inline(never)]
    fn collect_loaded(&mut self) {
        let driver = self.unit.pmu.driver();
        self.guest.collect(driver.registers());
        driver.acknowledge(&self.image, self.loaded);
        self.loaded = CounterSet::EMPTY;
    }
}

impl<'u, D: Driver> OfHost<'u, D> {
    /// Checks that this is the unit's own CPU. Ordinary interrupts are off until the result is dropped.
    #[inline(always)]
    fn at_home(&self) -> Result<Scope<'u, D>> {
        let scope = Scope::enter(self.pmu.driver);
        let here = self.pmu.cpu();
        if self.has_its_unit() && self.claim.is_of(here) { Ok(scope) } else { Err(self.refusal(here)) }
    }

    /// Returns true if the unit was not given up, and is this guest's if it was.
    #[inline(always)]
    fn has_its_unit(&self) -> bool {
        let ownership = &self.pmu.shared.ownership;
        ownership.is(self.claim) && (self.serial == 0 || ownership.guest().is(self.serial))
    }

    #[cold]
    #[inline(never)]
    fn refusal(&self, here: CpuId) -> Error {
        if self.has_its_unit() { Error::WrongCpu { owner: self.claim.cpu(), here } } else { Error::Invalidated }
    }
}

impl<D: Driver> Drop for OfHost<'_, D> {
    fn drop(&mut self) {
        if self.serial == 0 {
            return;
        }
        match self.at_home() {
            // It was suspended by this CPU, so it can be woken.
            Ok(_scope) => _ = self.pmu.wake(),
            Err(Error::WrongCpu { .. }) => self.pmu.shared.ownership.guest().abandon(self.serial),
            Err(_) => {}
        }
    }
}

impl<D: Driver, G> fmt::Debug for Mediated<'_, D, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mediated")
            .field("has_unit", &(self.unit.serial != 0))
            .field("loaded", &self.loaded)
            .finish_non_exhaustive()
    }
}
