//! Both counters are in one register: while one is preset the other is halted, for so many instructions at the most, and its
//! count is short of those alone.

use harness::Guest;
use harness::Kernel as _;
use harness::claim::claim;
use pmu::CounterId;

use crate::guest::Here;

/// The instructions of a preset between the two writes of %pcr (`arch/sparc/ultrasparc`, "Limits").
const MOST: u64 = 13;
const TIMES: u64 = 100;

pub fn test() {
    let pmu = claim::<Here>();
    let [first, second] = [0, 1].map(|number| CounterId::new(number).expect("there are two"));
    for [counter, preset] in [[first, second], [second, first]] {
        let mut counts = pmu.open([Here::request(counter)]).expect("it is free");
        let mut other = pmu.open([Here::request(preset)]).expect("it is free");
        counts.start().expect("it is stopped");
        other.start().expect("it is stopped");
        let mut halted = |times| {
            let before = moment(counter);
            (0..times).for_each(|_| other.reset().expect("this is its CPU"));
            let after = moment(counter);
            (after.0 - before.0) - (after.1 - before.1)
        };
        let (none, all) = (halted(0), halted(TIMES));
        assert_eq!(none, 0, "it counts whenever nothing is preset");
        assert!((1..=MOST).contains(&all.div_ceil(TIMES)), "{counter}: {all} in {TIMES} presets");
    }
}

/// How many instructions have retired, and for how many the counter was on.
#[inline(never)]
fn moment(counter: CounterId) -> (u64, u64) {
    (Here::retired(), Here::counted(counter))
}
