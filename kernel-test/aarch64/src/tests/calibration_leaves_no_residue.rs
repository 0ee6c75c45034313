//! The host's book has each of the kernel's instructions once, and none of its own: whether the kernel only calls, has its
//! registers read and written for it, or is interrupted.

use core::arch::asm;

use harness::{Call, Fact};

use crate::guest::unit;

/// What the book has of `$body` with a call behind it.
macro_rules! booked {
    ($($body:literal),*) => {{
        let (before, after): (u64, u64);
        // SAFETY: the body changes no memory; the host changes X0.
        unsafe {
            asm!(
                "hvc #0",
                "mov x3, x0",
                $($body,)*
                "mov x0, {truth}",
                "hvc #0",
                truth = const Call::Truth as u64,
                inout("x0") Call::Truth as u64 => after,
                in("x1") Fact::Retired as u64,
                out("x3") before,
                out("x4") _,
                options(nostack)
            );
        }
        after - before
    }};
}

/// Two moves and a call.
const AROUND: u64 = 3;

pub fn test() {
    assert_eq!(booked!(), AROUND);
    assert_eq!(booked!("nop", "nop", "nop"), AROUND + 3);
    assert_eq!(booked!("mrs x4, pmccntr_el0", "nop"), AROUND + 2);
    assert_eq!(booked!("msr pmselr_el0, xzr", "msr pmselr_el0, xzr", "isb"), AROUND + 3);
    assert_eq!(booked!("mrs x4, icc_iar1_el1"), AROUND + 1);
    if unit::capabilities().has_instruction_counter {
        // Registers that QEMU's processor does not know: PMICNTR_EL0, PMUACR_EL1.
        assert_eq!(booked!("mrs x4, s3_3_c9_c4_0", "nop"), AROUND + 2);
        assert_eq!(booked!("nop", "msr s3_0_c9_c14_4, xzr", "msr s3_0_c9_c14_4, xzr"), AROUND + 3);
    }
    assert_eq!(booked!("mov x4, #1000", "2:", "subs x4, x4, #1", "b.ne 2b"), AROUND + 2001);
}
