//! I and II do not interrupt: a count goes on beyond 32 bits if the kernel looks often enough.

use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::virt::{Device as _, Work};
use pmu::{Error, Event, Mode, Refusal, Request, Unit};

use crate::{Registers, device};

type Driver = UltraSparc<&'static Registers>;

fn claimed(identity: &Identity) -> (&'static Unit<Driver, 0>, &'static Registers) {
    let device: &'static Registers = Box::leak(Box::new(device(identity)));
    let unit: &'static Unit<Driver, 0> = Box::leak(Box::new(Unit::new()));
    unit.claim(UltraSparc::detect(identity.version(), device).unwrap()).unwrap();
    (unit, device)
}

#[test]
fn a_count_goes_on_beyond_32_bits_if_it_is_read_before_it_wraps_twice() {
    for identity in &Identity::ALL[..3] {
        let (unit, device) = claimed(identity);
        let pmu = unit.here().unwrap();
        let mut session = pmu.open([Event::INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        let quarter = 1_u64 << 30;
        for passed in 1..=12 {
            device.advance(&Work::instructions(Mode::Kernel, quarter));
            session.stop().unwrap();
            assert_eq!(session.read(), Ok([passed * quarter]), "{}", identity.name());
            session.start().unwrap();
        }
    }
}

#[test]
fn a_session_with_a_period_is_refused_and_names_the_event_and_the_way_out() {
    let (unit, _) = claimed(&Identity::II);
    let error = unit.here().unwrap().open([Request::new(Event::CYCLES).every(1_000_000)]).err();
    let refused = Error::Refused { request: 0, event: Event::CYCLES, reason: Refusal::NoInterrupt };
    assert_eq!(error, Some(refused));
}
