//! The kernel's entries for exceptions other than the performance monitor's, which the library has
//! ([`pmu::pmi_entry`]): registers to the stack, a function in Rust, and back.
//!
//! A refused instruction is taken on the stack of what it interrupts, below what that may have written
//! there (the red zone of 288 bytes of the 64-bit ELF V2 ABI, section 2.2.3.3, "Protected Zone"), and
//! keeps what a function may change.

use core::mem::offset_of;

use harness::by_width;

use super::frame::Frame;
use crate::assembly;

/// The red zone, which the 32-bit ABI does not have.
const RED_ZONE: usize = by_width!(288, 0);

unsafe extern "C" {
    static program_entry: u8;
    static come_back_entry: u8;
}

/// The address for 700H and F60H.
pub fn program() -> usize {
    &raw const program_entry as usize
}

/// The address for C00H, by which problem state comes back ([`super::user`]).
pub fn come_back() -> usize {
    &raw const come_back_entry as usize
}

assembly!(
    r#"
    .section .text.entries, "ax"
    .align 4
    .global program_entry
program_entry:
    store_and_update 1, -{size}(1)
    store 0, 32(1)
    .irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    store \number, 32 + WORD * (\number - 2)(1)
    .endr
    mflr 0
    store 0, 32 + {link}(1)
    mfctr 0
    store 0, 32 + {count}(1)
    mfcr 0
    store 0, 32 + {condition}(1)
    mfxer 0
    store 0, 32 + {fixed_point_exception}(1)
    mfspr 0, 26
    store 0, 32 + {address}(1)
    mfspr 0, 27
    store 0, 32 + {state}(1)
    addi 3, 1, 32
    bl {on_program}
    nop
    load 0, 32 + {state}(1)
    mtspr 27, 0
    load 0, 32 + {address}(1)
    mtspr 26, 0
    load 0, 32 + {fixed_point_exception}(1)
    mtxer 0
    load 0, 32 + {condition}(1)
    mtcr 0
    load 0, 32 + {count}(1)
    mtctr 0
    load 0, 32 + {link}(1)
    mtlr 0
    .irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    load \number, 32 + WORD * (\number - 2)(1)
    .endr
    load 0, 32(1)
    addi 1, 1, {size}
    return_from_interrupt
    "#,
    // A header, the frame and the red zone; a multiple of 16.
    size = const (32 + size_of::<Frame>()).next_multiple_of(16) + RED_ZONE,
    link = const offset_of!(Frame, link),
    count = const offset_of!(Frame, count),
    condition = const offset_of!(Frame, condition),
    fixed_point_exception = const offset_of!(Frame, fixed_point_exception),
    address = const offset_of!(Frame, address),
    state = const offset_of!(Frame, state),
    on_program = sym super::probe::on_program,
);
