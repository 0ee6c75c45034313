//! I and II do not interrupt: a count goes on beyond 32 bits if the kernel looks often enough.

use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Work};
use pmu::{Error, Event, Interrupted, Mode, Request, Timer, Unit};

use crate::ultrasparc::{Registers, device};

type Driver = UltraSparc<&'static Registers>;

fn claimed(identity: &Identity) -> (&'static Unit<Driver, 0>, &'static Registers) {
    let device: &'static Registers = Box::leak(Box::new(device(identity)));
    let unit: &'static Unit<Driver, 0> = Box::leak(Box::new(Unit::new()));
    unit.claim(UltraSparc::detect(identity.version(), device).unwrap()).unwrap();
    (unit, device)
}

#[test]
fn a_count_goes_on_beyond_32_bits_if_its_session_is_stopped_before_it_wraps_twice() {
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
    let refused = Error::Refused { request: 0, event: Event::CYCLES, name: None, reason: Refusal::NoInterrupt };
    assert_eq!(error, Some(refused));
    let text = refused.to_string();
    assert!(text.contains("cycles") && text.contains("Timer"), "{text}");
}

#[test]
fn a_count_goes_on_beyond_32_bits_if_the_kernels_tick_calls_the_handler() {
    let (unit, device) = claimed(&Identity::II);
    let mut session = unit.here().unwrap().open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    session.start().unwrap();
    let quarter = 1_u64 << 30;
    for passed in 1..=12 {
        device.advance(&Work::instructions(Mode::Kernel, quarter));
        let _ = unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel));
        assert_eq!(session.read(), Ok([passed * quarter; 2]));
    }
}

/// The way out that the refusal of a period names.
#[test]
fn a_timer_samples_beside_a_session_that_counts() {
    let (unit, device) = claimed(&Identity::II);
    let timer = Timer::<8>::new();
    let mut session = unit.here().unwrap().open([Event::CYCLES]).unwrap();
    session.start().unwrap();
    for tick in 0..3 {
        device.advance(&Work::instructions(Mode::Kernel, 100));
        timer.tick(Interrupted::new(0x1000 + tick, Mode::Kernel));
    }
    assert_eq!(timer.samples().unwrap().count(), 3);
    assert_eq!(session.read(), Ok([300]));
}
