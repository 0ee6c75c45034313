//! The NMI that a test orders comes after just as many instructions.

use core::arch::asm;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::guest::{Here, instructions, on_nmi};
use crate::trap::Frame;
use harness::{Call, Guest};

static INTERRUPTED: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    on_nmi(|frame: &mut Frame| INTERRUPTED.store(frame.ip, Relaxed));
    for instructions in 0..20 {
        let begin = sled(instructions);
        assert_eq!(INTERRUPTED.load(Relaxed) - begin, instructions);
    }
    Here::interrupt_after(1000);
    instructions::exactly(2000);
    assert_eq!(Here::interrupts(), 21);
}

/// Orders an NMI on a sled of instructions of one byte each, and returns where that begins.
fn sled(instructions: usize) -> usize {
    let begin: u32;
    // SAFETY: the call changes DX and AX alone, and the sled nothing.
    unsafe {
        asm!(
            "lea {begin:e}, [2f]",
            "vmmcall",
            "2:",
            ".rept 24",
            "nop",
            ".endr",
            begin = out(reg) begin,
            inout("eax") Call::InterruptAfter as u32 => _,
            out("edx") _,
            in("edi") instructions,
        );
    }
    begin as usize
}
