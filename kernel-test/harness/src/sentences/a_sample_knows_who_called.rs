//! A sample comes with the callers of the code that was interrupted, as often as they called: the crate's own entry hands
//! over where their frames begin.

use pmu::CounterId;
use pmu::output::profile::Resolver;
use pmu::samples::chain::End;

use crate::claim::{chains, sampling_callers};
use crate::{Claimed, Kernel};

/// A prime, so that samples do not keep step with the loop.
const PERIOD: u64 = 2003;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling_callers::<K>();
    K::punctual(&pmu.description()).into_iter().for_each(|counter| sample::<K>(&pmu, counter));
}

fn sample<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let mut session = pmu.open([K::request(counter).every(PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    K::run_callers();
    session.stop().expect("it runs");
    let names = K::symbols();
    let name = |address: u64| names[..].resolve(address.into()).map_or("", |symbol| symbol.name);
    let (mut all, mut for_left, mut for_right, mut around) = (0_u64, 0, 0, 0);
    for (sample, chain) in chains().pair(K::unit().samples().expect("nobody else reads")).expect("nobody else pairs") {
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
    assert!(all >= K::PROGRAM / PERIOD * 9 / 10, "{all} samples of {} instructions", K::PROGRAM);
    assert!(is_share(for_left, 60, all), "{for_left} of {all} samples were for left");
    assert!(is_share(for_right, 20, all), "{for_right} of {all} samples were for right");
}

/// Is it so many of a hundred? A share and the whole are each a sample more or less than they were long.
fn is_share(samples: u64, percent: u64, all: u64) -> bool {
    (100 * samples).abs_diff(percent * all) < 100 + percent
}
