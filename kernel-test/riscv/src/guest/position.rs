//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::arch::naked_asm;

use super::entry::Frame;

/// The loop's length.
const LENGTH: u64 = 3;

unsafe extern "C" {
    static turned_first: u8;
    static turned_second: u8;
    static turned_third: u8;
}

/// Where the same loop begins for somebody who comes to stay: with the rounds in a1, and 0 in a2.
pub fn entry() -> usize {
    &raw const turned_first as usize
}

/// How many of the loop's instructions had retired when this trap came; `None` if it came at another place.
pub fn of(frame: &Frame) -> Option<u64> {
    let places = [&raw const turned_first, &raw const turned_second, &raw const turned_third];
    let place = places.iter().position(|&place| place as usize == frame.address)?;
    // a2 counts the rounds that have begun; before the first instruction of a round it has not.
    let begun = frame.registers[12].saturating_sub(usize::from(place > 0));
    Some(begun as u64 * LENGTH + place as u64)
}

/// Goes round the loop.
#[unsafe(naked)]
pub extern "C" fn turn(rounds: usize) {
    naked_asm!(
        "mv a1, a0",
        "li a2, 0",
        ".global turned_first",
        "turned_first:",
        "2:",
        "addi a2, a2, 1",
        ".global turned_second",
        "turned_second:",
        "addi a1, a1, -1",
        ".global turned_third",
        "turned_third:",
        "bnez a1, 2b", // a branch to a global symbol would be two instructions
        "ret",
    )
}
