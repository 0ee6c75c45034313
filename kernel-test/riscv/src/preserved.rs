//! The registers that a function preserves for its caller.

/// Moves the registers that a function preserves to the stack, or back.
macro_rules! preserved {
    (store) => {
        harness::by_width!(
            "addi sp, sp, -112; sd ra, 0(sp); sd s0, 8(sp); sd s1, 16(sp); sd s2, 24(sp); sd s3, 32(sp); sd s4, 40(sp)
             sd s5, 48(sp); sd s6, 56(sp); sd s7, 64(sp); sd s8, 72(sp); sd s9, 80(sp); sd s10, 88(sp); sd s11, 96(sp)",
            "addi sp, sp, -64; sw ra, 0(sp); sw s0, 4(sp); sw s1, 8(sp); sw s2, 12(sp); sw s3, 16(sp); sw s4, 20(sp)
             sw s5, 24(sp); sw s6, 28(sp); sw s7, 32(sp); sw s8, 36(sp); sw s9, 40(sp); sw s10, 44(sp); sw s11, 48(sp)"
        )
    };
    (load) => {
        harness::by_width!(
            "ld ra, 0(sp); ld s0, 8(sp); ld s1, 16(sp); ld s2, 24(sp); ld s3, 32(sp); ld s4, 40(sp); ld s5, 48(sp)
             ld s6, 56(sp); ld s7, 64(sp); ld s8, 72(sp); ld s9, 80(sp); ld s10, 88(sp); ld s11, 96(sp); addi sp, sp, 112",
            "lw ra, 0(sp); lw s0, 4(sp); lw s1, 8(sp); lw s2, 12(sp); lw s3, 16(sp); lw s4, 20(sp); lw s5, 24(sp)
             lw s6, 28(sp); lw s7, 32(sp); lw s8, 36(sp); lw s9, 40(sp); lw s10, 44(sp); lw s11, 48(sp); addi sp, sp, 64"
        )
    };
}

pub(crate) use preserved;
