//! A sample comes with the callers of the code that was interrupted, as often as they called.

use pmu::chain::{Chains, End};
use pmu::profile::Resolver;
use pmu::{Event, Request};

use crate::guest::unit::{self, Unit};
use crate::guest::{callers, on_nmi};
use crate::trap::Frame;

/// A prime, so that samples do not keep step with the loop.
const PERIOD: u64 = 1009;

static UNIT: Unit<512> = Unit::new();
static CHAINS: Chains<4, 512> = Chains::new();

pub fn test() {
    on_nmi(note);
    let pmu = unit::claim(&UNIT);
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("every unit counts them");
    session.start().expect("it is stopped");
    callers::run();
    session.stop().expect("it runs");
    let names = callers::symbols();
    let name = |address| names[..].resolve(address).map_or("", |symbol| symbol.name);
    let (mut all, mut for_left, mut for_right, mut around) = (0, 0, 0, 0);
    for (sample, chain) in CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs") {
        let chain = chain.expect("there is room for all");
        all += 1;
        match (name(sample.address), chain.callers()) {
            ("spin", &[caller, outermost]) => {
                assert_eq!((name(outermost - 1), chain.end()), ("outermost", End::Outermost));
                for_left += u64::from(name(caller - 1) == "left");
                for_right += u64::from(name(caller - 1) == "right");
            }
            ("left", &[outermost]) => assert_eq!((name(outermost - 1), chain.end()), ("outermost", End::Outermost)),
            // The session's start and stop: they are shorter than a period.
            _ => around += 1,
        }
    }
    assert!(around <= 1, "{around} samples were of neither spin nor left");
    assert!(all >= 390, "{all} samples of 400,000 instructions");
    assert!(for_left.abs_diff(all * 60 / 100) <= 1, "{for_left} of {all} samples were for left");
    assert!(for_right.abs_diff(all * 20 / 100) <= 1, "{for_right} of {all} samples were for right");
}

fn note(frame: &mut Frame) {
    let _ = UNIT.on_overflow_chained(unit::interrupted(frame), &CHAINS, |chain| callers::walk(frame.rbp, chain));
}
