//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::Interrupted;

use crate::assembly;
use crate::frame::Frame;

/// The loop's length: three instructions, the last of which is in the branch's delay slot.
const LENGTH: u64 = 3;
/// How many rounds there are, and how many are left, which the third instruction stores.
static ROUNDS: AtomicU64 = AtomicU64::new(0);
static LEFT: AtomicU64 = AtomicU64::new(0);
/// Rounds that no thread ever completes.
const FOR_EVER: u64 = u64::MAX;

unsafe extern "C" {
    fn position_rounds(rounds: u64, left: *const AtomicU64);
    static position_first: u8;
}

/// Goes round three instructions so many times.
pub fn go_round(rounds: u64) {
    ROUNDS.store(rounds, Relaxed);
    LEFT.store(rounds, Relaxed);
    // SAFETY: it stores the rounds that are left.
    unsafe { position_rounds(rounds, &raw const LEFT) };
}

/// Which of the loop's instructions is at this address.
fn place(address: u64) -> Option<u64> {
    let place = address.checked_sub(&raw const position_first as u64)? / 4;
    (place < LENGTH).then_some(place)
}

/// How many of the loop's instructions had retired when this interrupt came; `None` if it came at another place.
pub fn of(at: Interrupted) -> Option<u64> {
    let complete = ROUNDS.load(Relaxed) - LEFT.load(Relaxed);
    Some(complete * LENGTH + place(at.address)?)
}

/// A thread that goes round for ever: where it begins, and what its first two arguments are.
pub fn thread() -> (u64, [u64; 2]) {
    static NOBODYS: AtomicU64 = AtomicU64::new(0);
    (&raw const position_first as u64, [FOR_EVER, &raw const NOBODYS as u64])
}

/// How many of the loop's instructions had retired when this thread left it; `None` if it was at another place.
pub fn of_thread(frame: &Frame) -> Option<u64> {
    let place = place(frame.address)?;
    // Behind its first instruction a round is none of those that are left.
    let complete = FOR_EVER - frame.outs[0] - u64::from(place > 0);
    Some(complete * LENGTH + place)
}

assembly!(
    r#"
    .text
    .global position_rounds, position_first
position_rounds:
position_first:
    sub %o0, 1, %o0
    brnz,pt %o0, position_first
    stx %o0, [%o1]
    retl
    nop
    "#
);
