//! Do the processor's registers keep their values?

use crate::assembly;

/// The general registers but $0, the stack pointer, $5, which finds things, and $21, the vector's own.
const REGISTERS: usize = 28;

type Registers = [u64; REGISTERS];

unsafe extern "C" {
    /// Fills the registers and stores them.
    safe fn fill_and_store(from: &Registers, to: &mut Registers);
}

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers = core::array::from_fn(|number| 0x0123_4567_89ab_cdef_u64.rotate_left(4 * number as u32));
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
    .irp number, 1, 2
    ld.d $r\number, $a0, 8 * (\number - 1)
    .endr
    .irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
    ld.d $r\number, $a0, 8 * (\number - 3)
    .endr
    .irp number, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ld.d $r\number, $a0, 8 * (\number - 4)
    .endr
    ld.d $a0, $a0, 8 * 2
    nop
    .irp number, 1, 2
    st.d $r\number, $a1, 8 * (\number - 1)
    .endr
    st.d $a0, $a1, 8 * 2
    .irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
    st.d $r\number, $a1, 8 * (\number - 3)
    .endr
    .irp number, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    st.d $r\number, $a1, 8 * (\number - 4)
    .endr
    give_callers_back
    ret
    "#
);
