//! What was lent ends where the right to it ends.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{self, Book3s, Privilege};
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{self, Hpm};
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{self, Niagara};
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::arch::x86::{Unattached, amd, intel};
use pmu::virt::{Device as _, Fault};
use pmu::{CounterId, Driver, Error, Event, Mode, Pmu, Request, Result, Threads, Unit};

use super::{INSTRUCTIONS, IS_CLOSED, Kinds, USER, Unconnected, leaked, thread_in};

/// A unit, and what a program finds there.
struct Subject<'a, D> {
    name: &'a str,
    driver: D,
    /// What the thread counts: on a counter that is known.
    request: Request,
    /// Can a program read the thread's counter?
    is_open: &'a dyn Fn() -> bool,
    /// A hundred instructions are executed.
    work: &'a dyn Fn(),
    /// Are counters lent one by one?
    each: bool,
}

trait Behaviour {
    fn holds<D: Driver>(subject: Subject<'_, D>);
}

/// Tells a behaviour of a device's unit. The request is the thread's, and `$open` looks as the program does.
macro_rules! subject {
    ($behaviour:ty, $identity:expr, $device:ident = $new:expr, $driver:expr, $request:expr, $each:expr, $open:expr) => {{
        let ($device, registers) = leaked($new);
        let driver = $driver(registers).unwrap();
        let (is_open, work) = ($open, || $device.advance(&USER));
        let (name, is_open, work): (_, &dyn Fn() -> bool, &dyn Fn()) = ($identity.name(), &is_open, &work);
        <$behaviour>::holds(Subject { name, driver, request: $request, is_open, work, each: $each });
    }};
}

fn on_every_family<B: Behaviour>() {
    let first = INSTRUCTIONS.pinned_to(CounterId::ZERO);
    let by_kernel = || !IS_CLOSED.get();
    for identity in [amd::Identity::K8, amd::Identity::ZEN_4] {
        let driver = |registers| amd::Amd::<_, _>::detect(&identity, registers, Unattached);
        subject!(
            B,
            identity,
            device = amd::Device::new(&identity, Kinds::CLOCK, Unconnected),
            driver,
            first,
            false,
            by_kernel
        );
    }
    let identity = intel::Identity::SKYLAKE;
    let driver = |registers| intel::Intel::<_, _>::detect(&identity, registers, Unattached);
    subject!(
        B,
        identity,
        device = intel::Device::new(&identity, Kinds::CLOCK, Unconnected),
        driver,
        first,
        false,
        by_kernel
    );
    for (identity, each) in [(pmuv3::Identity::NEOVERSE_N1, false), (pmuv3::Identity::ARMV9_4, true)] {
        let counter = SystemRegister::counter(0).unwrap();
        let new = pmuv3::Device::new(&identity.for_guest(), Kinds::CLOCK, Unconnected);
        subject!(B, identity, device = new, Pmuv3::detect, first, each, || {
            device.read_from(Mode::User, counter).is_ok_and(|value| value != 0)
        });
    }
    let identity = book3s::Identity::POWER9;
    let second = Request::new(Event::CYCLES).pinned_to(CounterId::new(1).unwrap());
    let driver = |registers| Book3s::detect(identity.pvr(), Privilege::Supervisor, registers);
    let new = book3s::Device::new(&identity, Kinds::CLOCK, Unconnected);
    subject!(B, identity, device = new, driver, second, false, || {
        device.problem().try_read(Spr::from_number(772).unwrap()).is_ok()
    });
    let identity = ultrasparc::Identity::III;
    let driver = |registers| UltraSparc::detect(identity.version(), registers);
    let new = ultrasparc::Device::new(&identity, Kinds::CLOCK, Unconnected);
    subject!(B, identity, device = new, driver, first, false, || device.problem().try_read(Asr::Pic).is_ok());
    let identity = niagara::Identity::T2;
    let driver = |registers| Niagara::detect(identity.compatible(), identity.capabilities().privilege, registers);
    let new = niagara::Device::new(&identity, Kinds::CLOCK, Unconnected);
    subject!(B, identity, device = new, driver, first, false, || device.problem().try_read(Asr::Pic).is_ok());
    let identity = hpm::Identity::RV64;
    let driver = |registers| Hpm::detect(registers, identity.privilege(), &identity.announced());
    let instret = INSTRUCTIONS.pinned_to(CounterId::new(34).unwrap());
    let new = hpm::Device::new(&identity, Kinds::CLOCK, Unconnected);
    subject!(B, identity, device = new, driver, instret, true, || {
        device.try_read_in_user(Csr::user_counter(2).unwrap()).is_ok()
    });
}

/// Lends the thread's counters, in a kernel that opens them where that is the kernel's.
fn lend<D: Driver>(pmu: &Pmu<'_, D>) -> Result<()> {
    let lent = pmu.lend();
    IS_CLOSED.set(lent.is_err());
    lent
}

struct Opened;

impl Behaviour for Opened {
    fn holds<D: Driver>(subject: Subject<'_, D>) {
        let Subject { name, driver, request, is_open, work, each } = subject;
        let unit = Unit::<D, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let thread = thread_in(&pmu, request);
        lend(&pmu).unwrap();
        work();
        assert!(pmu.open([request]).is_err() && is_open(), "{name}: none was opened");
        let mut session = pmu.open([INSTRUCTIONS]).unwrap();
        assert_eq!(is_open(), each, "{name}: a session is open");
        assert_eq!(lend(&pmu).is_ok(), each, "{name}: it is in the way");
        session.start().unwrap();
        work();
        assert_eq!(session.read(), Ok([100]), "{name}");
        drop(session);
        assert!(lend(&pmu).is_ok() && is_open(), "{name}: it is gone");
        assert_eq!(pmu.thread_counts(&thread).unwrap().raw, [200], "{name}");
        pmu.take_back().unwrap();
        assert!(!is_open(), "{name}: it is taken back");
    }
}

#[test]
fn lending_ends_where_a_session_is_opened_that_the_program_would_see() {
    on_every_family::<Opened>();
}

/// What ends the lending of a thread's counters.
type End<D> = fn(&Pmu<'_, D>, &Unit<D, 0>);

struct Evicted;

impl Behaviour for Evicted {
    fn holds<D: Driver>(subject: Subject<'_, D>) {
        let Subject { name, driver, request, is_open, work, .. } = subject;
        let unit = Unit::<D, 0>::new();
        let pmu = unit.claim_with(driver, Threads::Yield).unwrap();
        let ends: [(&str, End<D>); 4] = [
            ("its thread is evicted", |pmu, _| pmu.evict().unwrap()),
            ("its thread yields to a session", |pmu, _| drop(pmu.open([INSTRUCTIONS]).unwrap())),
            ("the unit is given up", |pmu, unit| {
                pmu.revoke().unwrap();
                assert!(unit.reclaim().is_ok());
            }),
            ("the unit sleeps", |pmu, unit| {
                pmu.evict().unwrap();
                pmu.suspend().unwrap();
                assert!(unit.resume().is_ok());
            }),
        ];
        for (what, end) in ends {
            let mut thread = thread_in(&pmu, request);
            lend(&pmu).unwrap();
            work();
            assert!(is_open(), "{name}");
            end(&pmu, &unit);
            assert!(!is_open(), "{name}: {what}");
            pmu.switch_out(&mut thread);
            assert_eq!(thread.counts().err(), Some(Error::Invalidated), "{name}: {what}");
        }
    }
}

#[test]
fn lending_ends_where_the_threads_counters_are_taken_from_it() {
    on_every_family::<Evicted>();
}

struct Asleep;

impl Behaviour for Asleep {
    fn holds<D: Driver>(subject: Subject<'_, D>) {
        let Subject { name, driver, request, is_open, work, .. } = subject;
        let unit = Unit::<D, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let ends: [fn(&Pmu<'_, D>); 2] = [|pmu| pmu.suspend().unwrap(), |pmu| pmu.release().unwrap()];
        for end in ends {
            let mut thread = thread_in(&pmu, request);
            lend(&pmu).unwrap();
            work();
            assert!(is_open(), "{name}");
            pmu.switch_out(&mut thread);
            end(&pmu);
            assert!(IS_CLOSED.get(), "{name}: the kernel is told, and the registers are as they were before the claim");
            assert!(unit.resume().or_else(|_| unit.reclaim()).is_ok(), "{name}");
            let mut session = pmu.open([request]).unwrap();
            session.start().unwrap();
            work();
            assert!(!is_open(), "{name}: what runs is a session's");
            assert_eq!(session.read(), Ok([100]), "{name}");
        }
    }
}

#[test]
fn lending_ends_with_a_sleep_and_a_release() {
    on_every_family::<Asleep>();
}

struct Shown;

impl Behaviour for Shown {
    fn holds<D: Driver>(subject: Subject<'_, D>) {
        let Subject { name, driver, request, .. } = subject;
        let unit = Unit::<D, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let shown = pmu.open([request]).unwrap();
        pmu.show_only(&shown).unwrap();
        IS_CLOSED.set(false);
        pmu.evict().unwrap();
        assert!(!IS_CLOSED.get(), "{name}: nobody was in");
        let _beside = pmu.open([INSTRUCTIONS]).unwrap();
        assert!(IS_CLOSED.get(), "{name}");
    }
}

#[test]
fn a_session_is_shown_until_another_one_is_opened() {
    on_every_family::<Shown>();
}

struct ShownBesideThreads;

impl Behaviour for ShownBesideThreads {
    fn holds<D: Driver>(subject: Subject<'_, D>) {
        let Subject { name, driver, request, .. } = subject;
        let unit = Unit::<D, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let shown = pmu.open([request]).unwrap();
        pmu.show_only(&shown).unwrap();
        IS_CLOSED.set(false);
        let mut waiting = thread_in(&pmu, request);
        pmu.switch_out(&mut waiting);
        assert!(!IS_CLOSED.get(), "{name}: the shown session has its counter");
        let mut thread = thread_in(&pmu, INSTRUCTIONS);
        assert!(IS_CLOSED.get(), "{name}: it would be seen");
        IS_CLOSED.set(false);
        pmu.switch_out(&mut thread);
        pmu.show_only(&shown).unwrap();
        drop(shown);
        pmu.switch_in(&mut thread);
        assert!(IS_CLOSED.get(), "{name}: it would be seen after the session too");
    }
}

#[test]
fn a_session_is_shown_until_a_thread_gets_counters_beside_it() {
    on_every_family::<ShownBesideThreads>();
}

/// A program that another one is scheduled after without [`Pmu::take_back`] sees nothing of it.
struct Followed;

impl Behaviour for Followed {
    fn holds<D: Driver>(subject: Subject<'_, D>) {
        let Subject { name, driver, request, is_open, work, .. } = subject;
        let unit = Unit::<D, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let mut thread = thread_in(&pmu, request);
        lend(&pmu).unwrap();
        pmu.switch_out(&mut thread);
        pmu.switch_in(&mut thread);
        work();
        assert!(is_open(), "{name}: it is the same thread");
        pmu.switch_out(&mut thread);
        let _next = thread_in(&pmu, request);
        work();
        assert!(!is_open(), "{name}: it is another one");
    }
}

#[test]
fn lending_ends_where_another_thread_gets_the_counters() {
    on_every_family::<Followed>();
}

/// %pic is a program's to write while it is lent.
#[test]
fn a_session_that_was_opened_beside_a_program_on_sparc_is_out_of_its_reach() {
    let identity = ultrasparc::Identity::III;
    let (device, registers) = leaked(ultrasparc::Device::new(&identity, Kinds::CLOCK, Unconnected));
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(UltraSparc::detect(identity.version(), registers).unwrap()).unwrap();
    let _thread = thread_in(&pmu, INSTRUCTIONS);
    pmu.lend().unwrap();
    assert_eq!(device.problem().try_write(Asr::Pic, 0), Ok(()));
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    device.advance(&USER);
    assert_eq!(device.problem().try_write(Asr::Pic, 0), Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!(session.read(), Ok([100]));
}
