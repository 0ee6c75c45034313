//! Programs in ring 3 that are sampled are switched at random instructions. A period goes on in the next turn, and its
//! sample is of the very instruction: none is missing, none is of the kernel, none is another program's.

use core::array;

use harness::running;
use harness::threaded::Plan;
use pmu::{Interrupted, Mode, Modes, Pmu};

use super::here::Here;
use super::clocked;
use super::threaded::{FOR_EVER, Schedule, Thread};
use crate::guest::threads::Beginning;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_nmi_at, position};

const SWITCHES: u64 = 4_000;
/// Longer than most turns and longer than none.
const PERIODS: [u64; 5] = [2_003, 503, 1_009, 64, 7];

static UNIT: Unit<256> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let counters = clocked::counters(&pmu.description());
    let counter = |number: usize| counters.into_iter().cycle().nth(number).expect("the unit has counters");
    let request = |number| clocked::request(counter(number)).modes(Modes::USER).every(PERIODS[number]);
    let mut sampled = Sampled { periods: [0; _] };
    let threads = array::from_fn(|number| Thread::new(&pmu, number, [request(number)].into()));
    Schedule::<{ PERIODS.len() }>::new(&pmu, threads, &mut sampled).run(SWITCHES);
    assert!(sampled.periods.iter().all(|&periods| periods > 20), "{:?}", sampled.periods);
    assert_eq!(UNIT.samples().expect("nobody else reads").lost().total(), 0);
}

/// How many periods of each program have ended.
struct Sampled {
    periods: [u64; PERIODS.len()],
}

impl Plan<Here> for Sampled {
    fn beginning(&self, _: usize) -> Beginning {
        Beginning::in_ring_3(position::entry(), FOR_EVER)
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        assert_eq!(thread.counts()[0], thread.own, "{:?}", thread.context);
        let number = thread.number();
        for sample in UNIT.samples().expect("nobody else reads") {
            self.periods[number] += 1;
            let place = position::next(self.periods[number] * PERIODS[number]);
            assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?} in {:?}", thread.context);
            assert_eq!((sample.mode, sample.address), (Mode::User, place), "{sample:?} in {:?}", thread.context);
        }
        assert_eq!(self.periods[number], thread.own / PERIODS[number], "{:?}", thread.context);
    }
}
