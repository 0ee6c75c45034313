//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::arch::naked_asm;

use crate::trap::Frame;

/// The loop's length: `add`, `subs`, `b.ne`.
const LENGTH: u64 = 3;

/// Goes round the loop.
pub fn turn(rounds: u64) {
    turned_loop(rounds);
}

/// Where the same loop begins for somebody who comes to stay: with the rounds in X1, and X2 0.
pub fn entry() -> u64 {
    &raw const turned_first as u64
}

/// How many of the loop's instructions had retired when this trap came; `None` if it came at
/// another place.
pub fn of(frame: &Frame) -> Option<u64> {
    let places = [&raw const turned_first, &raw const turned_second, &raw const turned_third];
    let place = places.iter().position(|&place| place as u64 == frame.address)? as u64;
    // X2 counts the rounds that have begun; before the first instruction of a round it has not.
    let begun = frame.registers[2].saturating_sub(u64::from(place > 0));
    Some(begun * LENGTH + place)
}

unsafe extern "C" {
    static turned_first: u8;
    static turned_second: u8;
    static turned_third: u8;
}

#[unsafe(naked)]
extern "C" fn turned_loop(rounds: u64) {
    naked_asm!(
        "mov x1, x0",
        "mov x2, #0",
        ".global turned_first",
        "turned_first:",
        "add x2, x2, #1",
        ".global turned_second",
        "turned_second:",
        "subs x1, x1, #1",
        ".global turned_third",
        "turned_third:",
        "b.ne turned_first",
        "ret",
    )
}
