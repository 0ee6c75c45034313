//! The host's clock counts an instruction that the host carries out as one, wherever it stops the guest meanwhile.

use core::arch::asm;

use harness::{Call, Fact, Guest};

use super::here::Here;

/// The instructions from one question to the next, that question among them: four, and this one so many times.
macro_rules! retired {
    ($count:literal, $instruction:literal) => {{
        let (first, second): (usize, usize);
        // SAFETY: the host changes a0 alone, and the instruction t0.
        unsafe {
            asm!(
                "ecall",
                "mv {first}, a0",
                concat!(".rept ", $count),
                $instruction,
                ".endr",
                "li a0, {RETIRED}",
                "nop",
                "ecall",
                first = out(reg) first,
                RETIRED = const Fact::Retired as usize,
                inout("a0") Fact::Retired as usize => second,
                in("a7") Call::Truth as usize,
                out("t0") _,
                options(nostack)
            );
        }
        second - first
    }};
}

pub fn test() {
    assert_eq!([retired!(0, "nop"), retired!(1, "nop"), retired!(9, "nop")], [4, 5, 13]);
    assert_eq!([retired!(1, "csrr t0, time"), retired!(9, "csrr t0, time")], [5, 13]);
    for stop in 1..30 {
        Here::hold_interrupts(stop);
        assert_eq!(retired!(9, "csrr t0, time"), 13, "stopped after {stop}");
    }
}
