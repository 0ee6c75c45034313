//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::arch::naked_asm;

use crate::trap::Frame;

/// A write to a model-specific register.
#[derive(Clone, Copy)]
pub struct Write {
    /// The register's number.
    pub register: u32,
    /// Its new value.
    pub value: u64,
}

/// The loop's length: `inc`, `dec`, `jnz`.
const LENGTH: u64 = 3;

/// Writes `start`, goes round three instructions `rounds` times, writes `stop`.
///
/// The first instruction that retires after `start` has taken effect is the loop's first.
pub fn run(start: Write, rounds: u64, stop: Write) {
    watched_loop(rounds, start.value, start.register, stop.value, stop.register);
}

/// Goes round the same loop without writing anything.
pub fn turn(rounds: u64) {
    turned_loop(rounds);
}

/// Where the same loop begins for somebody who comes to stay: with R8 0, and the rounds in RDI.
pub fn entry() -> u64 {
    &raw const turned_first as u64
}

/// The address of the instruction that is next for somebody who came to stay, when so many have retired.
pub fn next(retired: u64) -> u64 {
    turned()[(retired % LENGTH) as usize] as u64
}

/// The loop's instructions of those who come to stay.
fn turned() -> [*const u8; LENGTH as usize] {
    [&raw const turned_first, &raw const turned_second, &raw const turned_third]
}

/// How many of the loop's instructions had retired when this trap came; `None` if it came at
/// another place.
pub fn of(frame: &Frame) -> Option<u64> {
    let watched = [&raw const watched_first, &raw const watched_second, &raw const watched_third];
    let is_here = |&place: &*const u8| place as u64 == frame.rip;
    let place = watched.iter().position(is_here).or_else(|| turned().iter().position(is_here))? as u64;
    // R8 counts the rounds that have begun; before the first instruction of a round it has not.
    let begun = frame.r8.saturating_sub(u64::from(place > 0));
    Some(begun * LENGTH + place)
}

unsafe extern "C" {
    static watched_first: u8;
    static watched_second: u8;
    static watched_third: u8;
    static turned_first: u8;
    static turned_second: u8;
    static turned_third: u8;
}

#[unsafe(naked)]
extern "C" fn watched_loop(rounds: u64, start: u64, start_register: u32, stop: u64, stop_register: u32) {
    naked_asm!(
        "mov r9, rcx", // stop's value; R8D is its register
        "mov r10d, r8d",
        "mov ecx, edx",
        "mov eax, esi",
        "mov rdx, rsi",
        "shr rdx, 32",
        "xor r8d, r8d",
        "wrmsr",
        ".global watched_first",
        "watched_first:",
        "inc r8",
        ".global watched_second",
        "watched_second:",
        "dec rdi",
        ".global watched_third",
        "watched_third:",
        "jnz watched_first",
        "mov ecx, r10d",
        "mov eax, r9d",
        "mov rdx, r9",
        "shr rdx, 32",
        "wrmsr",
        "ret",
    )
}

#[unsafe(naked)]
extern "C" fn turned_loop(rounds: u64) {
    naked_asm!(
        "xor r8d, r8d",
        ".global turned_first",
        "turned_first:",
        "inc r8",
        ".global turned_second",
        "turned_second:",
        "dec rdi",
        ".global turned_third",
        "turned_third:",
        "jnz turned_first",
        "ret",
    )
}
