//! A pass-through belongs to the CPU of its unit: used elsewhere it is refused, dropped elsewhere it is freed at home.

use std::cell::Cell;

use pmu::arch::aarch64::{SystemRegister, pmuv3};
use pmu::arch::x86::amd::device::Svm;
use pmu::arch::x86::{Block, Msr, Unattached, amd, intel};
use pmu::virt::{Device, Kinds, PassThrough, Work};
use pmu::{
    CpuId, Driver, Error, Event, Handled, Interrupted, Kernel, Mediated, Mode, Pmu, Registers, Result, Session, Unit,
    WithKernel,
};

use crate::mediated::{ALL, Heard, OfAmd, OfArm, counting, of_intel};

thread_local! {
    static HERE: Cell<u32> = const { Cell::new(0) };
}

/// The kernel of a host with several CPUs.
#[derive(Clone, Copy, Debug)]
struct Cpus;

impl Kernel for Cpus {
    fn cpu(&self) -> CpuId {
        CpuId(HERE.get())
    }
}

/// The registers of a processor, in that kernel.
type Of<G> = WithKernel<&'static G, Cpus>;

/// A CPU of the host.
struct Cpu<D: Driver + 'static, G: 'static> {
    processor: &'static G,
    unit: &'static Unit<D, 16>,
    pmu: Pmu<'static, D>,
    /// Tells the processor whether a guest runs.
    runs: fn(&G, bool),
}

impl<D: Driver, G: Device + Registers> Cpu<D, G> {
    fn new(number: u32, processor: G, driver: fn(Of<G>) -> Result<D>, runs: fn(&G, bool)) -> Self {
        HERE.set(number);
        let processor: &'static G = Box::leak(Box::new(processor));
        let unit: &'static Unit<D, 16> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(driver(WithKernel::new(processor, Cpus)).unwrap()).unwrap();
        Self { processor, unit, pmu, runs }
    }

    /// A session of the host that counts instructions.
    fn session(&self) -> Session<'static, D, 1> {
        let mut session = self.pmu.open([Event::INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        session
    }

    fn guest_works(&self, instructions: u64) {
        (self.runs)(self.processor, true);
        self.host_works(instructions);
        (self.runs)(self.processor, false);
    }

    /// Would anything be counted if a guest ran?
    fn counts_a_guest(&self) -> bool {
        (self.runs)(self.processor, true);
        let counts = self.processor.wanted() != Kinds::NONE;
        (self.runs)(self.processor, false);
        counts
    }

    fn host_works(&self, instructions: u64) {
        self.processor.advance(&Work::instructions(Mode::User, instructions));
    }
}

/// What is tested on each family.
trait Behaviour {
    /// `cpus` are the CPUs 0 and 1, `guest` counts its instructions, and `counted` returns how many.
    fn holds<D, G>(cpus: [Cpu<D, G>; 2], guest: G, counted: fn(&G) -> u64)
    where
        D: Driver,
        G: Device + Registers,
        G: PassThrough<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>;
}

fn on_every_family<B: Behaviour>() {
    let intel_driver = |registers| intel::Intel::<_, _>::detect(&intel::Identity::SKYLAKE, registers, Unattached);
    let cpus = [0, 1].map(|cpu| Cpu::new(cpu, of_intel(&intel::Identity::SKYLAKE, ALL), intel_driver, |_, _| ()));
    HERE.set(0);
    B::holds(cpus, counting(1 << 40), |guest| guest.state().general[0] - ((1 << 48) - (1 << 40)));

    let of_amd = || OfAmd::new(&amd::Identity::ZEN_4, ALL, Heard::default());
    let amd_driver = |registers| amd::Amd::<_, _>::detect(&amd::Identity::ZEN_4, registers, Unattached);
    let runs = |processor: &OfAmd, guest| processor.set_svm(if guest { Svm::Guest } else { Svm::Off });
    let cpus = [0, 1].map(|cpu| Cpu::new(cpu, of_amd(), amd_driver, runs));
    let guest = of_amd();
    guest.try_write(Msr::core_select(Block::Core, 0).unwrap(), 0x0043_00C0).unwrap();
    guest.try_write(Msr::CORE_CONTROL, 1).unwrap();
    HERE.set(0);
    B::holds(cpus, guest, |guest| guest.state().counters[0]);

    let identity = pmuv3::Identity::NEOVERSE_N2;
    let processor = || OfArm::new(&identity, ALL, Heard::default()).driven_from(Mode::Hypervisor);
    let cpus = [0, 1].map(|cpu| Cpu::new(cpu, processor(), pmuv3::Pmuv3::detect, |_, _| ()));
    let guest = OfArm::new(&identity.for_guest(), ALL, Heard::default());
    guest.try_write(SystemRegister::select(0).unwrap(), 0x08).unwrap();
    guest.try_write(SystemRegister::ENABLE_SET, 1).unwrap();
    guest.try_write(SystemRegister::CONTROL, pmuv3::Control::ENABLE.bits()).unwrap();
    HERE.set(0);
    B::holds(cpus, guest, |guest| guest.state().counters[0]);
}

struct Moved;

impl Behaviour for Moved {
    fn holds<D, G>([home, other]: [Cpu<D, G>; 2], guest: G, counted: fn(&G) -> u64)
    where
        D: Driver,
        G: Device + Registers,
        G: PassThrough<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>,
    {
        let mut mediated = Mediated::new(home.pmu, guest).unwrap();
        mediated.enter().unwrap();
        home.guest_works(10);
        mediated.exit().unwrap();
        HERE.set(1);
        let session = other.session();
        let wrong = Error::WrongCpu { owner: CpuId(0), here: CpuId(1) };
        assert_eq!(mediated.enter(), Err(wrong));
        other.host_works(100);
        assert_eq!(mediated.exit(), Err(wrong));
        assert_eq!(mediated.interrupted(), Err(wrong));
        assert_eq!(mediated.guest().err(), Some(wrong));
        assert_eq!(mediated.release(), Err(wrong));
        other.host_works(23);
        assert_eq!(session.read(), Ok([123]), "the host's session counts on");
        HERE.set(0);
        mediated.enter().unwrap();
        home.guest_works(7);
        mediated.exit().unwrap();
        assert_eq!(mediated.guest().map(counted), Ok(17), "the guest has its own alone");
    }
}

#[test]
fn a_pass_through_is_used_on_the_cpu_of_its_unit_alone() {
    on_every_family::<Moved>();
}

struct Dropped;

impl Behaviour for Dropped {
    fn holds<D, G>([home, _]: [Cpu<D, G>; 2], guest: G, _: fn(&G) -> u64)
    where
        D: Driver,
        G: Device + Registers,
        G: PassThrough<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>,
    {
        let session = home.session();
        home.host_works(5);
        let mut mediated = Mediated::new(home.pmu, guest).unwrap();
        mediated.enter().unwrap();
        HERE.set(1);
        drop(mediated);
        HERE.set(0);
        assert!(home.counts_a_guest(), "it was dropped without an exit");
        assert_eq!(home.unit.on_overflow(Interrupted::default()), Handled::Guest);
        assert!(!home.counts_a_guest(), "an interrupt halts it");
        home.host_works(100);
        assert_eq!(session.read(), Ok([5]), "the next operation takes it back");
        home.host_works(8);
        assert_eq!(session.read(), Ok([13]), "the host's session goes on");
        assert_eq!(home.unit.on_overflow(Interrupted::default()), Handled::NotMine);
    }
}

#[test]
fn a_pass_through_that_is_dropped_on_another_cpu_is_freed_at_home() {
    on_every_family::<Dropped>();
}

struct Resumed;

impl Behaviour for Resumed {
    fn holds<D, G>([home, _]: [Cpu<D, G>; 2], guest: G, counted: fn(&G) -> u64)
    where
        D: Driver,
        G: Device + Registers,
        G: PassThrough<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>,
    {
        let session = home.session();
        let mut mediated = Mediated::new(home.pmu, guest).unwrap();
        mediated.enter().unwrap();
        home.guest_works(10);
        mediated.exit().unwrap();
        assert_eq!(mediated.guest().map(counted), Ok(10));
        mediated.enter().unwrap();
        mediated.exit().unwrap();
        home.unit.resume().unwrap();
        let refused = [mediated.enter(), mediated.exit(), mediated.interrupted(), mediated.release()];
        assert_eq!(refused, [Err(Error::Invalidated); 4]);
        assert_eq!(mediated.guest().err(), Some(Error::Invalidated));
        home.host_works(6);
        let guest = mediated.into_guest();
        home.host_works(6);
        assert_eq!(session.read(), Ok([12]), "the host's session goes on");
        let mut mediated = Mediated::new(home.pmu, guest).unwrap();
        mediated.enter().unwrap();
        home.guest_works(3);
        mediated.exit().unwrap();
        assert_eq!(counted(&mediated.into_guest()), 13, "the guest goes on as well");
        home.host_works(6);
        assert_eq!(session.read(), Ok([18]), "the unit is the host's again");
    }
}

/// The host takes its unit back without the guest's leave: nothing of the guest's is in it any more.
#[test]
fn a_pass_through_whose_unit_the_host_has_resumed_touches_it_no_more() {
    on_every_family::<Resumed>();
}

struct Halted;

impl Behaviour for Halted {
    fn holds<D, G>([home, _]: [Cpu<D, G>; 2], guest: G, counted: fn(&G) -> u64)
    where
        D: Driver,
        G: Device + Registers,
        G: PassThrough<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>,
    {
        let session = home.session();
        let mut mediated = Mediated::new(home.pmu, guest).unwrap();
        mediated.enter().unwrap();
        home.guest_works(7);
        home.unit.halt();
        assert!(!home.counts_a_guest(), "nothing interrupts amid the last words");
        mediated.exit().unwrap();
        assert_eq!(mediated.enter(), Err(Error::Halted));
        assert!(!home.counts_a_guest(), "nor after another entry");
        assert_eq!(mediated.guest().map(counted), Ok(7));
        assert_eq!(mediated.enter(), Err(Error::Halted));
        let guest = mediated.into_guest();
        home.host_works(5);
        assert_eq!(session.read(), Ok([0]), "the host's session rests too");
        drop(session);
        home.pmu.release().unwrap();
        let mut mediated = Mediated::new(home.unit.reclaim().unwrap(), guest).unwrap();
        mediated.enter().unwrap();
        home.guest_works(4);
        mediated.exit().unwrap();
        assert_eq!(mediated.guest().map(counted), Ok(11), "it counts once the unit was claimed again");
    }
}

#[test]
fn a_halt_stops_a_guests_counters_until_the_unit_is_claimed_again() {
    on_every_family::<Halted>();
}
