//! The control and status registers that are no unit's, by the names that the assembler knows.

/// One instruction with a register's value behind it: `csrw`, `csrs` or `csrc`.
macro_rules! put {
    ($instruction:literal, $register:literal, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: whoever writes this here knows that the host goes on with it.
        unsafe { core::arch::asm!(concat!($instruction, " ", $register, ", {}"), in(reg) value, options(nostack)) };
    }};
}

/// Reads a register.
macro_rules! get {
    ($register:literal) => {{
        let value: u64;
        // SAFETY: reading it changes nothing.
        unsafe { core::arch::asm!(concat!("csrr {}, ", $register), out(reg) value, options(nostack)) };
        value
    }};
}

pub(crate) use {get, put};
