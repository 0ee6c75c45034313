//! The host's own instructions between the two readings of the clock.

use harness::host::Processor as _;

use super::Processor;
use crate::host::clock;
use crate::low;

/// Instructions on the way from one reading of the clock to the other that are not the guest's.
#[derive(Clone, Copy, Default)]
pub struct Costs {
    /// From the first reading to the guest.
    pub ahead: u64,
    /// Both ways, with an instruction that traps.
    pub trap: u64,
    /// Both ways, with an interrupt.
    pub interrupt: u64,
}

impl Costs {
    /// Finds the ways' lengths: a guest that runs over a row of NOPs says by its address how many it executed.
    pub fn calibrate() -> Self {
        // SAFETY: the host alone runs.
        unsafe { (*low::low()).parts = clock::parts() };
        let trap = executed(ROW, 1, Self { ahead: LONG, ..Self::default() }).0;
        let ahead = |ahead| Self { ahead, trap, interrupt: 0 };
        let mut ways = (1..LONG).map(ahead).find(|ways| executed(0, 1, *ways).1 == 1).expect("Compare stops the guest");
        ways.interrupt = executed(0, 1, ways).0 - 1;
        let is_exact = |instructions| executed(0, instructions, ways) == (instructions, instructions as usize);
        assert!((1..ROW as u64).all(is_exact), "Compare stops the guest at its very instruction");
        ways
    }
}

/// Lets a guest go on from this NOP of the row for so many instructions. Returns how many it executed, by the clock and by
/// its address.
fn executed(from: usize, instructions: u64, costs: Costs) -> (u64, usize) {
    let mut processor = Processor::new(costs);
    processor.begin_at(row() + 4 * from, 0);
    let retired = processor.enter(instructions);
    (retired, (processor.address() as usize - row()) / 4 - from)
}

/// More instructions than the ways have.
const LONG: u64 = 400;
/// The length of the row, which ends in a call of the host.
const ROW: usize = 512;

unsafe extern "C" {
    static calibration_row: u8;
}

/// The row's address.
fn row() -> usize {
    &raw const calibration_row as usize
}

crate::assembly!(
    r#"
    .text
    .global calibration_row
calibration_row:
    .rept {row}
    nop
    .endr
    syscall
    nop
    "#,
    row = const ROW,
);
