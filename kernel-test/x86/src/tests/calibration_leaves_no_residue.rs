//! The guest's clock advances by the guest's own instructions, whatever the host does in between.

use core::arch::asm;

use super::programs;

/// Reads the clock on both sides of these instructions and returns the difference.
macro_rules! time {
    ($($instruction:literal),*) => {{
        let (before, after): (u64, u64);
        // SAFETY: the instructions change what is declared, and read counters and registers.
        unsafe {
            asm!(
                "rdtsc", "mov r8, rax", $($instruction,)* "rdtsc",
                out("r8") before, out("rax") after,
                in("r9") programs::select(),
                out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
            );
        }
        after as u32 - before as u32
    }};
}

/// The first clock reading and the `mov` behind it.
const AROUND: u32 = 2;

pub fn test() {
    for _ in 0..400 {
        assert_eq!(time!("nop"), AROUND + 1);
        assert_eq!(time!("push rbx", "xor eax, eax", "cpuid", "pop rbx"), AROUND + 4);
        assert_eq!(time!("mov ecx, r9d", "rdmsr"), AROUND + 2);
        assert_eq!(time!("mov ecx, r9d", "rdmsr", "wrmsr"), AROUND + 3);
        assert_eq!(time!("xor ecx, ecx", "rdpmc", "rdpmc"), AROUND + 3);
        assert_eq!(time!("mov eax, 2", "mov edi, 0", "vmmcall"), AROUND + 3);
    }
}
