//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::arch::global_asm;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::Interrupted;

use crate::low::Frame;

/// The length of a round.
const LENGTH: u64 = 3;

unsafe extern "C" {
    /// Goes round so often, at least once.
    safe fn position_loop(rounds: u64);

    static position_first: u8;
}

/// The loop, for somebody who comes to stay.
pub fn entry() -> u64 {
    &raw const position_first as u64
}

/// Goes round three instructions so often.
pub fn go_round(rounds: u64) {
    position_loop(rounds.max(1));
}

/// The rounds that had begun when the last interrupt came.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// The line's handler keeps what it has interrupted.
pub fn remember(frame: &Frame) {
    BEGUN.store(frame.general[BEGUN_IN], Relaxed);
}

/// The register that says how many rounds are to come.
pub const ROUNDS_IN: usize = 13;
/// The register that counts the rounds.
const BEGUN_IN: usize = 12;

/// How many of the loop's instructions had retired when this interrupt came; `None` if it came at another place.
pub fn of(at: Interrupted) -> Option<u64> {
    retired(at.address, BEGUN.load(Relaxed))
}

/// How many of the loop's instructions had retired when this thread left it; `None` if it was at another place.
pub fn of_thread(frame: &Frame) -> Option<u64> {
    retired(frame.address, frame.general[BEGUN_IN])
}

fn retired(address: u64, begun: u64) -> Option<u64> {
    let place = address.checked_sub(entry()).map(|offset| offset / 4).filter(|&place| place < LENGTH)?;
    // Before the first instruction of a round it has not begun.
    let complete = begun.saturating_sub(u64::from(place > 0));
    Some(complete * LENGTH + place)
}

global_asm!(
    r#"
    .text
    .global position_loop
position_loop:
    move $r13, $a0
    move $r12, $zero
    .global position_first
position_first:
    addi.d $r12, $r12, 1
    addi.d $r13, $r13, -1
    bnez $r13, position_first
    ret
    "#
);
