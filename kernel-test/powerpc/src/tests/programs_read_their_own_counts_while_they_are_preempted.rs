//! Sixty-four programs in problem state are preempted at random instructions, and read what they have counted
//! of their own mode by themselves, from their pages and the counters' copies: what passes between two
//! readings is right wherever a switch came, and in the end each count is the host's.

use core::array;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::threaded::Plan;
use harness::threads::{MOST, Preempting};
use pmu::{CounterId, Modes, Pmu, Set, UserPage};

use super::clocked;
use super::threaded::{self, REQUESTS, Schedule, Thread};
use crate::family;
use crate::guest::Here;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, threads};
use crate::low::Frame;

const SWITCHES: u64 = threaded::SWITCHES / 2;
/// The instructions between two readings.
const BETWEEN: u64 = 60;

/// What a program shares with its schedule.
struct Program {
    page: UserPage<REQUESTS>,
    readings: AtomicUsize,
    /// Those that were wrong, and the last of them.
    wrong: [AtomicUsize; 2],
}

static UNIT: Unit<0> = Unit::new();
static PROGRAMS: [Program; MOST] = [const {
    Program { page: UserPage::new(), readings: AtomicUsize::new(0), wrong: [const { AtomicUsize::new(0) }; 2] }
}; MOST];

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let threads: [_; MOST] = array::from_fn(|number| Thread::new(&pmu, number, requests(&pmu, number)));
    let mut plan = Programs;
    let mut schedule = Schedule::new(&pmu, threads, &mut plan);
    schedule.run(SWITCHES);
    let wrong = PROGRAMS.each_ref().map(|program| program.wrong.each_ref().map(|word| word.load(Relaxed)));
    assert_eq!(wrong, [[0; 2]; MOST], "how many readings were wrong, and the last of each program's");
    let readings: usize = PROGRAMS.iter().map(|program| program.readings.load(Relaxed)).sum();
    assert!(readings as u64 > SWITCHES / 4, "{readings} readings");
}

/// Its own mode's instructions, on a counter that differs from that of the next program.
fn requests(pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
    let counters = pmu.description().general;
    let counter: CounterId = counters.into_iter().cycle().nth(number).expect("the unit has counters");
    [clocked::request(counter).modes(Modes::USER)].into()
}

struct Programs;

impl Plan<Here> for Programs {
    fn beginning(&self, number: usize) -> Frame {
        threads::in_problem_state(Here::in_kernel(read_for_ever, number))
    }

    fn came(&mut self, pmu: &Pmu<Driver>, thread: &Thread) {
        pmu.lend().expect("no session is open");
        publish(pmu, thread);
    }

    fn leaves(&mut self, pmu: &Pmu<Driver>, _: &Thread) {
        pmu.take_back().expect("this is its CPU");
    }

    fn left(&mut self, pmu: &Pmu<Driver>, thread: &mut Thread) {
        publish(pmu, thread);
        assert_eq!(thread.counts(), thread.booked, "{:?} after {} turns", thread.context, thread.turns);
    }
}

fn publish(pmu: &Pmu<Driver>, thread: &Thread) {
    pmu.publish(&thread.context, &PROGRAMS[thread.number()].page).expect("it is bound");
}

/// A program that reads, for ever. A reading that a switch came amid begins again, which is its own work.
extern "C" fn read_for_ever(number: usize) -> ! {
    let program = &PROGRAMS[number % MOST];
    let mut exact = None;
    loop {
        let generation = program.page.generation();
        let passed = passed(&program.page);
        let is_right = match program.page.generation() == generation {
            true => *exact.get_or_insert(passed) == passed,
            false => (BETWEEN..20 * BETWEEN).contains(&passed),
        };
        program.readings.fetch_add(1, Relaxed);
        if !is_right {
            program.wrong[0].fetch_add(1, Relaxed);
            program.wrong[1].store(passed as usize, Relaxed);
        }
    }
}

/// What passes between two readings.
#[inline(never)]
fn passed(page: &UserPage<REQUESTS>) -> u64 {
    let before = page.read(0, family::read_as_user).unwrap_or(0);
    instructions::exactly(BETWEEN);
    page.read(0, family::read_as_user).unwrap_or(0).wrapping_sub(before)
}
