//! Each branch counts, whatever its kind, and those that are taken count apart.

use core::arch::naked_asm;

use pmu::virt::Kind;

use super::observed;
use crate::guest::events;
use crate::guest::unit::{self, Unit};
use crate::width::whole;

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    let branches = events::of(Kind::Branches).expect("every processor counts branches");
    let taken = events::of(Kind::TakenBranches);
    if taken.is_none() {
        observed::is_reported(0x0cc4);
    }
    let pmu = unit::claim(&UNIT);
    for rounds in [1_u64, 2, 3, 10, 101] {
        let odd = rounds.div_ceil(2);
        assert_eq!(observed::count(&pmu, branches, code, rounds), 6 * rounds + odd, "{rounds} rounds");
        if let Some(taken) = taken {
            assert_eq!(observed::count(&pmu, taken, code, rounds), 5 * rounds - 1, "{rounds} rounds");
        }
    }
}

/// Six branches in even rounds, with the jump over the jump taken, and seven in odd ones. EDI has the rounds.
#[unsafe(naked)]
extern "C" fn code() {
    naked_asm!(
        "2:",
        "test edi, 1",
        "jz 3f",
        "jmp 3f",
        "3:",
        "call 4f",
        "lea eax, [5f]",
        whole!("jmp ", ax),
        "4:",
        "ret",
        "5:",
        "mov ecx, 1",
        "jecxz 2b",
        "dec edi",
        "jnz 2b",
        "ret",
    )
}
