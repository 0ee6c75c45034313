//! A counter of branches interrupts on the n-th of them, with the next instruction where it went.

use core::arch::naked_asm;
use core::hint::black_box;

use pmu::virt::Kind;
use pmu::{Pmu, Request};

use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{events, on_nmi, truth};

/// Jumps in the row, each over a byte.
const JUMPS: u64 = 100;
/// The length of a jump and what it jumps over, in bytes.
const JUMP: u64 = 3;
/// Deep in the row, whatever comes before it.
const DEEP: u64 = 50;

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    on_nmi(|frame| _ = UNIT.on_overflow(unit::interrupted(frame)));
    let pmu = unit::claim(&UNIT);
    let deep = place(&pmu, DEEP);
    for n in DEEP + 1..JUMPS {
        assert_eq!(place(&pmu, n), deep + (n - DEEP) * JUMP, "branch {n}");
        assert_eq!(truth::skid(), 0);
    }
}

/// Where in the row the n-th branch since the start interrupts.
fn place(pmu: &Pmu<Driver>, n: u64) -> u64 {
    let event = events::of(Kind::Branches).expect("every processor counts branches");
    let mut session = pmu.open([Request::new(event).once_after(n)]).expect("the period is possible");
    session.start().expect("it is stopped");
    black_box(row as extern "C" fn())();
    session.stop().expect("it runs");
    let sample = UNIT.samples().expect("there is one reader").next().expect("it was sampled");
    sample.address - row as *const () as u64
}

#[unsafe(naked)]
extern "C" fn row() {
    naked_asm!(".rept {jumps}", "jmp 2f", "nop", "2:", ".endr", "ret", jumps = const JUMPS)
}
