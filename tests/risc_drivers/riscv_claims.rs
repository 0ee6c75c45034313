//! A claim of the firmware's unit: what it puts aside, and what a release leaves.

use crate::support::registers::Altered;
use std::cell::Cell;

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::Identity;
use pmu::arch::riscv::hpm::sbi::{Address, Call, Host, Line, NoMemory, Sbi, SbiError};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{CounterId, CounterSet, Event, Mode, Request, Unit};

/// The first event of the firmware.
const FIRMWARE: u64 = 0xF_0000;

type Plain = Host<Unconnected>;

const FEW: Identity = Identity::RV64.with_counters(0xFD);

fn host() -> Plain {
    Host::new(&FEW, Kinds::CLOCK, Unconnected)
}

#[test]
fn a_release_lets_cycle_and_instret_go_on() {
    let host = host();
    let unit = Unit::<Sbi<&Plain>, 0>::new();
    host.advance(&Work::instructions(Mode::Kernel, 1000));
    let pmu = unit.claim(Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap()).unwrap();
    let ([counted], ()) =
        pmu.count([Event::INSTRUCTIONS], || host.advance(&Work::instructions(Mode::User, 50))).unwrap();
    assert_eq!(counted, 50);
    pmu.release().unwrap();
    host.advance(&Work::instructions(Mode::User, 5));
    assert_eq!(host.try_read_counter(Csr::user_counter(2).unwrap()), Ok(1005));
}

/// A firmware whose instret has no event before it is configured, and is not stopped before. It counts from boot on, and goes
/// on as it is configured.
fn strict(host: &Plain) -> Altered<'_, &Plain> {
    let is_configured = Cell::new(false);
    Altered::new(host).reading(move |host, at| match at {
        Address::Call(Call::Stop(counters) | Call::Reset(counters))
            if counters.bits() == 0b100 && !is_configured.get() =>
        {
            host.read(Address::Call(Call::Stop(CounterSet::EMPTY)))
        }
        Address::Call(Call::Configure { counters, .. }) if counters.bits() == 0b100 => {
            is_configured.set(true);
            let answer = host.read(at);
            host.read(Address::Call(Call::Start(counters)));
            answer
        }
        _ => host.read(at),
    })
}

#[test]
fn a_release_lets_instret_go_on_where_it_could_not_be_stopped_before_and_does_that_once() {
    let detected = Sbi::detect(host(), &FEW.announced(), Line::Local, &[]).unwrap();
    let capabilities = detected.capabilities().clone();
    let host = host();
    let unit = Unit::<_, 0>::new();
    host.advance(&Work::instructions(Mode::Kernel, 1000));
    let pmu = unit.claim(Sbi::new(strict(&host), capabilities)).unwrap();
    pmu.count([Event::INSTRUCTIONS], || host.advance(&Work::instructions(Mode::User, 50))).unwrap();
    pmu.release().unwrap();
    let later = || {
        host.advance(&Work::instructions(Mode::User, 5));
        host.try_read_counter(Csr::user_counter(2).unwrap())
    };
    assert_eq!(later(), Ok(1005));
    assert_eq!(host.read(Address::Call(Call::Stop(CounterSet::from_bits(0b100)))), 0);
    unit.reclaim().unwrap().release().unwrap();
    assert_eq!(later(), Ok(1005), "somebody else has stopped it");
}

#[test]
fn a_release_leaves_no_counter_with_an_event_of_ours() {
    let host = host();
    let driver = Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap();
    let before = host.state().configured;
    let unit = Unit::<Sbi<&Plain>, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    pmu.count([Event::INSTRUCTIONS, Event::raw(FIRMWARE + 5)], || ()).unwrap();
    pmu.release().unwrap();
    assert_eq!(host.state().configured, before);
}

/// The counters that the firmware describes, but cycle and instret.
const OTHERS: u64 = 0xFF_FFF8;

/// Gives every counter an event and starts it, as a stage of the boot or a kernel before may have left them.
fn leave_all_counting(host: &Plain) {
    const PMU: u64 = 0x50_4D55;
    let count = host.call(PMU, 0, [0; 6], &NoMemory).unwrap();
    for index in (3..count).rev() {
        let event = if index < 8 { 3 } else { FIRMWARE + 1 };
        assert_eq!(host.call(PMU, 2, [0, 1 << index, 0b100, event, 0, 0], &NoMemory), Ok(index));
    }
    assert_eq!(host.state().configured, OTHERS | 0b101);
}

/// torvalds/linux 7dd646cf745c does so when a CPU starts.
#[test]
fn what_an_earlier_kernel_left_configured_is_the_units_from_the_claim_on() {
    let host = Host::new(&FEW, Kinds::CLOCK.with(Kind::CacheReferences), Unconnected);
    leave_all_counting(&host);
    let unit = Unit::<Sbi<&Plain>, 16>::new();
    let driver = Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap();
    assert_eq!(host.state().configured, OTHERS | 0b101, "a detection leaves it alone");
    let pmu = unit.claim(driver).unwrap();
    assert_eq!((host.state().configured, host.state().running), (0b101, 0));
    let requests = [Request::new(Event::INSTRUCTIONS).every(10_000); 5];
    let mut session = pmu.open(requests).expect("counters 3 to 7 interrupt");
    session.start().unwrap();
    host.advance(&Work::instructions(Mode::Kernel, 9_000));
    assert_eq!(session.read(), Ok([9_000; 5]));
    drop(session);
    let firmware = pmu.count([Event::raw(FIRMWARE + 5)], || host.count_firmware(5, 7)).unwrap().0;
    assert_eq!(firmware, [7]);
}

#[test]
fn a_unit_that_was_halted_and_forgotten_is_claimed_anew_with_all_counters() {
    let host = host();
    let detect = || Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap();
    let before = Unit::<Sbi<&Plain>, 16>::new();
    let pmu = before.claim(detect()).unwrap();
    let requests = || [Request::new(Event::INSTRUCTIONS).every(10_000); 5];
    let mut session = pmu.open(requests()).unwrap();
    session.start().unwrap();
    pmu.halt();
    let unit = Unit::<Sbi<&Plain>, 16>::new();
    assert!(unit.claim(detect()).unwrap().open(requests()).is_ok());
}

#[test]
fn a_detection_beside_a_claimed_unit_changes_nothing() {
    let host = host();
    let unit = Unit::<Sbi<&Plain>, 0>::new();
    let detect = || Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap();
    let pmu = unit.claim(detect()).unwrap();
    let mut session = pmu.open([Event::raw(FIRMWARE + 5), Event::CYCLES, Event::raw(2)]).unwrap();
    session.start().unwrap();
    host.advance(&Work::instructions(Mode::User, 100));
    let before = host.state();
    _ = detect();
    assert_eq!(host.state(), before);
    host.advance(&Work::instructions(Mode::User, 200));
    assert_eq!(session.read(), Ok([0, 300, 300]));
}

#[test]
fn cycle_and_instret_count_for_everybody_until_a_request_takes_them() {
    let host = host();
    let work = Work::instructions(Mode::User, 100);
    let values = || [0, 2].map(|register| host.try_read_counter(Csr::user_counter(register).unwrap()).unwrap());
    let unit = Unit::<Sbi<&Plain>, 0>::new();
    host.advance(&work);
    let pmu = unit.claim(Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap()).unwrap();
    host.advance(&work);
    assert_eq!(values(), [200, 200]);
    let session = pmu.open([Request::new(Event::CYCLES).pinned_to(CounterId::ZERO)]).unwrap();
    host.advance(&work);
    assert_eq!(values(), [200, 300]);
    drop(session);
    pmu.release().unwrap();
    host.advance(&work);
    assert_eq!(values(), [300, 400]);
}

/// What others have left pending and lent to programs is put aside meanwhile.
#[test]
fn a_claim_takes_back_what_was_lent_and_pending_and_a_release_lends_it_again() {
    let host = host();
    let set = |at: Csr, bits| host.write(Address::Csr(at.setting()), bits);
    let pending = || host.read(Address::Csr(Csr::SIP)) >> 13 & 1;
    let in_user = || host.try_read_in_user(Csr::user_counter(2).unwrap()).is_ok();
    set(Csr::SCOUNTEREN, 0b100);
    set(Csr::SIP, 1 << 13);
    let unit = Unit::<Sbi<&Plain>, 16>::new();
    let pmu = unit.claim(Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap()).unwrap();
    assert_eq!((in_user(), pending()), (false, 0));
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    host.advance(&Work::instructions(Mode::Kernel, 10_000));
    session.stop().unwrap();
    assert_eq!(pending(), 1, "it is to come late");
    drop(session);
    pmu.release().unwrap();
    assert_eq!((in_user(), pending()), (true, 0));
}

/// With cycle alone a firmware's own counter has the number that is instret's elsewhere.
#[test]
fn a_firmwares_own_counter_beside_cycle_alone_loses_its_event_as_it_is_given_back() {
    let identity = Identity::RV64.with_counters(0b1);
    let host = Host::new(&identity, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Sbi<&Plain>, 0>::new();
    let configured = || host.state().configured;
    let pmu = unit.claim(Sbi::detect(&host, &identity.announced(), Line::Local, &[]).unwrap()).unwrap();
    let second = CounterId::new(2).unwrap();
    let session = pmu.open([Request::new(Event::raw(FIRMWARE + 5)).pinned_to(second)]).unwrap();
    assert_eq!(configured(), 0b101);
    drop(session);
    pmu.release().unwrap();
    assert_eq!(configured(), 0b001);
    assert_eq!(host.restore(host.snapshot().as_bytes()), Ok(()));
}

#[test]
fn a_host_takes_its_snapshot_back_whichever_few_counters_its_processor_has() {
    for counters in [0b0, 0b1, 0b100, 0b101] {
        let host = Host::new(&Identity::RV64.with_counters(counters), Kinds::CLOCK, Unconnected);
        let call = |function, arguments| host.call(0x50_4D55, function, arguments, &NoMemory);
        let all = u64::MAX >> (64 - call(0, [0; 6]).unwrap());
        let taken = call(2, [0, all, 0, 0xF_0000, 0, 0]).unwrap();
        assert_eq!(host.state().taken, 0, "{counters:#b}: neither cycle nor instret");
        assert_eq!(call(4, [taken, 1, 1, 0, 0, 0]), Err(SbiError::AlreadyStopped), "{counters:#b}");
        assert_eq!(call(3, [taken, 1, 0, 0, 0, 0]), Err(SbiError::InvalidParameter), "{counters:#b}: it has no event");
        assert_eq!(host.restore(host.snapshot().as_bytes()), Ok(()), "{counters:#b}");
    }
}
