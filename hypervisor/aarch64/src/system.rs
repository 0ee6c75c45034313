//! The system registers that are no unit's, by the names that the assembler knows.

/// Writes a register; what follows finds it written.
macro_rules! put {
    ($register:literal, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: whoever writes this here knows that the host goes on with it.
        unsafe { core::arch::asm!(concat!("msr ", $register, ", {}"), "isb", in(reg) value, options(nostack)) };
    }};
}

/// Reads a register.
macro_rules! get {
    ($register:literal) => {{
        let value: u64;
        // SAFETY: reading it changes nothing that the compiler knows of.
        unsafe { core::arch::asm!(concat!("mrs {}, ", $register), out(reg) value, options(nostack)) };
        value
    }};
}

pub(crate) use {get, put};
