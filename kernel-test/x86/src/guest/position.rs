//! A loop that knows where it was interrupted: which of its instructions had retired.

use core::arch::naked_asm;
use core::mem::offset_of;

use super::instructions;
use crate::trap::Frame;
use crate::width::whole;

/// A write to a model-specific register.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Write {
    /// The register's number.
    pub register: u32,
    /// Its new value.
    pub value: u64,
}

/// What is to be done around the loop, and in it.
#[repr(C)]
struct Order {
    rounds: u64,
    start: Write,
    stop: Write,
}

/// The loop's length: `inc`, `dec`, `jnz`.
const LENGTH: u64 = 3;

/// Writes `start`, goes round three instructions `rounds` times, writes `stop`.
///
/// The first instruction that retires after `start` has taken effect is the loop's first.
pub fn run(start: Write, rounds: u64, stop: Write) {
    let order = Order { rounds, start, stop };
    instructions::call(watched_loop, &raw const order as u64);
}

/// Goes round the same loop without writing anything.
pub fn turn(rounds: u64) {
    instructions::call(turned_loop, rounds);
}

/// Where the same loop begins for somebody who comes to stay: with SI 0, and the rounds in DI.
pub fn entry() -> usize {
    &raw const turned_first as usize
}

/// The address of the instruction that is next for somebody who came to stay, when so many have retired.
pub fn next(retired: u64) -> u64 {
    turned()[(retired % LENGTH) as usize] as u64
}

/// The address of the watched loop's instruction that is next when so many have retired.
pub fn watched(retired: u64) -> u64 {
    watches()[(retired % LENGTH) as usize] as u64
}

fn watches() -> [*const u8; LENGTH as usize] {
    [&raw const watched_first, &raw const watched_second, &raw const watched_third]
}

/// The loop's instructions of those who come to stay.
fn turned() -> [*const u8; LENGTH as usize] {
    [&raw const turned_first, &raw const turned_second, &raw const turned_third]
}

/// How many of the loop's instructions had retired when this trap came; `None` if it came at
/// another place.
pub fn of(frame: &Frame) -> Option<u64> {
    let is_here = |&place: &*const u8| place as usize == frame.ip;
    let place = watches().iter().position(is_here).or_else(|| turned().iter().position(is_here))? as u64;
    // SI counts the rounds that have begun; before the first instruction of a round it has not.
    let begun = (frame.si as u64).saturating_sub(u64::from(place > 0));
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

/// Called with the address of an [`Order`].
#[unsafe(naked)]
extern "C" fn watched_loop() {
    naked_asm!(
        whole!("push ", di),
        "mov eax, [edi + {start} + {value}]",
        "mov edx, [edi + {start} + {value} + 4]",
        "mov ecx, [edi + {start} + {register}]",
        "mov edi, [edi]",
        "xor esi, esi",
        "wrmsr",
        ".global watched_first",
        "watched_first:",
        whole!("inc ", si),
        ".global watched_second",
        "watched_second:",
        whole!("dec ", di),
        ".global watched_third",
        "watched_third:",
        "jnz watched_first",
        whole!("mov ", di, ", [", sp, "]"),
        "mov eax, [edi + {stop} + {value}]",
        "mov edx, [edi + {stop} + {value} + 4]",
        "mov ecx, [edi + {stop} + {register}]",
        "wrmsr",
        whole!("pop ", di),
        "ret",
        start = const offset_of!(Order, start),
        stop = const offset_of!(Order, stop),
        value = const offset_of!(Write, value),
        register = const offset_of!(Write, register),
    )
}

#[unsafe(naked)]
extern "C" fn turned_loop() {
    naked_asm!(
        "xor esi, esi",
        ".global turned_first",
        "turned_first:",
        whole!("inc ", si),
        ".global turned_second",
        "turned_second:",
        whole!("dec ", di),
        ".global turned_third",
        "turned_third:",
        "jnz turned_first",
        "ret",
    )
}
