//! Do the processor's registers keep their values?

use crate::assembly;

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

assembly!(
    r#"
    .text
    .global fill_and_store
fill_and_store:
    save %sp, -192, %sp
    ldx [%i0 + 184], %l0
    wr %l0, 0, %y
    ldx [%i0 + 192], %l0
    wr %l0, 0, %ccr
    .irp number, 1, 2, 3, 4, 5
    ldx [%i0 + 8 * \number - 8], %g\number
    .endr
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    ldx [%i0 + 8 * \number + 40], %l\number
    .endr
    .irp number, 2, 3, 4, 5
    ldx [%i0 + 8 * \number + 88], %i\number
    .endr
    .irp number, 0, 1, 2, 3, 4, 5
    ldx [%i0 + 8 * \number + 136], %o\number
    .endr
    nop
    .irp number, 1, 2, 3, 4, 5
    stx %g\number, [%i1 + 8 * \number - 8]
    .endr
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    stx %l\number, [%i1 + 8 * \number + 40]
    .endr
    .irp number, 2, 3, 4, 5
    stx %i\number, [%i1 + 8 * \number + 88]
    .endr
    .irp number, 0, 1, 2, 3, 4, 5
    stx %o\number, [%i1 + 8 * \number + 136]
    .endr
    rd %y, %l0
    stx %l0, [%i1 + 184]
    rd %ccr, %l0
    stx %l0, [%i1 + 192]
    ret
    restore
    "#
);
