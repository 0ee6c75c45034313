//! The kernel's exception vector: every register to the stack, a function in Rust, and back.
//!
//! All exceptions and interrupts arrive here. Between two instructions $21 holds nothing, which no compiler uses: it is the
//! vector's own.

use core::arch::global_asm;
use core::mem::offset_of;

use harness::{overflow, tick};
use pmu::{Interrupted, Mode};

use super::{position, threads, user};
use crate::low::{Frame, exception};

unsafe extern "C" {
    static exception_vector: u8;
}

/// The address to which the host takes the guest.
pub fn vector() -> u64 {
    &raw const exception_vector as u64
}

/// PRMD\[PPLV\]
const LEVEL: u64 = 3;
/// ESTAT\[IS\]: the unit's interrupt, and the timer's.
const OVERFLOW: u64 = 1 << 10;
const TIMER: u64 = 1 << 11;

/// $fp
const FRAME_POINTER: usize = 22;

/// Where a frame says that it was interrupted.
fn interrupted(frame: &Frame) -> Interrupted {
    let mode = if frame.mode & LEVEL == 0 { Mode::Kernel } else { Mode::User };
    Interrupted::new(frame.address, mode)
}

extern "C" fn on_exception(frame: &mut Frame) {
    match frame.exception() {
        exception::INTERRUPT => on_lines(frame),
        exception::SYSTEM_CALL => user::come_back(frame),
        _ => user::on_refusal(frame),
    }
}

/// The lines that are up.
fn on_lines(frame: &mut Frame) {
    let lines = frame.status;
    if lines & OVERFLOW != 0 {
        position::remember(frame);
        overflow::handle_framed(interrupted(frame), frame.general[FRAME_POINTER]);
    }
    if lines & TIMER != 0 {
        threads::lower_line();
        tick::come(frame);
    }
}

global_asm!(
    r#"
    .text
    .global exception_vector
exception_vector:
    la.pcrel $r21, exception_stack_top
    addi.d $r21, $r21, -{size}
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    st.d $r\number, $r21, 8 * \number
    .endr
    csrrd $t0, 0x6                  # ERA
    st.d $t0, $r21, {address}
    csrrd $t0, 0x1                  # PRMD
    st.d $t0, $r21, {mode}
    csrrd $t0, 0x5                  # ESTAT
    st.d $t0, $r21, {status}
    move $sp, $r21
    move $a0, $r21
    bl {on_exception}
    ld.d $t0, $sp, {address}
    csrwr $t0, 0x6
    ld.d $t0, $sp, {mode}
    csrwr $t0, 0x1
    .irp number, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ld.d $r\number, $sp, 8 * \number
    .endr
    ld.d $sp, $sp, 8 * 3
    ertn
    "#,
    size = const size_of::<Frame>().next_multiple_of(16),
    address = const offset_of!(Frame, address),
    mode = const offset_of!(Frame, mode),
    status = const offset_of!(Frame, status),
    on_exception = sym on_exception,
);
