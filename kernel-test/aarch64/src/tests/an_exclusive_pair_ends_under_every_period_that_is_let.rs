//! An interrupt ends what a load-exclusive has begun, so that a period of a few instructions lets a program's atomic
//! operation never end. The least period that the driver lets is longer than that, even for the longest way that a
//! program may take from the load to the store; and so it is in the kernel.

use core::arch::naked_asm;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::println;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Capabilities;
use pmu::driver::Registers;
use pmu::request::Refusal;
use pmu::{CounterId, Error, Modes, Pmu, Request};

use super::clocked;
use crate::gic;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_interrupts_at, on_interrupt, user};
use crate::trap::Frame;

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

static PERIOD: AtomicU64 = AtomicU64::new(0);
static WORD: AtomicU64 = AtomicU64::new(0);

/// How often a program increments, and how often it tries to each time.
const INCREMENTS: u64 = 3;
const TRIES: u64 = 30;
/// The longest way from a load to its store, in instructions with both: Arm recommends no more than 128 bytes
/// (DDI 0487, "Load-Exclusive and Store-Exclusive instruction usage restrictions").
const LONGEST: usize = 32;

pub fn test() {
    on_interrupt(begin_anew);
    assert!((1..4).all(|period| !ends(period, short)), "an interrupt is between every load and its store");
    let hangs =
        (1..Capabilities::LEAST_IN_USER).rfind(|&period| !ends(period, long)).expect("some are too short for it");
    println!("the longest period at which a program hangs is {hangs}");
    assert!(hangs >= LONGEST as u64 && 2 * hangs <= Capabilities::LEAST_IN_USER, "{hangs}");

    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let request = clocked::request(CounterId::ZERO).modes(Modes::USER);
    let refused = pmu.open([request.every(Capabilities::LEAST_IN_USER - 1)]).err();
    let least = Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_USER };
    assert!(matches!(refused, Some(Error::Refused { reason, .. }) if reason == least), "{refused:?}");
    for more in 0..2 * LONGEST as u64 {
        assert!(ends_in_session(&pmu, request.every(Capabilities::LEAST_IN_USER + more), || user::run(long)), "{more}");
        let request = clocked::request(CounterId::ZERO).every(Capabilities::LEAST_IN_KERNEL + more);
        assert!(ends_in_session(&pmu, request, || long()), "{more} in the kernel");
    }
}

fn ends_in_session(pmu: &Pmu<Driver>, request: Request, run: impl Fn()) -> bool {
    let mut session = pmu.open([request]).expect("the period is possible");
    WORD.store(0, Relaxed);
    session.start().expect("it is stopped");
    run();
    session.stop().expect("it runs");
    WORD.load(Relaxed) == INCREMENTS
}

/// Does it end with an interrupt each `period` of its instructions? No driver is asked.
fn ends(period: u64, program: extern "C" fn()) -> bool {
    /// PMEVTYPER0_EL0: INST_RETIRED, not at EL1.
    const PROGRAMS_INSTRUCTIONS: u64 = 1 << 31 | 0x0008;
    PERIOD.store(period, Relaxed);
    WORD.store(0, Relaxed);
    let write = |at, value| unit::hardware().write(at, value);
    write(SystemRegister::any_select(CounterId::ZERO), PROGRAMS_INSTRUCTIONS);
    write(SystemRegister::any_counter(CounterId::ZERO), start());
    write(SystemRegister::INTERRUPT_SET, 1);
    write(SystemRegister::CONTROL, 1);
    write(SystemRegister::ENABLE_SET, 1);
    user::run(program);
    write(SystemRegister::ENABLE_CLEAR, 1);
    write(SystemRegister::INTERRUPT_CLEAR, 1);
    write(SystemRegister::OVERFLOW_CLEAR, 1);
    WORD.load(Relaxed) == INCREMENTS
}

/// It overflows from 32 bits: PMCR_EL0.LP is 0.
fn start() -> u64 {
    (1 << 32) - PERIOD.load(Relaxed)
}

fn begin_anew(_: &mut Frame) {
    unit::hardware().write(SystemRegister::any_counter(CounterId::ZERO), start());
    unit::hardware().write(SystemRegister::OVERFLOW_CLEAR, 1);
}

/// A program whose exclusive pairs are so long.
macro_rules! program {
    ($name:ident, $length:expr) => {
        #[unsafe(naked)]
        extern "C" fn $name() {
            naked_asm!(
                "adrp x0, {word}",
                "add x0, x0, :lo12:{word}",
                "mov x4, #{increments}",
                "2:",
                "mov x1, #{tries}",
                "3:",
                "ldxr x2, [x0]",
                "add x2, x2, #1",
                ".rept {more}",
                "nop",
                ".endr",
                "stxr w3, x2, [x0]",
                "cbz w3, 4f",
                "subs x1, x1, #1",
                "b.ne 3b",
                "4:",
                "subs x4, x4, #1",
                "b.ne 2b",
                "ret",
                word = sym WORD,
                increments = const INCREMENTS,
                tries = const TRIES,
                more = const $length - 3,
            )
        }
    };
}

program!(short, 3);
program!(long, LONGEST);
