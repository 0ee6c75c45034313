//! The host's own instructions between the two readings of the clock.

use core::arch::global_asm;

use harness::host::Processor as _;

use super::Processor;

/// Instructions on the way from one reading of the clock to the other that are not the guest's.
#[derive(Clone, Copy, Default)]
pub struct Costs {
    /// From the timer's start to the guest.
    pub ahead: u64,
    /// Both ways, with an instruction that traps.
    pub trap: u64,
    /// Both ways, with an interrupt.
    pub interrupt: u64,
}

impl Costs {
    /// Finds the ways' lengths: a guest that runs over a row of NOPs says by its address how many it executed.
    pub fn calibrate() -> Self {
        let trap = executed(ROW, 1, Self { ahead: LONG, ..Self::default() }).0;
        let ahead = |ahead| Self { ahead, trap, interrupt: 0 };
        let mut ways =
            (1..LONG).map(ahead).find(|ways| executed(0, 1, *ways).1 == 1).expect("the timer stops the guest");
        ways.interrupt = executed(0, 1, ways).0 - 1;
        let is_exact = |instructions| executed(0, instructions, ways) == (instructions, instructions);
        assert!((1..ROW).all(is_exact), "the timer stops the guest at its very instruction");
        ways
    }
}

/// Lets a guest go on from this NOP of the row for so many instructions. Returns how many it executed, by the clock and by
/// its address.
fn executed(from: u64, instructions: u64, costs: Costs) -> (u64, u64) {
    let mut processor = Processor::new(costs);
    processor.begin_at(row() + 4 * from, 0);
    let retired = processor.enter(instructions);
    (retired, (processor.address() - row()) / 4 - from)
}

/// More instructions than the ways have.
const LONG: u64 = 400;
/// The length of the row, which ends in a call of the host.
const ROW: u64 = 512;

unsafe extern "C" {
    static calibration_row: u8;
}

/// The row's address.
fn row() -> u64 {
    &raw const calibration_row as u64
}

global_asm!(
    r#"
    .text
    .global calibration_row
calibration_row:
    .rept {row}
    nop
    .endr
    syscall 0
    "#,
    row = const ROW,
);
