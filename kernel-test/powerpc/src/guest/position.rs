//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::Interrupted;

use crate::assembly;
use crate::low::Frame;

/// The loop's length: three instructions.
const LENGTH: u64 = 3;
/// How many rounds have got as far as the second instruction, which stores it.
static ROUNDS: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    /// Goes round three instructions so many times.
    pub safe fn position_loop(rounds: usize);

    static position_first: u8;
    static position_second: u8;
    static position_third: u8;
}

/// How many of the loop's instructions had retired when this exception came; `None` if it came at
/// another place.
pub fn of(at: Interrupted) -> Option<u64> {
    let places = [&raw const position_first, &raw const position_second, &raw const position_third];
    let place = places.iter().position(|&place| place as u64 == at.address)? as u64;
    // Behind its store this round is among them.
    let complete = (ROUNDS.load(Relaxed) as u64).saturating_sub(u64::from(place == 2));
    Some(complete * LENGTH + place)
}

/// Where the loop begins for somebody who comes to stay: with R8 0, and the rounds in the count register.
pub fn entry() -> usize {
    &raw const position_first as usize
}

/// What R9 is to hold for him.
pub fn rounds_place() -> usize {
    &raw const ROUNDS as usize
}

/// How many of the loop's instructions had retired when this thread left it; `None` if it was at another
/// place.
pub fn of_thread(frame: &Frame) -> Option<u64> {
    let place = frame.address.checked_sub(entry()).filter(|place| *place < 4 * LENGTH as usize)? as u64 / 4;
    // Before the first instruction of a round it has not begun.
    let begun = (frame.general[8] as u64).saturating_sub(u64::from(place > 0));
    Some(begun * LENGTH + place)
}

assembly!(
    r#"
    .text
    .global position_loop
position_loop:
    lis 9, {rounds}@h
    ori 9, 9, {rounds}@l
    li 8, 0
    store 8, 0(9)
    mtctr 3
    .global position_first
position_first:
    addi 8, 8, 1
    .global position_second
position_second:
    store 8, 0(9)
    .global position_third
position_third:
    bdnz position_first
    blr
    "#,
    rounds = sym ROUNDS,
);
