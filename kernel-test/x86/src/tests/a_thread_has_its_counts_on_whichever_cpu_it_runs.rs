//! Threads, each with counters and a period of its own, are switched at any instruction, and go on on any of four CPUs: their
//! counts are their own, to the last instruction, and their periods end where they are.

use core::array;

use harness::{Chance, running};
use pmu::{Interrupted, Pmu, Request, Set};

use super::clocked;
use super::threaded::{REQUESTS, Schedule, Thread, switches};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{CPUS, Here, enter_nmi_at, go_on_on};

const THREADS: usize = 8;
/// Longer than any turn. Each thread adds its number.
const PERIOD: u64 = 2_003;

static UNITS: [Unit<16>; CPUS] = [const { Unit::new() }; CPUS];

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(unit::here(&UNITS), at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmus: [Pmu<Driver>; CPUS] = array::from_fn(|cpu| {
        go_on_on(cpu);
        unit::claim(&UNITS[cpu])
    });
    let mut moving = Moving { pmus, here: CPUS - 1, turns: [[0; CPUS]; THREADS], periods: 0 };
    let pmu = moving.pmus[moving.here];
    let threads = array::from_fn(|number| Thread::new(&pmu, number, requests(&pmu, number)));
    let turns = switches(600, 2_000);
    Schedule::<THREADS>::new(&pmu, threads, &mut moving).run(turns);
    for turns in moving.turns {
        assert!(turns.iter().all(|&turns| turns > 0), "it was on every CPU: {turns:?}");
    }
    assert!(moving.periods > turns / 20, "{} periods have ended", moving.periods);
}

/// One to four counters that differ from those of the next thread. The first is sampled.
fn requests(pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
    let counters = clocked::counters(&pmu.description());
    let most = REQUESTS.min(counters.into_iter().count());
    let request = |place: usize| -> Request {
        let counter = counters.into_iter().cycle().nth(number * 3 + place).expect("the unit has counters");
        let request = clocked::request(counter);
        if place == 0 { request.every(PERIOD + number as u64) } else { request }
    };
    let mut set = Set::new();
    for place in 0..1 + number % most {
        set.add(request(place)).expect("there is room");
    }
    set
}

/// Threads that move.
struct Moving {
    pmus: [Pmu<'static, Driver>; CPUS],
    here: usize,
    /// How often each thread was on each CPU.
    turns: [[u64; CPUS]; THREADS],
    /// The periods that have ended, of all threads.
    periods: u64,
}

impl harness::threaded::Plan<Here> for Moving {
    fn next_cpu(&mut self, chance: &mut Chance) -> Option<Pmu<'static, Driver>> {
        self.here = chance.below(CPUS as u64) as usize;
        go_on_on(self.here);
        Some(self.pmus[self.here])
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        assert_eq!(thread.counts(), thread.booked, "{:?} on CPU {}", thread.context, self.here);
        self.turns[thread.number()][self.here] += 1;
        let mut samples = unit::here(&UNITS).samples().expect("nobody else reads");
        for sample in samples.by_ref() {
            assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?} in {:?}", thread.context);
            self.periods += 1;
        }
    }
}
