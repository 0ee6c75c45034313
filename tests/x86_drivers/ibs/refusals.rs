//! What is refused, and the way out.

use super::*;

use pmu::request::{Flag, Refusal};
use pmu::{CounterId, Error, Modes};

use crate::support::registers::Altered;

fn refusal(sampler: &impl Sampler, request: Request) -> Refusal {
    sampler.encode(&request).err().unwrap()
}

/// Returns the words of the way out.
fn reason(sampler: &impl Sampler, request: Request) -> String {
    refusal(sampler, request).to_string()
}

#[test]
fn a_period_is_a_multiple_of_16_that_the_count_can_hold() {
    let device = device(&ZEN_4);
    let (sampler, of_fetches) = (op(&ZEN_4, &device), fetch(&ZEN_4, &device));
    let ops = |period| Request::new(Op::OPS).every(period);
    assert_eq!(refusal(&sampler, Request::new(Op::OPS)), Refusal::NoPeriod);
    assert_eq!(refusal(&sampler, ops(0)), Refusal::PeriodZero);
    assert_eq!(refusal(&sampler, ops(128)), Refusal::PeriodTooShort { least: 144 });
    assert_eq!(refusal(&of_fetches, Request::new(Fetch::FETCHES).every(15)), Refusal::PeriodTooShort { least: 16 });
    assert_eq!(refusal(&sampler, ops(1000)), Refusal::PeriodBetween(992, 1008));
    assert_eq!(reason(&sampler, ops(145)), "the nearest periods are 144 and 160");
    assert!(reason(&sampler, Request::new(Op::OPS)).contains("give it a period, as Request::every("));
    assert!(
        [0x7FF_FFF1, 0x800_0000, u64::MAX]
            .iter()
            .all(|&period| reason(&sampler, ops(period)).contains("at most 134217712"))
    );
    assert!(reason(&of_fetches, Request::new(Fetch::FETCHES).every(0x10_0000)).contains("at most 1048560"));
    let older = self::device(&FAMILY_10H);
    assert!(reason(&op(&FAMILY_10H, &older), ops(0x10_0000)).contains("at most 1048560"));
}

#[test]
fn what_a_sampler_does_not_have_is_refused() {
    let device = device(&ZEN_2);
    let (sampler, of_fetches) = (op(&ZEN_2, &device), fetch(&ZEN_2, &device));
    let every = |event| Request::new(event).every(0x1_0000);
    assert!(reason(&sampler, every(Op::OPS).modes(Modes::KERNEL)).contains("drop records by their address"));
    assert_eq!(refusal(&sampler, every(Op::OPS).flag(Flag::Edge)), Refusal::Flag(Flag::Edge));
    assert_eq!(refusal(&sampler, every(Op::OPS).threshold(1)), Refusal::ThresholdTooLarge { largest: 0 });
    assert!(reason(&sampler, Request::new(Op::OPS).once_after(0x1_0000)).contains("one-shot"));
    assert!(reason(&sampler, every(Event::INSTRUCTIONS)).contains("Op::OPS"));
    assert!(reason(&sampler, every(Op::OPS).pinned_to(CounterId::ZERO)).contains("no counters"));
    assert!(reason(&of_fetches, every(Event::CYCLES)).contains("Fetch::FETCHES"));
    for code in [1 << 17, 0xC1, 1 << 57] {
        assert!(reason(&sampler, every(Event::raw(code))).contains("request Op::OPS or Event::CYCLES"), "{code:#x}");
    }
    for code in [1 << 48, 0xC1, 1 << 19] {
        assert!(reason(&of_fetches, every(Event::raw(code))).contains("request Fetch::FETCHES"), "{code:#x}");
    }
    for (of, code) in
        [(reason(&sampler, every(Event::raw(1 << 16))), 16), (reason(&of_fetches, every(Event::raw(1 << 59))), 59)]
    {
        assert!(of.contains("drop records by their source"), "{code}: {of}");
    }
}

#[test]
fn the_first_of_family_10h_count_cycles_alone() {
    let device = device(&FIRST);
    let sampler = op(&FIRST, &device);
    assert!(reason(&sampler, Request::new(Op::OPS).every(0x1_0000)).contains("count cycles"));
    let refused = Records::<11, 0>::new().encode(&sampler, &Request::new(Op::OPS).every(0x1_0000));
    assert!(matches!(refused, Err(Error::Refused { .. })));
}

#[test]
fn a_processor_without_sampling_says_which_leaf_or_register_says_so() {
    let reason = |result: pmu::Result<()>| match result {
        Err(Error::NoUnit { reason }) => reason,
        other => panic!("{other:?}"),
    };
    let device = device(&ZEN_4);
    let detect = |identity: &Identity| Op::detect(identity, &device).map(|_| ());
    assert!(reason(detect(&Identity::ZEN_4)).contains("80000001H"));
    let fetches_alone = Identity::ZEN_4.with_sampling(0b11);
    assert!(reason(detect(&fetches_alone)).contains("8000001BH"));
    assert!(Fetch::detect(&fetches_alone, &device).is_ok());
    let unassigned = Altered::new(&device).reading(|_, _| 0);
    assert!(reason(Op::detect(&ZEN_4, unassigned).map(|_| ())).contains("C001103AH"));
    let intel = pmu::arch::x86::intel::Identity::SKYLAKE;
    assert!(matches!(Op::detect(&intel, &device), Err(Error::UnknownProcessor { .. })));
}
