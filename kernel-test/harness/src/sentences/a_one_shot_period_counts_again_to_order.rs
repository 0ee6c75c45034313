//! A one-shot period ends once and says so; it counts another one after `rearm`, and after a stop and a `resume`; and a
//! start begins from 0.

use pmu::{CounterId, Session};

use crate::claim::{judging, verdicts};
use crate::{Claimed, Kernel, Tally};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = judging::<K>();
    K::punctual(&pmu.description()).into_iter().for_each(|counter| counts_again::<K>(&pmu, counter));
}

fn counts_again<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let (part, enough) = (K::PERIOD / 2, K::PERIOD * 3);
    let mut session = pmu.open([K::request(counter).once_after(K::PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    assert_eq!((session.has_ended(0), overflows_during::<K>(part)), (false, 0), "not yet");
    assert_eq!(overflows_during::<K>(enough), 1);
    assert_ended_after::<K>(&session, 1);
    session.start().expect("it runs");
    assert_eq!((session.has_ended(0), overflows_during::<K>(part)), (false, 0), "the next one has begun");
    assert_eq!(overflows_during::<K>(enough), 1);
    assert_ended_after::<K>(&session, 2);
    session.stop().expect("it runs");
    assert_eq!(overflows_during::<K>(enough), 0, "it is stopped");
    session.start().expect("it is stopped");
    assert_eq!(overflows_during::<K>(enough), 1);
    assert_ended_after::<K>(&session, 3);
    session.reset().expect("it runs");
    assert_eq!(overflows_during::<K>(enough), 1);
    assert_ended_after::<K>(&session, 1);
}

fn overflows_during<K: Kernel>(instructions: u64) -> u64 {
    K::exactly(instructions);
    let Tally { overflow, late, foreign } = verdicts();
    assert_eq!((late, foreign), (0, 0));
    overflow
}

/// It has counted so many whole periods, and left one sample since this was asked last.
fn assert_ended_after<K: Kernel>(session: &Session<'_, K::Driver, 1>, periods: u64) {
    assert_eq!((session.has_ended(0), session.read()), (true, Ok([periods * K::PERIOD])));
    assert_eq!(K::unit().samples().map(Iterator::count), Ok(1));
}
