//! Do the processor's registers keep their values?

use crate::assembly;

/// The general registers but $0, $5, which finds things, the vector's own $26 and $27, and $29; then the halves of a
/// product.
const REGISTERS: usize = 27 + 2;

type Registers = [usize; REGISTERS];

unsafe extern "C" {
    /// Fills the registers and stores them.
    safe fn fill_and_store(from: &Registers, to: &mut Registers);
}

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers =
        core::array::from_fn(|number| 0x0123_4567_89ab_cdef_u64.rotate_left(4 * number as u32) as usize);
    let mut kept = [0; REGISTERS];
    fill_and_store(&registers, &mut kept);
    assert_eq!(kept, registers);
}

assembly!(
    r#"
    .text
    .global fill_and_store
fill_and_store:
    keep_callers
    load $8, 27 * WORD($4)
    load $9, 28 * WORD($4)
    mtlo $8
    mthi $9
    .irp number, 1, 2, 3
    load $\number, WORD * (\number - 1)($4)
    .endr
    .irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
    load $\number, WORD * (\number - 2)($4)
    .endr
    load $28, WORD * 24($4)
    load $30, WORD * 25($4)
    load $31, WORD * 26($4)
    load $4, WORD * 3($4)
    nop
    .irp number, 1, 2, 3, 4
    store $\number, WORD * (\number - 1)($5)
    .endr
    .irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
    store $\number, WORD * (\number - 2)($5)
    .endr
    store $28, WORD * 24($5)
    store $30, WORD * 25($5)
    store $31, WORD * 26($5)
    mflo $8
    mfhi $9
    store $8, 27 * WORD($5)
    store $9, 28 * WORD($5)
    give_callers_back
    jr $31
    nop
    "#
);
