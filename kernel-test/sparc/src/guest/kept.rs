//! Do the processor's registers keep their values?

use core::arch::global_asm;

/// %g1 to %g5, %l0 to %l7, %i2 to %i5 of a window of its own, %o0 to %o5, %y, and the condition codes.
const REGISTERS: usize = 5 + 8 + 4 + 6 + 2;

type Registers = [u64; REGISTERS];

unsafe extern "C" {
    /// Fills the registers and stores them.
    safe fn fill_and_store(from: &Registers, to: &mut Registers);
}

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers = core::array::from_fn(|number| match number {
        Y => 0x89ab_cdef,
        CODES => 0xa5,
        number => 0x0123_4567_89ab_cdef_u64.rotate_left(4 * number as u32),
    });
    let mut kept = [0; REGISTERS];
    fill_and_store(&registers, &mut kept);
    assert_eq!(kept, registers);
}

const Y: usize = REGISTERS - 2;
const CODES: usize = REGISTERS - 1;

global_asm!(
    r#"
    .register %g2, #scratch
    .register %g3, #scratch
    .text
    .global fill_and_store
fill_and_store:
    save %sp, -192, %sp
    ldx [%i0 + 184], %l0
    wr %l0, 0, %y
    ldx [%i0 + 192], %l0
    wr %l0, 0, %ccr
    ldx [%i0 + 0], %g1
    ldx [%i0 + 8], %g2
    ldx [%i0 + 16], %g3
    ldx [%i0 + 24], %g4
    ldx [%i0 + 32], %g5
    ldx [%i0 + 40], %l0
    ldx [%i0 + 48], %l1
    ldx [%i0 + 56], %l2
    ldx [%i0 + 64], %l3
    ldx [%i0 + 72], %l4
    ldx [%i0 + 80], %l5
    ldx [%i0 + 88], %l6
    ldx [%i0 + 96], %l7
    ldx [%i0 + 104], %i2
    ldx [%i0 + 112], %i3
    ldx [%i0 + 120], %i4
    ldx [%i0 + 128], %i5
    ldx [%i0 + 136], %o0
    ldx [%i0 + 144], %o1
    ldx [%i0 + 152], %o2
    ldx [%i0 + 160], %o3
    ldx [%i0 + 168], %o4
    ldx [%i0 + 176], %o5
    nop
    stx %g1, [%i1 + 0]
    stx %g2, [%i1 + 8]
    stx %g3, [%i1 + 16]
    stx %g4, [%i1 + 24]
    stx %g5, [%i1 + 32]
    stx %l0, [%i1 + 40]
    stx %l1, [%i1 + 48]
    stx %l2, [%i1 + 56]
    stx %l3, [%i1 + 64]
    stx %l4, [%i1 + 72]
    stx %l5, [%i1 + 80]
    stx %l6, [%i1 + 88]
    stx %l7, [%i1 + 96]
    stx %i2, [%i1 + 104]
    stx %i3, [%i1 + 112]
    stx %i4, [%i1 + 120]
    stx %i5, [%i1 + 128]
    stx %o0, [%i1 + 136]
    stx %o1, [%i1 + 144]
    stx %o2, [%i1 + 152]
    stx %o3, [%i1 + 160]
    stx %o4, [%i1 + 168]
    stx %o5, [%i1 + 176]
    rd %y, %l0
    stx %l0, [%i1 + 184]
    rd %ccr, %l0
    stx %l0, [%i1 + 192]
    ret
    restore
    "#
);
