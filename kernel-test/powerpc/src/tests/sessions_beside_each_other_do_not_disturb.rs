//! Two sessions sample beside each other, each at its own period; when one is closed as it runs,
//! the other goes on undisturbed, and its counter is free.

use harness::{Tally, Verdicts};
use pmu::{CounterId, CounterSet, Interrupted, Pmu};

use super::amid::{self, Booked};
use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, on_overflow, truth};

const SHORT: u64 = 3100;
const LONG: u64 = 7300;
const STRETCH: u64 = 50_000;

static UNIT: Unit<512> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let all = clocked::counters(&pmu.description());
    for first in clocked::kinds(&pmu.description()) {
        let rest = all.without(first.only());
        for second in [rest.lowest(), rest.highest()].into_iter().flatten() {
            side_by_side(&pmu, first, second);
        }
    }
    amid::assert_all_free(&pmu);
}

fn side_by_side(pmu: &Pmu<'static, Driver>, first: CounterId, second: CounterId) {
    let before = (unit::accounted(&UNIT), truth::counted(second));
    let mut stays = Booked::open(pmu, clocked::request(first).every(SHORT));
    let mut goes = Booked::open(pmu, clocked::request(second).every(LONG));
    stays.session.start().expect("it is stopped");
    goes.session.start().expect("it is stopped");
    instructions::exactly(STRETCH);
    drop(goes);
    let counted = truth::counted(second);
    assert!(sampled_counters().covers(first.only().or(second.only())), "both are sampled");
    instructions::exactly(STRETCH);
    assert_eq!(sampled_counters(), first.only(), "the other one is closed");
    assert_eq!(truth::counted(second), counted, "and counts no more");
    stays.session.stop().expect("it runs");
    let periods = stays.count() / SHORT + (counted - before.1) / LONG;
    assert_eq!(unit::accounted(&UNIT) - before.0, periods);
    let Tally { late, foreign, .. } = VERDICTS.take();
    assert_eq!((late, foreign), (0, 0));
}

/// The counters whose samples wait to be read.
fn sampled_counters() -> CounterSet {
    UNIT.samples().expect("nobody else reads").map(|sample| sample.counter).collect()
}
