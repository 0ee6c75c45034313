//! An instruction that reads memory is a load, one that writes it a store, one that does both is
//! both, and one that only works out an address is neither.

use core::arch::naked_asm;

use pmu::Event;
use pmu::virt::Kind;

use super::observed;
use crate::guest::events;
use crate::guest::unit::{self, Unit};
use crate::width::{by_width, whole};

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

/// Its comments say how many loads and stores there are in a round. EDI has the rounds.
#[unsafe(naked)]
extern "C" fn code() {
    naked_asm!(
        whole!("lea edx, [", sp, " - 256]"),
        "mov ebx, edi",
        "2:",
        "mov eax, [edx]",                                                  // 1, 0
        "cmp byte ptr [edx + 9], 0",                                       // 1, 0
        "test [edx + 17], ax",                                             // 1, 0
        "cmovz eax, [edx + ebx * 8]",                                      // 1, 0
        "mov [edx + 8], eax",                                              // 0, 1
        "mov dword ptr [edx + 3], 7",                                      // 0, 1
        "add [edx + 16], eax",                                             // 1, 1
        "lock inc dword ptr [edx]",                                        // 1, 1
        "xchg [edx + 24], al",                                             // 1, 1
        "lea eax, [edx + 40]",                                             // 0, 0
        "nop dword ptr [edx]",                                             // 0, 0
        whole!("push ", ax),                                               // 0, 1
        by_width!("pop qword ptr [edx + 48]", "pop dword ptr [edx + 48]"), // 1, 1
        "call 3f",                                                         // 0, 1
        "jmp 4f",
        "3:",
        "ret", // 1, 0
        "4:",
        "lea esi, [edx + 1]",
        "lea edi, [edx + 64]",
        "mov ecx, 5",
        "rep movsb", // 5, 5
        "rep movsb", // 0, 0
        "cmpsb",     // 1, 0
        "stosw",     // 0, 1
        "lodsd",     // 1, 0
        "scasb",     // 1, 0
        "dec ebx",
        "jnz 2b",
        "ret",
    )
}
