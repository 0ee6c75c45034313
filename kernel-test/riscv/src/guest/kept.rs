//! Do the processor's registers keep their values?

use core::arch::naked_asm;

use crate::preserved::preserved;
use harness::by_width;

/// x5 to x31. The others are 0, or the stack's and the return address, without which nothing goes on.
type Registers = [usize; 27];

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers = core::array::from_fn(|number| 0x0123_4567_usize.rotate_left(4 * number as u32) ^ number);
    let mut kept = Registers::default();
    fill_and_store(&registers, &mut kept);
    assert_eq!(kept, registers);
}

/// Fills the registers, and stores them. a0 is stored last, and where it is stored is on the stack.
#[unsafe(naked)]
extern "C" fn fill_and_store(from: &Registers, to: &mut Registers) {
    naked_asm!(
        preserved!(store),
        "addi sp, sp, -32",
        by_width!("sd a1, 0(sp)", "sw a1, 0(sp)"),
        ".irp number, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        by_width!("ld x\\number, (\\number - 5) * 8(a0)", "lw x\\number, (\\number - 5) * 4(a0)"),
        ".endr",
        by_width!("ld a0, 40(a0)", "lw a0, 20(a0)"),
        "nop",
        "nop",
        by_width!("sd a0, 8(sp); ld a0, 0(sp)", "sw a0, 8(sp); lw a0, 0(sp)"),
        ".irp number, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        by_width!("sd x\\number, (\\number - 5) * 8(a0)", "sw x\\number, (\\number - 5) * 4(a0)"),
        ".endr",
        by_width!("ld a1, 8(sp); sd a1, 40(a0)", "lw a1, 8(sp); sw a1, 20(a0)"),
        "addi sp, sp, 32",
        preserved!(load),
        "ret",
    )
}
