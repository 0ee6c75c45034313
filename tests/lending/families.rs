//! The families that lend counters to programs.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::powerpc::book3s::{self, Book3s, Privilege};
use pmu::arch::powerpc::classic::{self, Classic};
use pmu::arch::powerpc::embedded::{self, Embedded};
use pmu::arch::powerpc::{Pmr, Spr};
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Host, Line, Sbi};
use pmu::arch::riscv::hpm::{self, Hpm};
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{self, Niagara};
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::arch::x86::{Unattached, amd, intel, netburst, p5, p6};
use pmu::driver::{Driver, Lending, Slot};
use pmu::virt::{Device as _, Unconnected};
use pmu::{CounterId, Event, Mode, Pmu, Request, Threads, Unit};

use super::{IS_CLOSED, Kinds, Of, USER, leaked};

/// A unit that is claimed, and what a program finds there.
pub(super) struct Subject<D: Driver + 'static> {
    pub(super) unit: &'static Unit<D, 0>,
    pub(super) pmu: Pmu<'static, D>,
    /// What the thread counts, on a counter that is known.
    pub(super) request: Request,
    /// Can a program read the counter with this index?
    opens: Box<dyn Fn(u32) -> bool>,
    advance: Box<dyn Fn()>,
}

impl<D: Driver> Subject<D> {
    fn new(
        driver: D,
        threads: Threads,
        (event, counter): (Event, u8),
        opens: impl Fn(u32) -> bool + 'static,
        advance: impl Fn() + 'static,
    ) -> Self {
        IS_CLOSED.set(true);
        let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim_with(driver, threads).unwrap();
        let request = Request::new(event).pinned_to(CounterId::new(counter).unwrap());
        Self { unit, pmu, request, opens: Box::new(opens), advance: Box::new(advance) }
    }

    /// A hundred instructions are executed.
    pub(super) fn work(&self) {
        (self.advance)();
    }

    /// Lends the thread's counters, in a kernel that opens them where that is the kernel's.
    pub(super) fn lend(&self) -> pmu::Result<()> {
        let lent = self.pmu.lend();
        IS_CLOSED.set(lent.is_err());
        lent
    }

    /// Are counters lent one by one?
    pub(super) fn lends_each(&self) -> bool {
        self.pmu.description().lending == Lending::Each
    }

    /// Can a program read the thread's counter?
    pub(super) fn is_open(&self) -> bool {
        self.seen(self.request.counters.lowest().expect("it is known")).is_some()
    }

    /// What a program reads of a counter, if it can.
    pub(super) fn seen(&self, counter: CounterId) -> Option<u64> {
        let driver = self.pmu.driver();
        let known = driver.counter(&Slot { counter, ..Slot::EMPTY });
        known.user_index.filter(|&index| (self.opens)(index)).map(|_| driver.read(known.handle))
    }
}

/// A processor of a family, in its own kernel.
pub(super) trait Family {
    type Driver: Driver + 'static;

    fn subject_for(threads: Threads) -> Subject<Self::Driver>;

    fn subject() -> Subject<Self::Driver> {
        Self::subject_for(Threads::Share)
    }
}

macro_rules! families {
    ($($name:ident: $driver:ty, $new:expr, |$registers:ident| $detect:expr, $request:expr, |$device:ident, $index:ident| $opens:expr;)*) => { $(
        pub(super) struct $name;

        impl Family for $name {
            type Driver = $driver;

            fn subject_for(threads: Threads) -> Subject<$driver> {
                let ($device, $registers) = leaked($new);
                let driver = $detect.expect("the identity has a unit");
                Subject::new(driver, threads, $request, move |$index| $opens, || $device.advance(&USER))
            }
        }
    )* };
}

const RV64: hpm::Identity = hpm::Identity::RV64;
const FEW: hpm::Identity = RV64.with_counters(0xFFD);

/// An Arm program reads 0 of a counter that is not its own.
fn is_read(device: &pmuv3::Device<Unconnected>, index: u32) -> bool {
    let counter = CounterId::new(index as u8).expect("it is a counter");
    device.read_from(Mode::User, SystemRegister::any_counter(counter)).is_ok_and(|value| value != 0)
}

families! {
    K8: amd::Amd<Of<amd::Device<Unconnected>>, Unattached>,
        amd::Device::new(&amd::Identity::K8, Kinds::CLOCK, Unconnected),
        |registers| amd::Amd::detect(&amd::Identity::K8, registers, Unattached),
        (Event::INSTRUCTIONS, 0), |device, _index| !IS_CLOSED.get();
    Zen4: amd::Amd<Of<amd::Device<Unconnected>>, Unattached>,
        amd::Device::new(&amd::Identity::ZEN_4, Kinds::CLOCK, Unconnected),
        |registers| amd::Amd::detect(&amd::Identity::ZEN_4, registers, Unattached),
        (Event::INSTRUCTIONS, 0), |device, _index| !IS_CLOSED.get();
    Skylake: intel::Intel<Of<intel::Device<Unconnected>>, Unattached>,
        intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, Unconnected),
        |registers| intel::Intel::detect(&intel::Identity::SKYLAKE, registers, Unattached),
        (Event::INSTRUCTIONS, 0), |device, _index| !IS_CLOSED.get();
    PentiumIII: p6::P6<Of<p6::Device<Unconnected>>, Unattached>,
        p6::Device::new(&p6::Identity::PENTIUM_III, Kinds::CLOCK, Unconnected),
        |registers| p6::P6::detect(&p6::Identity::PENTIUM_III, registers, Unattached),
        (Event::INSTRUCTIONS, 0), |device, _index| !IS_CLOSED.get();
    PentiumMmx: p5::P5<Of<p5::Device>>,
        p5::Device::new(&p5::Identity::P5_MMX, Kinds::CLOCK),
        |registers| p5::P5::detect(&p5::Identity::P5_MMX, registers),
        (Event::INSTRUCTIONS, 0), |device, _index| !IS_CLOSED.get();
    Pentium4: netburst::Netburst<Of<netburst::Device<Unconnected>>, Unattached>,
        netburst::Device::new(&netburst::Identity::PENTIUM_4, Kinds::CLOCK, Unconnected),
        |registers| netburst::Netburst::detect_as(&netburst::Identity::PENTIUM_4, registers, Unattached, netburst::View::All, None),
        (Event::INSTRUCTIONS, 12), |device, _index| !IS_CLOSED.get();
    NeoverseN1: Pmuv3<Of<pmuv3::Device<Unconnected>>>,
        pmuv3::Device::new(&pmuv3::Identity::NEOVERSE_N1.for_guest(), Kinds::CLOCK, Unconnected),
        |registers| Pmuv3::detect(registers),
        (Event::INSTRUCTIONS, 0), |device, index| is_read(device, index);
    Armv9_4: Pmuv3<Of<pmuv3::Device<Unconnected>>>,
        pmuv3::Device::new(&pmuv3::Identity::ARMV9_4.for_guest(), Kinds::CLOCK, Unconnected),
        |registers| Pmuv3::detect(registers),
        (Event::INSTRUCTIONS, 0), |device, index| is_read(device, index);
    Power9: Book3s<Of<book3s::Device<Unconnected>>>,
        book3s::Device::new(&book3s::Identity::POWER9, Kinds::CLOCK, Unconnected),
        |registers| Book3s::detect(book3s::Identity::POWER9.pvr(), Privilege::Supervisor, registers),
        (Event::CYCLES, 1), |device, index| device.read_from(Mode::User, Spr::from_number(index as u16).unwrap()).is_ok();
    Ppc750: Classic<Of<classic::Device<Unconnected>>>,
        classic::Device::new(&classic::Identity::P750, Kinds::CLOCK, Unconnected),
        |registers| Classic::detect(classic::Identity::P750.pvr(), registers),
        (Event::INSTRUCTIONS, 0), |device, index| device.read_from(Mode::User, Spr::from_number(index as u16).unwrap()).is_ok();
    E500: Embedded<Of<embedded::Device<Unconnected>>>,
        embedded::Device::new(&embedded::Identity::E500_V2, Kinds::CLOCK, Unconnected),
        |registers| Embedded::detect(embedded::Identity::E500_V2.pvr(), registers),
        (Event::INSTRUCTIONS, 0), |device, index| device.read_from(Mode::User, Pmr::from_number(index as u16).unwrap()).is_ok();
    UltraSparc3: UltraSparc<Of<ultrasparc::Device<Unconnected>>>,
        ultrasparc::Device::new(&ultrasparc::Identity::III, Kinds::CLOCK, Unconnected),
        |registers| UltraSparc::detect(ultrasparc::Identity::III.version(), registers),
        (Event::INSTRUCTIONS, 0), |device, _index| device.read_from(Mode::User, Asr::Pic).is_ok();
    T2: Niagara<Of<niagara::Device<Unconnected>>>,
        niagara::Device::new(&niagara::Identity::T2, Kinds::CLOCK, Unconnected),
        |registers| Niagara::detect(niagara::Identity::T2.compatible(), niagara::Identity::T2.capabilities().privilege, registers),
        (Event::INSTRUCTIONS, 0), |device, _index| device.read_from(Mode::User, Asr::Pic).is_ok();
    Rv64: Hpm<Of<hpm::Device<Unconnected>>>,
        hpm::Device::new(&RV64, Kinds::CLOCK, Unconnected),
        |registers| Hpm::detect(registers, RV64.privilege(), &RV64.announced()),
        (Event::INSTRUCTIONS, 34), |device, index| device.try_read_in_user(Csr::user_counter(index as u8).unwrap()).is_ok();
    Rv64Firmware: Sbi<Of<Host<Unconnected>>>,
        Host::new(&FEW, Kinds::CLOCK, Unconnected),
        |registers| Sbi::detect(registers, &FEW.announced(), Line::Local, &[]),
        (Event::INSTRUCTIONS, 2), |device, index| device.try_read_in_user(Csr::user_counter(index as u8).unwrap()).is_ok();
}
