//! Sixty-four user programs, each with requests of its own, are switched at random instructions, and go on on any of
//! four CPUs: what each has counted is its own instructions, to the last one.
//!
//! One CPU runs at a time, since QEMU counts instructions by a clock that runs for all of them; contexts move all
//! the same. `threads_read_their_own_counts_on_every_cpu_at_once` has them all run.

use core::array;

use harness::Chance;
use pmu::{CounterId, Modes, Pmu, Set};

use super::clocked;
use super::threaded::{Kernel, Plan, REQUESTS, Thread};
use crate::boot::CPUS;
use crate::guest::threads::{self, State};
use crate::guest::unit::Driver;
use crate::guest::{on_interrupt, position, unit};

const SWITCHES: u64 = 20_000;

/// Rounds that no thread ever completes.
const FOR_EVER: u64 = u64::MAX;

static KERNEL: Kernel = Kernel::new(&Own);

pub fn test() {
    on_interrupt(|frame| KERNEL.service(unit::interrupted(frame)));
    KERNEL.run(SWITCHES, || KERNEL.run_here());
    for number in 0..threads::MOST {
        let turns = KERNEL.with(number, |thread| thread.turns);
        assert!(turns.iter().all(|&turns| turns > SWITCHES / 1000), "it was on every CPU: {turns:?}");
    }
}

/// Each counts its own instructions, on one to four counters that differ from those of the next.
struct Own;

impl Plan for Own {
    fn requests(&self, pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
        let counters = clocked::counters(&pmu.description());
        let counter = |place: usize| -> CounterId {
            counters.into_iter().cycle().nth(number * 3 + place).expect("the unit has counters")
        };
        let mut set = Set::new();
        for place in 0..1 + number % REQUESTS {
            set.add(clocked::request(counter(place)).modes(Modes::USER)).expect("there is room");
        }
        set
    }

    fn beginning(&self, number: usize) -> State {
        State::beginning(number, position::entry(), [0, FOR_EVER])
    }

    fn longest_turn(&self) -> u64 {
        600
    }

    fn next_cpu(&self, chance: &mut Chance) -> Option<usize> {
        Some(chance.below(CPUS as u64) as usize)
    }

    fn left(&self, _: &Pmu<Driver>, thread: &Thread) {
        let own = position::of(&thread.state.frame).expect("it is in its loop");
        let requests = thread.context.requests();
        let expected = array::from_fn(|at| if at < requests.len() { own } else { 0 });
        assert_eq!(thread.counts(), expected, "{:?}, turns {:?}", thread.context, thread.turns);
    }
}
