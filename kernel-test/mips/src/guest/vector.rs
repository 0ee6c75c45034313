//! The kernel's exception vector: every register to the stack, a function in Rust, and back.
//!
//! All exceptions arrive here, and the line of the unit is the timer's too. Between two instructions $26 and $27 hold
//! nothing: they are the vector's own.

use core::mem::offset_of;

use harness::{overflow, tick};
use pmu::{Interrupted, Mode};

use super::{position, threads, user};
use crate::assembly;
use crate::low::{Frame, exception};

unsafe extern "C" {
    static exception_vector: u8;
}

/// The address to which the host takes the guest.
pub fn vector() -> usize {
    &raw const exception_vector as usize
}

/// Status\[KSU\]: user mode.
const USER: usize = 0b10 << 3;

/// Where a frame says that it was interrupted.
fn interrupted(frame: &Frame) -> Interrupted {
    let mode = if frame.status & USER == 0 { Mode::Kernel } else { Mode::User };
    Interrupted::new(frame.address as u64, mode)
}

extern "C" fn on_exception(frame: &mut Frame) {
    match frame.exception() {
        exception::INTERRUPT => on_line(frame),
        exception::SYSTEM_CALL => user::come_back(frame),
        _ => user::on_refusal(frame),
    }
}

/// The line is up, for the timer, for the unit, or for both. The unit's handler knows by itself whether it is meant.
fn on_line(frame: &mut Frame) {
    let is_tick = threads::is_tick_due();
    position::remember(frame);
    if !is_tick || overflow::is_expected() {
        overflow::handle(interrupted(frame));
    }
    if is_tick {
        threads::lower_line();
        tick::come(frame);
    }
}

assembly!(
    r#"
    .set FRAME, 64
    .text
    .global exception_vector
exception_vector:
    place $26, exception_stack_top - {size}
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31
    store $\number, FRAME + WORD * \number($26)
    .endr
    mflo $8
    mfhi $9
    from_cp0 $10, $14               # EPC
    mfc0 $11, $12                   # Status
    mfc0 $12, $13                   # Cause
    store $8, FRAME + {product}($26)
    store $9, FRAME + {product} + WORD($26)
    store $10, FRAME + {address}($26)
    store $11, FRAME + {status}($26)
    store $12, FRAME + {cause}($26)
    move $29, $26
    addiu $4, $29, FRAME
    place $25, {on_exception}
    jalr $25
    nop
    load $8, FRAME + {product}($29)
    load $9, FRAME + {product} + WORD($29)
    load $10, FRAME + {address}($29)
    load $11, FRAME + {status}($29)
    mtlo $8
    mthi $9
    to_cp0 $10, $14
    mtc0 $11, $12
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 30, 31
    load $\number, FRAME + WORD * \number($29)
    .endr
    load $29, FRAME + WORD * 29($29)
    eret
    "#,
    size = const (64 + size_of::<Frame>()).next_multiple_of(16),
    product = const offset_of!(Frame, product),
    address = const offset_of!(Frame, address),
    status = const offset_of!(Frame, status),
    cause = const offset_of!(Frame, cause),
    on_exception = sym on_exception,
);
