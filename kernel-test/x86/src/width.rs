//! Two images from one source: the names of registers of 64 bits and of 32, and what goes with them.
//!
//! Assembly has the low half's name wherever it will do, which is the same in both: `edi` is what a piece of code
//! is called with, and all memory lies below 4 GiB.

/// An instruction on whole registers, for the assembler: `whole!("mov ", bp, ", ", sp)`.
macro_rules! whole {
    ($($part:tt),*) => {
        concat!($($crate::width::part!($part)),*)
    };
}

/// A whole register's name, or what stands between them.
macro_rules! part {
    (ax) => {
        $crate::width::by_width!("rax", "eax")
    };
    (bx) => {
        $crate::width::by_width!("rbx", "ebx")
    };
    (cx) => {
        $crate::width::by_width!("rcx", "ecx")
    };
    (dx) => {
        $crate::width::by_width!("rdx", "edx")
    };
    (bp) => {
        $crate::width::by_width!("rbp", "ebp")
    };
    (sp) => {
        $crate::width::by_width!("rsp", "esp")
    };
    (si) => {
        $crate::width::by_width!("rsi", "esi")
    };
    (di) => {
        $crate::width::by_width!("rdi", "edi")
    };
    ($text:literal) => {
        $text
    };
}

/// Pushes every register that a call preserves.
macro_rules! push_preserved {
    () => {
        $crate::width::by_width!(
            "push rbx; push rbp; push r12; push r13; push r14; push r15",
            "push ebx; push ebp; push esi; push edi"
        )
    };
}

/// Pops what [`push_preserved`] has pushed.
macro_rules! pop_preserved {
    () => {
        $crate::width::by_width!(
            "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx",
            "pop edi; pop esi; pop ebp; pop ebx"
        )
    };
}

/// Returns from an interrupt.
macro_rules! return_from_interrupt {
    () => {
        $crate::width::by_width!("iretq", "iretd")
    };
}

/// Is this the image without CMOV and 64-bit atomics, which only a Pentium boots?
pub const IS_I486: bool = !cfg!(target_has_atomic = "64");

pub(crate) use harness::by_width;
pub(crate) use {part, pop_preserved, push_preserved, return_from_interrupt, whole};
