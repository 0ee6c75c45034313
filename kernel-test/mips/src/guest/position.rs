//! A loop that knows where it was interrupted: which of its instructions had retired.
//!
//! A branch and its delay slot cannot be told apart: an interrupt comes before both or after. So the loop's rounds of three
//! instructions stand one behind the other, many of them, and only the last has a branch.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::Interrupted;

use crate::assembly;
use crate::low::Frame;

/// The length of a round.
const LENGTH: usize = 3;
/// The rounds up to the branch.
const ROUNDS: usize = 1024;
/// The bytes of a round.
const BYTES: usize = 4 * LENGTH;

unsafe extern "C" {
    /// Goes through all rounds once, and so often once more.
    safe fn position_loop(passes: usize);

    static position_first: u8;
}

/// The loop, for somebody who comes to stay.
pub fn entry() -> usize {
    &raw const position_first as usize
}

/// Goes round three instructions so often at the least.
pub fn go_round(rounds: u64) {
    position_loop(rounds as usize / ROUNDS);
}

/// The rounds that had begun when the last interrupt came.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// The line's handler keeps what it has interrupted.
pub fn remember(frame: &Frame) {
    BEGUN.store(frame.general[BEGUN_IN], Relaxed);
}

/// The register that says how many passes are to come.
pub const PASSES_IN: usize = 9;
/// The register that counts the rounds.
const BEGUN_IN: usize = 8;

/// How many of the loop's instructions had retired when this interrupt came; `None` if it came at another place.
pub fn of(at: Interrupted) -> Option<u64> {
    retired(at.address as usize, BEGUN.load(Relaxed))
}

/// How many of the loop's instructions had retired when this thread left it; `None` if it was at another place.
pub fn of_thread(frame: &Frame) -> Option<u64> {
    retired(frame.address, frame.general[BEGUN_IN])
}

fn retired(address: usize, begun: usize) -> Option<u64> {
    let offset = address.checked_sub(entry()).filter(|&offset| offset < ROUNDS * BYTES)?;
    let place = offset % BYTES / 4;
    // Before the first instruction of a round it has not begun.
    let complete = begun.saturating_sub(usize::from(place > 0));
    Some((complete * LENGTH + place) as u64)
}

assembly!(
    r#"
    .text
    .global position_loop
position_loop:
    move $9, $4
    li $8, 0
    .global position_first
position_first:
    .rept {rounds} - 1
    addiu $8, $8, 1
    nop
    nop
    .endr
    addiu $8, $8, 1
    bnez $9, position_first
    addiu $9, $9, -1
    jr $31
    nop
    "#,
    rounds = const ROUNDS,
);
