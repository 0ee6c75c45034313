//! A unit without an overflow interrupt refuses every period, with the words that name the way out; it holds nothing of
//! the request, and counts. That the timer samples there
//! [`another sentence`](harness::sentences::a_tick_is_blind_to_what_passes_while_interrupts_are_off) shows.

use harness::{Guest, Words};
use pmu::request::Refusal;
use pmu::{Error, Event, Request};

use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Unit};
use crate::guest::{Here, truth};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = truth::fingerprint();
    for counter in clocked::kinds(&pmu.description()) {
        let request = clocked::request(counter);
        for sampled in [request.every(1000), request.every(u64::MAX), request.once_after(1000)] {
            let refused = pmu.open([request, sampled]).expect_err("nothing would interrupt");
            let expected =
                Error::Refused { request: 1, event: Event::INSTRUCTIONS, name: None, reason: Refusal::NoInterrupt };
            assert_eq!(refused, expected);
            let told = Words::from(format_args!("{refused}"));
            assert!(told.as_str().contains("use a Timer to sample"), "{refused}");
        }
    }
    assert_eq!(truth::fingerprint(), before, "something was programmed");
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS)]).expect("counting is possible");
    session.start().expect("it is stopped");
    exactly(10_000);
    session.stop().expect("it runs");
    let [count] = session.counts().expect("it is on its CPU").raw;
    assert!((10_000..12_000).contains(&count), "{count}");
    assert_eq!((Here::overflows(), Here::interrupts()), (0, 0));
}
