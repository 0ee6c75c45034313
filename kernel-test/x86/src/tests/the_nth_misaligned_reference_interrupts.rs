//! A counter of misaligned references interrupts on the n-th of them, right behind the instruction
//! that made it: the aligned ones in between do not count, and nothing slips.

use core::arch::naked_asm;
use core::hint::black_box;

use pmu::virt::Kind;
use pmu::{Event, Request};

use super::observed;
use crate::guest::unit::{self, Unit};
use crate::guest::{events, instructions, on_nmi, truth};
use crate::width::by_width;

/// Pairs of references in the row, one aligned, one not.
const PAIRS: u64 = 100;
/// The length of a pair, in bytes.
const PAIR: u64 = by_width!(6, 4);

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    match events::of(Kind::MisalignedReferences) {
        Some(event) => interrupt_each(event),
        None => observed::is_reported(0x0005),
    }
}

fn interrupt_each(event: Event) {
    on_nmi(|frame| _ = UNIT.on_overflow(unit::interrupted(frame)));
    let pmu = unit::claim(&UNIT);
    for n in 2..=PAIRS {
        let mut session = pmu.open([Request::new(event).once_after(n)]).expect("the period is possible");
        session.start().expect("it is stopped");
        instructions::call(black_box(row), &raw const ALIGNED as u64);
        session.stop().expect("it runs");
        let sample = UNIT.samples().expect("there is one reader").next().expect("it was sampled");
        assert_eq!(sample.address, row as *const () as u64 + LEAD + n * PAIR, "reference {n}");
        assert_eq!(truth::skid(), 0);
    }
}

#[repr(C, align(64))]
struct Aligned([u64; 4]);

static ALIGNED: Aligned = Aligned([0; 4]);

/// The length of the row's first instruction.
const LEAD: u64 = by_width!(4, 3);

#[unsafe(naked)]
extern "C" fn row() {
    naked_asm!(
        "lea esi, [edi + 13]", // its four bytes cross a boundary of eight and one of sixteen
        ".rept {pairs}",
        "mov eax, [edi]",
        "mov eax, [esi]",
        ".endr",
        "ret",
        pairs = const PAIRS,
    )
}
