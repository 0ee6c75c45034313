//! A loop that knows where it was interrupted: which of its instructions had retired.

use super::entry::Frame;
use crate::assembly;

/// The loop's length: three instructions.
const LENGTH: u64 = 3;
/// R8, which counts rounds, among the registers of a [`Frame`].
const ROUNDS: usize = 6;

unsafe extern "C" {
    /// Goes round three instructions so many times.
    pub safe fn position_loop(rounds: usize);

    static position_first: u8;
    static position_second: u8;
    static position_third: u8;
}

/// How many of the loop's instructions had retired when this exception came; `None` if it came at
/// another place.
pub fn of(frame: &Frame) -> Option<u64> {
    let places = [&raw const position_first, &raw const position_second, &raw const position_third];
    let place = places.iter().position(|&place| place as usize == frame.address)? as u64;
    // R8 counts the rounds that have begun; before the first instruction of a round it has not.
    let begun = (frame.general[ROUNDS] as u64).saturating_sub(u64::from(place > 0));
    Some(begun * LENGTH + place)
}

assembly!(
    r#"
    .text
    .global position_loop
position_loop:
    li 8, 0
    mtctr 3
    .global position_first
position_first:
    addi 8, 8, 1
    .global position_second
position_second:
    nop
    .global position_third
position_third:
    bdnz position_first
    blr
    "#
);
