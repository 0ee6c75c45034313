//! A claim of the firmware's unit: what it puts aside, and what a release leaves.

use crate::support::registers;
use std::cell::Cell;

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::Identity;
use pmu::arch::riscv::hpm::sbi::{Address, Call, Host, Line, Sbi, events};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{CounterSet, Event, Mode, Registers, Request, Unit};
use registers::rest_of;

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

/// A firmware whose instret has no event before it is configured, and is not stopped before. It counts from boot on.
struct Strict<'a> {
    host: &'a Plain,
    is_configured: Cell<bool>,
}

impl Registers for Strict<'_> {
    type Address = Address;
    type Index = Csr;

    fn read(&self, at: Address) -> u64 {
        match at {
            Address::Call(Call::Stop(counters) | Call::Reset(counters))
                if counters.bits() == 0b100 && !self.is_configured.get() =>
            {
                self.host.read(Address::Call(Call::Stop(CounterSet::EMPTY)))
            }
            Address::Call(Call::Configure { counters, .. }) if counters.bits() == 0b100 => {
                self.is_configured.set(true);
                self.host.read(at)
            }
            _ => self.host.read(at),
        }
    }

    fn write(&self, at: Address, value: u64) {
        self.host.write(at, value);
    }

    rest_of!(host);
}

#[test]
fn a_release_lets_instret_go_on_where_it_could_not_be_stopped_before_and_does_that_once() {
    let detected = Sbi::detect(host(), &FEW.announced(), Line::Local, &[]).unwrap();
    let capabilities = detected.capabilities().clone();
    let host = host();
    let unit = Unit::<Sbi<Strict>, 0>::new();
    host.advance(&Work::instructions(Mode::Kernel, 1000));
    let firmware = Strict { host: &host, is_configured: Cell::new(false) };
    let pmu = unit.claim(Sbi::new(firmware, capabilities)).unwrap();
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
    pmu.count([Event::INSTRUCTIONS, Event::raw(events::FIRMWARE + 5)], || ()).unwrap();
    pmu.release().unwrap();
    assert_eq!(host.state().configured, before);
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
