//! An instruction that reads memory is a load, one that writes it a store, one that does both is
//! both, and one that only works out an address is neither.

use core::arch::naked_asm;

use pmu::Event;
use pmu::virt::Kind;

use super::observed;
use crate::guest::events;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    match [Kind::Loads, Kind::Stores].map(events::of) {
        [Some(loads), Some(stores)] => count(loads, stores),
        _ => observed::is_reported(0x81d0),
    }
}

fn count(loads: Event, stores: Event) {
    let pmu = unit::claim(&UNIT);
    for rounds in [1, 2, 30] {
        assert_eq!(observed::count(&pmu, loads, code, rounds), 17 * rounds, "{rounds} rounds");
        assert_eq!(observed::count(&pmu, stores, code, rounds), 14 * rounds, "{rounds} rounds");
    }
}

/// Its comments say how many loads and stores there are in a round.
#[unsafe(naked)]
extern "C" fn code(rounds: u64) {
    naked_asm!(
        "lea r8, [rsp - 256]",
        "mov r9, rdi",
        "2:",
        "mov rax, [r8]",             // 1, 0
        "cmp byte ptr [r8 + 9], 0",  // 1, 0
        "test [r8 + 17], ax",        // 1, 0
        "cmovz rax, [r8 + r9 * 8]",  // 1, 0
        "mov [r8 + 8], rax",         // 0, 1
        "mov dword ptr [r8 + 3], 7", // 0, 1
        "add [r8 + 16], eax",        // 1, 1
        "lock inc qword ptr [r8]",   // 1, 1
        "xchg [r8 + 24], al",        // 1, 1
        "lea rax, [r8 + 40]",        // 0, 0
        "nop dword ptr [r8]",        // 0, 0
        "push rax",                  // 0, 1
        "pop qword ptr [r8 + 48]",   // 1, 1
        "call 3f",                   // 0, 1
        "jmp 4f",
        "3:",
        "ret", // 1, 0
        "4:",
        "lea rsi, [r8 + 1]",
        "lea rdi, [r8 + 64]",
        "mov ecx, 5",
        "rep movsb", // 5, 5
        "rep movsb", // 0, 0
        "cmpsb",     // 1, 0
        "stosw",     // 0, 1
        "lodsd",     // 1, 0
        "scasb",     // 1, 0
        "dec r9",
        "jnz 2b",
        "ret",
    )
}
