//! Counts beyond the 40 bits of a counter, of which no interrupt tells.

use pmu::arch::x86::p5::{Identity, P5};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Work};
use pmu::{Error, Event, Handled, Interrupted, Mode, Request, Timer, Unit};

use crate::p5::{Registers, device};

type Claimed = &'static Unit<P5<Registers>, 0>;

const MODULUS: u64 = 1 << 40;
/// How many events may pass between two looks.
const SAFE: u64 = 1 << 39;

fn claimed(identity: &Identity) -> (Registers, Claimed) {
    let (device, unit): (_, Claimed) = (device(identity), Box::leak(Box::new(Unit::new())));
    unit.claim(P5::detect(identity, device).expect("it has a unit")).expect("nobody has claimed it");
    (device, unit)
}

fn work(device: Registers, events: u64) {
    device.advance(&Work::instructions(Mode::Kernel, events));
}

/// The fastest events come twice a clock.
#[test]
fn a_tick_that_looks_at_the_counters_carries_counts_beyond_their_bits() {
    for identity in &Identity::ALL {
        let (device, unit) = claimed(identity);
        let mut session = unit.here().unwrap().open([Event::INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        for tick in 1..=20 {
            work(device, SAFE - 1);
            assert_eq!(session.read(), Ok([tick * (SAFE - 1)]), "before the tick");
            let _ = unit.on_overflow(Interrupted::default());
            assert_eq!(session.read(), Ok([tick * (SAFE - 1)]), "after it");
        }
    }
}

#[test]
fn a_tick_that_finds_no_wrap_is_nobodys_interrupt_and_disturbs_nothing() {
    let (device, unit) = claimed(&Identity::P5);
    let mut session = unit.here().unwrap().open([Event::INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    for passed in 1..100 {
        work(device, 10);
        assert_eq!(unit.on_overflow(Interrupted::default()), Handled::NotMine);
        assert_eq!(session.read(), Ok([passed * 10]));
    }
}

#[test]
fn stops_and_starts_carry_counts_beyond_their_bits() {
    let (device, unit) = claimed(&Identity::P5_MMX);
    let mut session = unit.here().unwrap().open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    for round in 1..=20 {
        session.start().unwrap();
        work(device, SAFE);
        session.stop().unwrap();
        work(device, 12345);
        assert_eq!(session.read(), Ok([round * SAFE; 2]));
    }
}

/// What the documentation says is lost if nobody looks.
#[test]
fn a_counter_that_is_left_alone_for_longer_lacks_a_whole_turn() {
    let (device, unit) = claimed(&Identity::P5);
    let mut session = unit.here().unwrap().open([Event::INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    work(device, MODULUS - 1);
    assert_eq!(session.read(), Ok([MODULUS - 1]), "all of its bits count");
    work(device, 6);
    assert_eq!(session.read(), Ok([5]));
}

#[test]
fn a_period_is_refused_and_the_timer_offered() {
    let (_, unit) = claimed(&Identity::P5_MMX);
    let pmu = unit.here().unwrap();
    let count = Request::new(Event::BRANCHES);
    let sampled = Request::new(Event::INSTRUCTIONS).every(100_000);
    let error = pmu.open([count, sampled]).map(|_| ()).unwrap_err();
    let refused = Error::Refused { request: 1, event: Event::INSTRUCTIONS, name: None, reason: Refusal::NoInterrupt };
    assert_eq!(error, refused);
    let words =
        "request 1 (instructions): the unit cannot interrupt on overflow; use a Timer to sample by the kernel's tick";
    assert_eq!(error.to_string(), words);
    assert!(pmu.open([Event::INSTRUCTIONS, Event::BRANCHES]).is_ok(), "nothing is held");
    let once = Request::new(Event::INSTRUCTIONS).once_after(1);
    assert!(matches!(pmu.open([once]), Err(Error::Refused { reason: Refusal::NoInterrupt, .. })));
}

#[test]
fn the_timer_samples_where_the_unit_cannot() {
    static TIMER: Timer<8> = Timer::new();
    let (device, unit) = claimed(&Identity::P5);
    let mut session = unit.here().unwrap().open([Event::INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    for address in [0x1000, 0x1004] {
        work(device, 500);
        let at = Interrupted::new(address, Mode::Kernel);
        TIMER.tick(at);
        let _ = unit.on_overflow(at);
    }
    let addresses: Vec<_> = TIMER.samples().unwrap().map(|sample| sample.address).collect();
    assert_eq!((addresses, session.read()), (vec![0x1000, 0x1004], Ok([1000])));
}
