//! Sixty-four user programs on four CPUs at once count what each of them increments, and read that by themselves from
//! their pages while they are switched at any instruction and moved: every reading is right. What is another's they
//! read nowhere, and those to whom nothing is lent are refused.

use core::arch::naked_asm;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::{Chance, Effort, println};
use metal::{get, put};
use pmu::arch::aarch64::Index;
use pmu::arch::aarch64::access::User;
use pmu::{CounterId, Event, Modes, Pmu, Request, Set, UserPage};

use super::threaded::{Kernel, Plan, REQUESTS, Thread};
use crate::boot::CPUS;
use crate::guest::on_interrupt;
use crate::guest::probe;
use crate::guest::threads::{self, State};
use crate::guest::unit::{self, Driver};

/// Instructions that software has marked by writing PMSWINC_EL0 (SW_INCR).
const SOFTWARE_INCREMENTS: Event = Event::raw(0x0000);

const SWITCHES: u64 = 30_000;
/// Every so-manieth program is lent nothing, and every so-manieth is sampled, too.
const REFUSED: usize = 8;
const SAMPLED: usize = 4;
/// Longer than most turns; each thread has its own.
const PERIOD: u64 = 51;

/// A program, as it and the kernel see it.
struct Program {
    page: UserPage<REQUESTS>,
    /// The increments that it has made.
    made: AtomicU64,
    /// The readings that it has made, and those that were wrong; and what the last of those was.
    readings: AtomicU64,
    wrong: AtomicU64,
    last: AtomicU64,
    /// Its counters, a bit each.
    own: AtomicU64,
    /// The periods that have ended, by its samples.
    samples: AtomicU64,
}

static PROGRAMS: [Program; threads::MOST] = [const {
    Program {
        page: UserPage::new(),
        made: AtomicU64::new(0),
        readings: AtomicU64::new(0),
        wrong: AtomicU64::new(0),
        last: AtomicU64::new(0),
        own: AtomicU64::new(0),
        samples: AtomicU64::new(0),
    }
}; threads::MOST];

static KERNEL: Kernel = Kernel::new(&Increments);

pub fn test() {
    on_interrupt(|frame| KERNEL.service(unit::interrupted(frame)));
    let switches = Effort::length(SWITCHES);
    KERNEL.run(switches, || KERNEL.run_here());
    // In a short run one of sixty-four may miss a CPU.
    let least = CPUS - usize::from(switches < SWITCHES);
    for (number, program) in PROGRAMS.iter().enumerate() {
        let [made, readings, wrong, last] =
            [&program.made, &program.readings, &program.wrong, &program.last].map(|word| word.load(Relaxed));
        assert_eq!(wrong, 0, "program {number}, {made} increments, {readings} readings; the last wrong one: {last:#x}");
        assert!(readings > switches / 1000, "program {number} has read {readings} times");
        let turns = KERNEL.with(number, |thread| thread.turns);
        let visited = turns.iter().filter(|&&turns| turns > switches / 10_000).count();
        assert!(visited >= least, "it was on {visited} CPUs: {turns:?}");
    }
    let readings: u64 = PROGRAMS.iter().map(|program| program.readings.load(Relaxed)).sum();
    let samples: u64 = PROGRAMS.iter().map(|program| program.samples.load(Relaxed)).sum();
    println!("{switches} switches, {readings} readings, {samples} samples");
}

/// Each counts increments, on one to four counters that differ from those of the next.
struct Increments;

impl Plan for Increments {
    fn requests(&self, pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
        let counters = pmu.description().general;
        let counter = |place: usize| -> CounterId {
            counters.into_iter().cycle().nth(number * 3 + place).expect("the unit has counters")
        };
        let mut set = Set::new();
        for place in 0..1 + number % REQUESTS {
            let request = Request::new(SOFTWARE_INCREMENTS).modes(Modes::USER).pinned_to(counter(place));
            let is_sampled = place == 0 && number.is_multiple_of(SAMPLED);
            let request = if is_sampled { request.every(PERIOD + number as u64) } else { request };
            PROGRAMS[number].own.fetch_or(counter(place).only().bits(), Relaxed);
            set.add(request).expect("there is room");
        }
        set
    }

    fn beginning(&self, number: usize) -> State {
        State::beginning(number, program as *const () as u64, [number as u64, 0])
    }

    /// Most of it passes while other CPUs run.
    fn longest_turn(&self) -> u64 {
        20_000
    }

    fn next_cpu(&self, _: &mut Chance) -> Option<usize> {
        None
    }

    fn came(&self, pmu: &Pmu<Driver>, thread: &Thread) {
        if !thread.number.is_multiple_of(REFUSED) {
            pmu.lend().expect("no session is open");
        }
        pmu.publish(&thread.context, &PROGRAMS[thread.number].page).expect("it is in");
        let_increment();
    }

    fn leaves(&self, pmu: &Pmu<Driver>, _: &Thread) {
        pmu.take_back().expect("this is its CPU");
    }

    fn left(&self, pmu: &Pmu<Driver>, thread: &Thread) {
        let program = &PROGRAMS[thread.number];
        let is_amid = thread.state.frame.address == &raw const increment_counted as u64;
        let made = program.made.load(Relaxed) + u64::from(is_amid);
        for (request, count) in thread.context.requests().iter().zip(thread.counts()) {
            assert_eq!(count, made, "{request:?} of {:?}", thread.context);
        }
        for sample in KERNEL.unit().samples().expect("nobody else reads") {
            assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?} in {:?}", thread.context);
            program.samples.fetch_add(1, Relaxed);
        }
        if thread.number.is_multiple_of(SAMPLED) {
            let periods = made / (PERIOD + thread.number as u64);
            assert_eq!(program.samples.load(Relaxed), periods, "{:?}", thread.context);
        }
        pmu.publish(&thread.context, &program.page).expect("it is bound");
    }
}

/// PMUSERENR_EL0.SW beside what is there: the program may increment.
fn let_increment() {
    put!("pmuserenr_el0", get!("pmuserenr_el0") | 1 << 1);
}

/// What a program does, for ever: it increments, and now and then reads.
extern "C" fn program(number: usize) -> ! {
    let program = &PROGRAMS[number];
    loop {
        (0..5).for_each(|_| increment(program.made.as_ptr()));
        let wrong = if !number.is_multiple_of(REFUSED) { wrong_reading(program, number) } else { allowed_reading() };
        program.readings.fetch_add(1, Relaxed);
        if let Some(reading) = wrong {
            program.wrong.fetch_add(1, Relaxed);
            program.last.store(reading, Relaxed);
        }
    }
}

/// A count that is not what it has made, or what is in a counter that is not its own.
fn wrong_reading(program: &Program, number: usize) -> Option<u64> {
    // SAFETY: the kernel lends this thread's counters whenever it runs, and the page names no others.
    let user = unsafe { User::claim() };
    let counter = |index| Index::from_number(index).map_or(0, |index| user.read(index));
    let made = program.made.load(Relaxed);
    let counts = program.page.read_all(counter);
    let own = program.own.load(Relaxed);
    let others = (0..COUNTERS).filter(|&other| own & 1 << other == 0).map(counter);
    let counts = counts.into_iter().take(1 + number % REQUESTS);
    counts.filter(|&count| count != made).chain(others.filter(|other| !NOTHING.contains(other))).next()
}

/// The event counters that every processor here has.
const COUNTERS: u32 = 4;
/// What is in a counter that holds nothing: zero, or the longest wait of 32 or 64 bits.
const NOTHING: [u64; 3] = [0, 1 << 31, 1 << 63];

/// What a counter reads that nobody lent.
fn allowed_reading() -> Option<u64> {
    probe::read_counter_0(0).ok()
}

unsafe extern "C" {
    static increment_counted: u8;
}

/// One increment on every counter that counts them, and one in the program's own book.
fn increment(made: *mut u64) {
    #[unsafe(naked)]
    extern "C" fn increment(made: *mut u64) {
        naked_asm!(
            "ldr x1, [x0]",
            "add x1, x1, #1",
            "mov x2, #0x7fffffff",
            "msr pmswinc_el0, x2",
            ".global increment_counted",
            "increment_counted:",
            "str x1, [x0]",
            "ret",
        )
    }
    increment(made);
}
