//! A period is longer than any turn of its thread, and ends in the turn in which its last event is:
//! there the sample is taken, which names the thread and its request.

use core::array;

use harness::Effort;
use harness::running;
use pmu::Interrupted;

use super::clocked;
use super::threaded::{Schedule, Thread};
use crate::guest::enter_nmi_at;
use crate::guest::unit::{self, Unit};

const SWITCHES: u64 = 4_000;
const PERIODS: [u64; 5] = [2_003, 2_503, 3_001, 4_001, 5_003];

static UNIT: Unit<16> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let counters = clocked::counters(&pmu.description());
    let counter = |number: usize| counters.into_iter().cycle().nth(number).expect("the unit has counters");
    let request = |number| clocked::request(counter(number)).every(PERIODS[number]);
    let mut elapsed = [0; PERIODS.len()];
    let mut inspect = |thread: &mut Thread| check(thread, &mut elapsed);
    let threads = array::from_fn(|number| Thread::new(&pmu, number, [request(number)].into()));
    let mut schedule = Schedule::<{ PERIODS.len() }>::new(&pmu, threads, &mut inspect);
    let switches = Effort::length(SWITCHES);
    schedule.run(switches);
    assert!(elapsed.iter().all(|periods| *periods > switches / 400), "{elapsed:?}");
}

/// As many periods have ended as the count says; there is a sample of each that the interrupt saw.
fn check(thread: &Thread, elapsed: &mut [u64]) {
    let number = thread.context.thread() as usize;
    let accounted = UNIT.samples().expect("nobody else reads").lost().total();
    let [count, ..] = thread.counts();
    assert_eq!(count, thread.booked[0], "{:?}", thread.context);
    let ended = count / PERIODS[number] - elapsed[number];
    elapsed[number] += ended;
    let mut samples = UNIT.samples().expect("nobody else reads");
    for sample in samples.by_ref() {
        assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?} in {:?}", thread.context);
    }
    let periods: u64 = elapsed.iter().sum();
    assert_eq!(samples.received() + accounted, periods, "{:?}", thread.context);
}
