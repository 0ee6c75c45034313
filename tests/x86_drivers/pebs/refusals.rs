//! What is refused, and the way out.

use super::*;

use pmu::arch::x86::Apic;
use pmu::request::{Flag, Refusal};
use pmu::{CounterId, CounterSet, Error};

fn refusal(identity: &Identity, request: Request) -> Refusal {
    let device = device(identity, Page::new());
    sampler(identity, &device).encode(&request).err().unwrap()
}

/// Returns the words of the way out.
fn reason(identity: &Identity, request: Request) -> String {
    refusal(identity, request).to_string()
}

fn every(event: Event) -> Request {
    Request::new(event).every(100_000)
}

#[test]
fn an_event_without_precise_records_is_refused() {
    for identity in BOTH {
        for event in [Event::CYCLES, Event::raw(0x003C), Event::raw(0x412E), Event::raw(0x1234)] {
            assert!(reason(&identity, every(event)).contains("marks precise"), "{event:?}");
        }
    }
}

#[test]
fn a_counter_that_is_not_sampled_is_refused() {
    let four = CounterId::new(4).unwrap();
    let fixed = CounterId::new(32).unwrap();
    assert_eq!(refusal(&SKYLAKE, every(EVENT).pinned_to(four)), Refusal::CounterCannot(four));
    assert_eq!(refusal(&SKYLAKE, every(EVENT).pinned_to(fixed)), Refusal::CounterCannot(fixed));
    let asked = CounterSet::from_bits(0xF0);
    let able = CounterSet::from_bits(0xF);
    assert_eq!(refusal(&SAPPHIRE_RAPIDS, every(Event::raw(LOADS)).on(asked)), Refusal::CountersCannot { asked, able });
}

/// Linux, arch/x86/events/intel/ds.c: intel_glc_pebs_event_constraints.
#[test]
fn instructions_of_golden_cove_are_recorded_on_counters_1_to_7() {
    let device = device(&SAPPHIRE_RAPIDS, Page::new());
    let of = sampler(&SAPPHIRE_RAPIDS, &device);
    for event in [Event::INSTRUCTIONS, Event::raw(0x00C0), Event::raw(0x10C0)] {
        let zero = CounterId::ZERO;
        assert_eq!(of.encode(&every(event).pinned_to(zero)), Err(Refusal::CounterCannot(zero)), "{event:?}");
        assert!((1..8).all(|number| of.encode(&every(event).pinned_to(CounterId::new(number).unwrap())).is_ok()));
    }
}

#[test]
fn a_period_is_one_that_the_counter_can_hold_and_the_handler_leaves_time_for() {
    let period = |period| Request::new(EVENT).every(period);
    assert_eq!(refusal(&SKYLAKE, Request::new(EVENT)), Refusal::NoPeriod);
    assert!(matches!(refusal(&SKYLAKE, period(1999)), Refusal::PeriodTooShort { least: 2000 }));
    let instructions = |period| Request::new(Event::INSTRUCTIONS).every(period);
    assert!(matches!(refusal(&SAPPHIRE_RAPIDS, instructions(127)), Refusal::PeriodTooShort { least: 128 }));
    assert!(reason(&SKYLAKE, period((1 << 47) + 1)).contains("half of its range"));
    assert!(reason(&SKYLAKE, Request::new(EVENT).once_after(100_000)).contains("one-shot"));
}

#[test]
fn flags_thresholds_and_values_that_sampling_does_not_have_are_refused() {
    assert_eq!(refusal(&SKYLAKE, every(EVENT).flag(Flag::Edge)), Refusal::Flag(Flag::Edge));
    assert_eq!(refusal(&SKYLAKE, every(EVENT).threshold(1)), Refusal::ThresholdTooLarge { largest: 0 });
    assert_eq!(refusal(&SKYLAKE, every(Event::raw_with(LOADS, 3))), Refusal::Auxiliary(3));
    for than in [0, 2, 0x1_0000] {
        assert!(reason(&SKYLAKE, every(Event::raw_with(LATENCY, than))).contains("3 to 65535"));
    }
    assert!(reason(&SAPPHIRE_RAPIDS, every(Event::raw_with(LATENCY, 3))).contains("81D0H"));
    // FRONTEND_RETIRED, whose register would hold what somebody else has written.
    for event in [Event::raw(0x01C6), Event::raw_with(0x01C6, 0x11)] {
        assert!(reason(&SKYLAKE, every(event)).contains("register of its own"));
    }
}

#[test]
fn a_sampler_without_a_line_refuses_every_request() {
    struct Nowhere;
    impl pmu::arch::x86::LineRegister for Nowhere {
        fn read_line(&self) -> u32 {
            panic!("the line is read")
        }
        fn write_line(&self, entry: pmu::arch::x86::Lvtpc) {
            panic!("{entry:?} is written")
        }
    }
    let device = device(&SKYLAKE, Page::new());
    let of = Pebs::detect(&SKYLAKE, &device, Apic::<Nowhere>::absent(), device.memory().0).unwrap();
    assert_eq!(of.encode(&every(EVENT)), Err(Refusal::NoLine));
}

#[test]
fn memory_that_is_misaligned_or_too_small_is_refused() {
    for identity in BOTH {
        let device = device(&identity, Page::new());
        let detect = |words| Pebs::detect(&identity, &device, Unattached, words).map(|_| ());
        let page = Page::new().0;
        let least = 32 + 2 * words(&identity);
        assert_eq!(detect(&page[..least]), Ok(()));
        for words in [&page[..least - 1], &page[..31], &page[..0]] {
            let refused = detect(words).err().unwrap();
            assert!(matches!(refused, Error::Unusable { reason } if reason.contains("too small")), "{refused}");
        }
        let refused = detect(&page[1..]).unwrap_err().to_string();
        assert!(refused.contains("repr(align(4096))"), "{refused}");
        let threshold = |records| {
            let of = Pebs::detect(&identity, &device, Unattached, &page[..least]).unwrap();
            of.with_threshold(records).map(|_| ())
        };
        assert_eq!(threshold(1), Ok(()));
        assert!([0, 2, usize::MAX].into_iter().all(|records| threshold(records).is_err()));
    }
}
