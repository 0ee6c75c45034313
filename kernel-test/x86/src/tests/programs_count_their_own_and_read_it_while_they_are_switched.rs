//! Sixty-four programs in ring 3 are switched at random instructions: what each has counted of ring 3 is its own
//! instructions, to the last one, and what it has counted of the kernel is none of them. Every second one reads all
//! that by itself, from its page and by RDPMC: what passes between two readings is right wherever a switch came, and
//! what is another's it reads nowhere.

use core::array;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::println;
use harness::threaded::Plan;
use harness::threads::MOST;
use pmu::arch::x86::Index;
use pmu::{CounterId, CounterSet, Modes, Pmu, Set, UserPage};

use super::clocked;
use super::threaded::{self, FOR_EVER, REQUESTS, Schedule, Thread};
use crate::guest::Here;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, position, threads, user};
use crate::trap::Frame;

/// The instructions between two readings.
const BETWEEN: u64 = 100;

/// What a program shares with its kernel.
struct Program {
    page: UserPage<REQUESTS>,
    /// The unit's counters that are not its own, a bit each.
    others: AtomicUsize,
    readings: AtomicUsize,
    /// Those that were wrong, and the last of them.
    wrong: [AtomicUsize; 2],
}

static UNIT: Unit<0> = Unit::new();
static PROGRAMS: [Program; MOST] = [const {
    Program {
        page: UserPage::new(),
        others: AtomicUsize::new(0),
        readings: AtomicUsize::new(0),
        wrong: [const { AtomicUsize::new(0) }; 2],
    }
}; MOST];

pub fn test() {
    let pmu = unit::claim(&UNIT);
    unit::hardware().open_user_reads();
    let mut plan = Programs;
    let threads: [_; MOST] = array::from_fn(|number| Thread::new(&pmu, number, requests(&pmu, number)));
    let mut schedule = Schedule::new(&pmu, threads, &mut plan);
    let switches = threaded::switches(4_000, 20_000);
    schedule.run(switches);
    unit::hardware().close_user_reads();
    let wrong = PROGRAMS.each_ref().map(|program| program.wrong.each_ref().map(|word| word.load(Relaxed)));
    assert_eq!(wrong, [[0; 2]; MOST], "how many readings were wrong, and the last of each program's");
    let readings: usize = PROGRAMS.iter().map(|program| program.readings.load(Relaxed)).sum();
    println!("{switches} switches, {readings} readings");
    assert!(readings as u64 > switches / 4, "{readings} readings");
}

const fn reads(number: usize) -> bool {
    number % 2 == 1
}

/// Its own ring's instructions, and the kernel's, on counters that differ from those of the next program.
fn requests(pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
    let counters = clocked::counters(&pmu.description());
    let counter = |place: usize| -> CounterId {
        counters.into_iter().cycle().nth(number + place).expect("the unit has counters")
    };
    let own: CounterSet = [counter(0), counter(1)].into_iter().collect();
    PROGRAMS[number].others.store(counters.without(own).bits() as usize, Relaxed);
    let [user, kernel] = [Modes::USER, Modes::KERNEL];
    [clocked::request(counter(0)).modes(user), clocked::request(counter(1)).modes(kernel)].into()
}

struct Programs;

impl Plan<Here> for Programs {
    fn beginning(&self, number: usize) -> Frame {
        match reads(number) {
            true => threads::in_ring_3(read_for_ever as *const () as usize, number),
            false => threads::in_ring_3(position::entry(), FOR_EVER),
        }
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
        let counts = thread.counts();
        assert_eq!(counts, thread.booked, "{:?} after {} turns", thread.context, thread.turns);
        if !reads(thread.number()) {
            assert_eq!(counts[0], thread.own, "{:?} after {} turns", thread.context, thread.turns);
        }
    }
}

fn publish(pmu: &Pmu<Driver>, thread: &Thread) {
    let page = &PROGRAMS[thread.number()].page;
    pmu.publish(&thread.context, page).expect("it is bound");
}

/// A program that reads, for ever. A reading that a switch came amid begins again, which is its own work: with words in halves
/// it takes some hundred instructions.
extern "C" fn read_for_ever(number: usize) -> ! {
    let program = &PROGRAMS[number];
    let mut exact = None;
    loop {
        let generation = program.page.generation();
        let passed = passed(&program.page);
        let is_right = match program.page.generation() == generation {
            true => *exact.get_or_insert(passed) == passed,
            false => (BETWEEN..10 * BETWEEN).contains(&passed),
        };
        let wrong = if is_right { anothers(program) } else { Some(passed) };
        program.readings.fetch_add(1, Relaxed);
        if let Some(wrong) = wrong {
            program.wrong[0].fetch_add(1, Relaxed);
            program.wrong[1].store(wrong as usize, Relaxed);
        }
    }
}

/// What passes between two readings.
#[inline(never)]
fn passed(page: &UserPage<REQUESTS>) -> u64 {
    let before = page.read(0, user::read_counter).unwrap_or(0);
    instructions::exactly(BETWEEN);
    page.read(0, user::read_counter).unwrap_or(0).wrapping_sub(before)
}

/// What is in a counter that is not its own, if it tells of anybody.
fn anothers(program: &Program) -> Option<u64> {
    let others = CounterSet::from_bits(program.others.load(Relaxed) as u64);
    let mut values = others.into_iter().map(|other| user::read_counter(Index::of(other).raw()));
    values.find(|&value| clocked::tells(value))
}
