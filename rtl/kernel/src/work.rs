//! A loop of which it is known what it executes.

use core::arch::asm;

use pmu::text::catalogue::EventName;

/// What a turn of [`turns`] executes, by the events' names in the cores' manuals. The others depend on the pipeline.
const TURN: [(&str, u64); 14] = [
    ("MINSTRET", INSTRUCTIONS),
    ("INSTR", INSTRUCTIONS),
    ("LD", 2),
    ("ST", 1),
    ("JUMP", 1),
    ("BRANCH", 1),
    ("BRANCH_TAKEN", 1),
    ("COMP_INSTR", 1),
    ("NumLoads", 2),
    ("NumStores", 1),
    ("NumJumps", 1),
    ("NumBranches", 1),
    ("NumBranchesTaken", 1),
    ("NumInstrRetC", 1),
];

/// The instructions of a turn.
pub const INSTRUCTIONS: u64 = 12;

/// Returns how often an event is in a turn, if that is known.
pub fn of_a_turn(event: EventName) -> Option<u64> {
    TURN.iter().find(|&&(name, _)| event == name).map(|&(_, events)| events)
}

/// Executes so many turns, the last of which does not branch back.
#[inline(never)]
pub fn turns(number: u32) {
    let mut words = [7_u32; 2];
    // SAFETY: it accesses the two words, and its own registers.
    unsafe {
        asm!(
            ".option push",
            ".option norvc",
            "2:",
            "lw {a}, 0({at})",
            "addi {a}, {a}, 1", // waits for the load
            "lw {b}, 4({at})",
            "sw {a}, 0({at})",
            "mul {a}, {b}, {b}",
            "divu {a}, {a}, {b}",
            "lui {b}, %hi(3f)",
            "addi {b}, {b}, %lo(3f)",
            "jr {b}", // waits for the address
            "3:",
            ".option rvc",
            "c.nop",
            ".option norvc",
            "addi {number}, {number}, -1",
            "bnez {number}, 2b",
            ".option pop",
            number = inout(reg) number => _,
            at = in(reg) words.as_mut_ptr(),
            a = out(reg) _,
            b = out(reg) _,
            options(nostack),
        );
    }
}
