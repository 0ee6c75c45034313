//! Microwatt's unit alone, driven by the crate's driver of it.

mod lockstep;

use std::cell::Cell;
use std::path::Path;

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Book3s, Identity};
use pmu::driver::{Plan as _, Registers as _};
use pmu::{Context, CounterId, Event, Pmu, Request, Session, Unit};

use crate::Sentence;
use crate::block::Block;
use crate::machine::{self, Machine};

/// The wires (`rtl/microwatt/block.cpp`): a completed instruction, and that the processor runs.
const INSTRUCTION: u64 = 1 << 3;
/// See [`INSTRUCTION`].
const RUNS: u64 = 1 << 22;
/// A cycle, which has no wire.
const CYCLE: u64 = 1 << 63;
const COUNTERS: usize = 6;

/// What is around the unit: it tells the unit of events, and counts for each counter those that it is told to watch, in the cycles
/// in which MMCR0 and MMCR2 do not stop that counter in supervisor state. It knows nothing of values and selectors.
#[derive(Default)]
pub struct Core {
    control: Cell<u64>,
    freezes: Cell<u64>,
    watched: Cell<[u64; COUNTERS]>,
    counts: Cell<[u64; COUNTERS]>,
}

impl Core {
    /// Counts anew for this counter what is told by these wires.
    fn watch(&self, counter: CounterId, wires: u64) {
        let at = usize::from(counter.number());
        let (mut watched, mut counts) = (self.watched.get(), self.counts.get());
        (watched[at], counts[at]) = (wires, 0);
        self.watched.set(watched);
        self.counts.set(counts);
    }

    /// Returns that count.
    fn count(&self, counter: CounterId) -> u64 {
        self.counts.get()[usize::from(counter.number())]
    }

    /// FC, FC1-4 and FC5-6 of MMCR0, FCnS of MMCR2.
    fn is_stopped(&self, counter: usize) -> bool {
        let of_some = if counter < 4 { 5 } else { 4 };
        let bits = [self.control.get() >> 31, self.control.get() >> of_some, self.freezes.get() >> (63 - 9 * counter)];
        bits.iter().any(|bit| bit & 1 == 1)
    }
}

impl machine::Core for Core {
    type Address = Spr;

    fn read(&self, block: &Block, at: Spr) -> u64 {
        block.read(at.number())
    }

    /// What is written takes effect in the next cycle.
    fn write(&self, block: &Block, at: Spr, value: u64) {
        block.write(at.number(), value);
    }

    fn wrote(&self, at: Spr, value: u64) {
        match at {
            Spr::MMCR0 => self.control.set(value),
            Spr::MMCR2 => self.freezes.set(value),
            _ => {}
        }
    }

    fn saw(&self, wires: u64, cycles: u64) {
        let (watched, mut counts) = (self.watched.get(), self.counts.get());
        for counter in 0..COUNTERS {
            if (wires | CYCLE) & watched[counter] != 0 && !self.is_stopped(counter) {
                counts[counter] += cycles;
            }
        }
        self.counts.set(counts);
    }
}

type Driver = Book3s<&'static Machine<Core>>;
/// What a sentence does with the block.
type Run = fn(&'static Machine<Core>);

/// Returns the sentences.
pub fn sentences(program: &Path) -> Vec<Sentence> {
    let driven: [(&str, Run); 5] = [
        ("every_event_on_every_counter_counts_what_the_unit_is_told", every_event_counts),
        ("a_stopped_counter_keeps_its_value_and_a_start_goes_on", stops_and_starts),
        ("threads_count_what_is_their_own", threads),
        ("a_count_goes_on_over_the_wrap_of_its_counter", wraps),
        ("as_many_overflows_as_interrupts_as_samples", overflows),
    ];
    let driven = driven.map(|(name, sentence)| {
        let program = program.to_owned();
        let run: Box<dyn FnOnce() + std::panic::UnwindSafe> = Box::new(move || sentence(running(&program)));
        (name.to_owned(), run)
    });
    driven.into_iter().chain(lockstep::sentences(program)).collect()
}

/// The registers that have no reset, and MMCR0.
fn registers() -> impl Iterator<Item = Spr> {
    let counters = (0..COUNTERS as u8).filter_map(CounterId::new).map(Spr::pmc);
    let others = [Spr::MMCR0, Spr::MMCR1, Spr::MMCR2, Spr::MMCRA, Spr::SIAR, Spr::SDAR, Spr::SIER];
    counters.chain(others)
}

/// Starts the unit in a processor that runs. Each register is written once, as a kernel must.
fn running(program: &Path) -> &'static Machine<Core> {
    let machine = Machine::start(program, Core::default());
    machine.set_idle(RUNS);
    registers().for_each(|at| machine.write(at, 0));
    machine
}

/// Claims the unit, whose interrupt its handler has.
fn claim(machine: &'static Machine<Core>) -> (&'static Unit<Driver, 64>, Pmu<'static, Driver>) {
    let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
    let capabilities = Identity::MICROWATT.capabilities();
    let driver = Book3s::detect(capabilities.pvr, capabilities.privilege, machine).expect("it is known");
    machine.handle(|at| assert!(unit.on_overflow(at).is_mine(), "the interrupt is the unit's"));
    (unit, unit.claim(driver).expect("nobody has claimed it"))
}

/// An event by its code, the counter in its upper digit, and the wires that tell of it (pmu.vhdl, "Event selection").
const EVENTS: [(u64, u64); 28] = [
    (0x1_00F0, CYCLE),
    (0x1_00F2, INSTRUCTION),
    (0x1_00F4, 1 << 4),
    (0x1_00F6, 1 << 10),
    (0x1_00F8, 1 << 0),
    (0x1_00FA, RUNS),
    (0x1_00FC, 1 << 5),
    (0x1_00FE, INSTRUCTION),
    (0x2_00F0, 1 << 6),
    (0x2_00F2, 1 << 1),
    (0x2_00F4, RUNS),
    (0x2_00F6, 1 << 18),
    (0x2_00F8, 1 << 2),
    (0x2_00FA, 1 << 7),
    (0x2_00FC, 1 << 12),
    (0x3_00F0, 1 << 16),
    (0x3_00F2, 1 << 1),
    (0x3_00F4, INSTRUCTION),
    (0x3_00F6, 1 << 15),
    (0x3_00FE, 1 << 17),
    (0x4_00F0, 1 << 14),
    (0x4_00F2, 1 << 1),
    (0x4_00F4, RUNS),
    (0x4_00F6, 1 << 8),
    (0x4_00FA, INSTRUCTION),
    (0x4_00FC, 1 << 11),
    (0x5_00FA, INSTRUCTION),
    (0x6_00F4, RUNS),
];

/// Opens a code on its counter.
fn open(machine: &Machine<Core>, pmu: Pmu<'static, Driver>, code: u64) -> (Session<'static, Driver, 1>, CounterId) {
    let (_, wires) = EVENTS.into_iter().find(|&(known, _)| known == code).expect("it is an event of the unit's");
    let counter = CounterId::new((code >> 16) as u8 - 1).expect("it is below 64");
    let session = pmu.open([Request::new(Event::raw(code)).pinned_to(counter)]).expect("the counter has the event");
    machine.core.watch(counter, wires);
    (session, counter)
}

/// Shows the unit something of everything, `number` times.
fn work(machine: &Machine<Core>, number: u64) {
    for turn in 0..number {
        machine.present(RUNS | INSTRUCTION | 1 << (turn % 21), 1 + turn % 3);
        machine.present(RUNS, turn % 2);
    }
}

#[track_caller]
fn must_be_told(machine: &Machine<Core>, code: u64, counter: CounterId, count: u64) {
    let told = machine.core.count(counter);
    assert_eq!(count, told, "{code:#x}: the crate's count and the core's own wires");
}

fn every_event_counts(machine: &'static Machine<Core>) {
    let (_, pmu) = claim(machine);
    let is_here = |code| code == 0x3_00F8 || EVENTS.iter().any(|&(known, _)| known == code);
    let named = pmu.driver().catalogue().events.iter();
    assert!(named.len() > 20 && named.clone().all(|event| is_here(event.code)), "all but the time base's are tried");
    for (code, _) in EVENTS {
        let (mut session, counter) = open(machine, pmu, code);
        session.start().expect("it is at home");
        work(machine, 300);
        session.stop().expect("it is at home");
        let [count] = session.read().expect("it is at home");
        must_be_told(machine, code, counter, count);
        assert!(count >= 10, "{code:#x} is counted");
    }
}

fn stops_and_starts(machine: &'static Machine<Core>) {
    let (_, pmu) = claim(machine);
    for (code, _) in EVENTS {
        let (mut session, counter) = open(machine, pmu, code);
        for _ in 0..3 {
            session.start().expect("it is at home");
            work(machine, 30);
            session.stop().expect("it is at home");
            let [count] = session.read().expect("it is at home");
            work(machine, 30);
            assert_eq!(session.read(), Ok([count]), "{code:#x}: it stays");
            must_be_told(machine, code, counter, count);
        }
    }
}

/// Two threads take turns on one counter, with other work each.
fn threads(machine: &'static Machine<Core>) {
    let (_, pmu) = claim(machine);
    let mut threads = [1, 2].map(Context::<Driver, 1>::new);
    let counter = CounterId::ZERO;
    for thread in &mut threads {
        thread.bind(&pmu, [Request::new(Event::raw(0x1_00FE)).pinned_to(counter)]).expect("the counter has it");
    }
    machine.core.watch(counter, INSTRUCTION);
    let [first, second] = &mut threads;
    for turn in 1..=50 {
        pmu.switch(second, first);
        machine.present(RUNS | INSTRUCTION, turn);
        pmu.switch(first, second);
        machine.present(RUNS | INSTRUCTION, 7);
    }
    pmu.switch_out(second);
    let counts = [&*first, &*second].map(|thread| thread.counts().expect("it is bound").raw[0]);
    must_be_told(machine, 0x1_00FE, counter, counts.iter().sum());
    assert_eq!(counts, [50 * 51 / 2, 50 * 7]);
    threads.iter_mut().for_each(|thread| thread.unbind().expect("it is out"));
}

/// The counter is moved to its last values before 2^31, at which it interrupts, while it is stopped.
fn wraps(machine: &'static Machine<Core>) {
    let (_, pmu) = claim(machine);
    for (code, _) in EVENTS {
        let (mut session, counter) = open(machine, pmu, code);
        session.start().expect("it is at home");
        work(machine, 30);
        session.stop().expect("it is at home");
        let before = machine.read(Spr::pmc(counter));
        let near = (1 << 31) - 3;
        machine.write(Spr::pmc(counter), near);
        let taken = machine.taken();
        session.start().expect("it is at home");
        work(machine, 100);
        session.stop().expect("it is at home");
        let [count] = session.read().expect("it is at home");
        must_be_told(machine, code, counter, count - (near - before));
        assert_eq!(machine.taken() - taken, 1, "{code:#x}: the overflow interrupts");
    }
}

fn overflows(machine: &'static Machine<Core>) {
    const PERIOD: u64 = 2500;
    let (unit, pmu) = claim(machine);
    for code in [0x1_00FE, 0x2_00FA, 0x3_00F4, 0x4_00F6, 0x5_00FA] {
        let counter = CounterId::new((code >> 16) as u8 - 1).expect("it is below 64");
        let (_, wires) = EVENTS.into_iter().find(|&(known, _)| known == code).expect("it is an event of the unit's");
        let request = Request::new(Event::raw(code)).every(PERIOD).pinned_to(counter);
        let mut session = pmu.open([request]).expect("it has them");
        machine.core.watch(counter, wires);
        let taken = machine.taken();
        session.start().expect("it is at home");
        machine.present(RUNS | wires, 10 * PERIOD + 50);
        session.stop().expect("it is at home");
        let [count] = session.read().expect("it is at home");
        must_be_told(machine, code, counter, count);
        let samples = unit.samples().expect("nobody else reads").by_ref().count() as u64;
        assert_eq!([machine.taken() - taken, samples], [count / PERIOD; 2], "{code:#x}: interrupts and samples");
        assert_eq!(count / PERIOD, 10, "{code:#x}");
    }
}
