//! Do the processor's registers and flags keep their values?

use crate::assembly;

/// The general registers but R1, R2, R4 and R13, of which the first three find things and the last is
/// the system's; then the link, count, condition and fixed-point exception registers.
const REGISTERS: usize = 28 + 4;

type Registers = [usize; REGISTERS];

unsafe extern "C" {
    /// Fills the registers and stores them.
    safe fn fill_and_store(from: &Registers, to: &mut Registers);
}

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers = core::array::from_fn(|number| match number {
        LINK => 0x0123_4564,
        CONDITION => 0x9abc_def8,
        // Summary overflow, overflow, carry.
        EXCEPTION => 0xe000_0000,
        number => (0x0123_4567_89ab_cdef_u64.rotate_left(4 * number as u32)) as usize,
    });
    let mut kept = [0; REGISTERS];
    fill_and_store(&registers, &mut kept);
    assert_eq!(kept, registers);
}

const LINK: usize = 28;
const CONDITION: usize = 30;
const EXCEPTION: usize = 31;

assembly!(
    r#"
    .set KEPT, 24 * WORD + 64
    .text
    .global fill_and_store
fill_and_store:
    store_and_update 1, -KEPT(1)
    .irp number, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    store \number, WORD * (\number - 10) + 32(1)
    .endr
    mflr 0
    store 0, 32(1)
    mfcr 0
    store 0, 32 + WORD(1)
    load 0, 28 * WORD(3)
    mtlr 0
    load 0, 29 * WORD(3)
    mtctr 0
    load 0, 30 * WORD(3)
    mtcr 0
    load 0, 31 * WORD(3)
    mtxer 0
    load 0, 0(3)
    .irp number, 5, 6, 7, 8, 9, 10, 11, 12
    load \number, WORD * (\number - 3)(3)
    .endr
    .irp number, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load \number, WORD * (\number - 4)(3)
    .endr
    load 3, WORD(3)
    nop
    store 0, 0(4)
    store 3, WORD(4)
    .irp number, 5, 6, 7, 8, 9, 10, 11, 12
    store \number, WORD * (\number - 3)(4)
    .endr
    .irp number, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    store \number, WORD * (\number - 4)(4)
    .endr
    mflr 0
    store 0, 28 * WORD(4)
    mfctr 0
    store 0, 29 * WORD(4)
    mfcr 0
    store 0, 30 * WORD(4)
    mfxer 0
    store 0, 31 * WORD(4)
    load 0, 32(1)
    mtlr 0
    load 0, 32 + WORD(1)
    mtcr 0
    .irp number, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load \number, WORD * (\number - 10) + 32(1)
    .endr
    addi 1, 1, KEPT
    blr
    "#
);
