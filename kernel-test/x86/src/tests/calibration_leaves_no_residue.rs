//! The guest's clock advances by the guest's own instructions, whatever the host does in between.

use core::arch::asm;

use harness::Call;

use super::programs;
use crate::identity;
use crate::width::whole;

/// Reads the clock on both sides of these instructions, which find this in EDI, and returns the difference.
macro_rules! time {
    ($edi:expr; $($instruction:expr),*) => {{
        let (before, after): (u32, u32);
        // SAFETY: the instructions change what is declared, and read counters and registers.
        unsafe {
            asm!(
                "rdtsc", whole!("push ", ax), $($instruction,)* "rdtsc", whole!("pop ", cx),
                out("ecx") before, out("eax") after,
                inout("edi") $edi => _,
                out("edx") _,
            );
        }
        after - before
    }};
}

/// The first clock reading and the `push` behind it.
const AROUND: u32 = 2;

pub fn test() {
    let select = programs::select();
    for _ in 0..400 {
        assert_eq!(time!(select; "nop"), AROUND + 1);
        assert_eq!(time!(select; whole!("push ", bx), "xor eax, eax", "cpuid", whole!("pop ", bx)), AROUND + 4);
        assert_eq!(time!(select; "mov ecx, edi", "rdmsr"), AROUND + 2);
        assert_eq!(time!(select; "mov ecx, edi", "rdmsr", "wrmsr"), AROUND + 3);
        if identity::presented().processor.has_rdpmc() {
            assert_eq!(time!(select; "xor ecx, ecx", "rdpmc", "rdpmc"), AROUND + 3);
        }
        assert_eq!(time!(Call::Truth as u32; "mov eax, edi", "xor edi, edi", "vmmcall"), AROUND + 3);
    }
}
