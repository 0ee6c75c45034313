//! An interrupt gives up what a load has reserved (LWARX), so that a period of a few instructions lets a program's
//! atomic operation never end. The least period that the driver lets is longer than that, even for a way from the load
//! to the store (STWCX.) that is written by hand; and so it is in the kernel.

use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use pmu::arch::powerpc::book3s::Capabilities;
use pmu::{CounterId, Event, Interrupted, Modes, Pmu, Request};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{on_overflow, user};
use crate::platform::println;
use crate::{assembly, family};

static UNIT: Unit<64> = Unit::new();

static PERIOD: AtomicUsize = AtomicUsize::new(0);
/// What controls the unit while the counter runs.
static CONTROL: AtomicUsize = AtomicUsize::new(0);
static INCREMENTED: AtomicU32 = AtomicU32::new(0);

/// How often a program increments, and how often it tries to each time.
const INCREMENTS: u32 = 3;
const TRIES: u32 = 20;
/// A long way from a load to its store, in instructions with both: compilers write three to five.
const LONG: u64 = 32;

unsafe extern "C" {
    safe fn increment_at_once();
    safe fn increment_by_and_by();
}

extern "C" fn short() {
    increment_at_once();
}

extern "C" fn long() {
    increment_by_and_by();
}

pub fn test() {
    let pmu = unit::claim(&UNIT);
    assert!((1..3).all(|period| !ends(&pmu, period, short)), "an interrupt is between every load and its store");
    let hangs =
        (1..Capabilities::LEAST_IN_USER).rfind(|&period| !ends(&pmu, period, long)).expect("some are too short for it");
    println!("the longest period at which a program hangs is {hangs}");
    assert!(hangs >= LONG - 1 && 2 * hangs <= Capabilities::LEAST_IN_USER, "{hangs}");

    on_overflow(|at| _ = UNIT.on_overflow(at));
    for more in (0..2 * LONG).step_by(3) {
        let request = clocked::request(CounterId::ZERO).modes(Modes::USER).every(Capabilities::LEAST_IN_USER + more);
        assert!(ends_in_session(&pmu, request, || user::run(long)), "{more}");
        let request = Request::new(Event::INSTRUCTIONS).every(Capabilities::LEAST_IN_KERNEL + more);
        assert!(ends_in_session(&pmu, request, || long()), "{more} in the kernel");
    }
}

/// Does it end with an interrupt each `period` of its instructions? The driver, which refuses that, is not asked.
fn ends(pmu: &Pmu<'static, Driver>, period: u64, program: extern "C" fn()) -> bool {
    PERIOD.store(period as usize, Relaxed);
    on_overflow(begin_anew);
    let request = clocked::request(CounterId::ZERO).modes(Modes::USER).every(Capabilities::LEAST_IN_USER);
    let run = || {
        CONTROL.store(family::read(family::control()) as usize, Relaxed);
        family::write(family::counter(CounterId::ZERO), start());
        user::run(program);
    };
    ends_in_session(pmu, request, run)
}

fn ends_in_session(pmu: &Pmu<'static, Driver>, request: Request, run: impl Fn()) -> bool {
    let mut session = pmu.open([request]).expect("the period is possible");
    INCREMENTED.store(0, Relaxed);
    session.start().expect("it is stopped");
    run();
    session.stop().expect("it runs");
    INCREMENTED.load(Relaxed) == INCREMENTS
}

/// A counter fires as its top bit is set.
fn start() -> u64 {
    (1 << 31) - PERIOD.load(Relaxed) as u64
}

fn begin_anew(_: Interrupted) {
    family::write(family::counter(CounterId::ZERO), start());
    family::write(family::control(), CONTROL.load(Relaxed) as u64);
}

assembly!(
    r#"
    .macro increment_in instructions
    lis 5, {incremented}@h
    ori 5, 5, {incremented}@l
    li 6, {increments}
2:  li 7, {tries}
3:  lwarx 8, 0, 5
    addi 8, 8, 1
    .rept \instructions - 3
    nop
    .endr
    stwcx. 8, 0, 5
    beq 4f
    addi 7, 7, -1
    cmpwi 7, 0
    bne 3b
4:  addi 6, 6, -1
    cmpwi 6, 0
    bne 2b
    blr
    .endm

    .text
    .global increment_at_once
increment_at_once:
    increment_in 3
    .global increment_by_and_by
increment_by_and_by:
    increment_in {long}
    "#,
    incremented = sym INCREMENTED,
    increments = const INCREMENTS,
    tries = const TRIES,
    long = const LONG,
);
