//! Why the guest was left: the exit codes, named.
//!
//! AMD64 Architecture Programmer's Manual, volume 2 (publication 24593), appendix C, "SVM
//! Intercept Exit Codes".

/// A reason to be in the host again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// One instruction was stepped.
    Stepped,
    /// An exception with this vector was about to be delivered.
    Exception(u8),
    /// The timer's NMI.
    Timer,
    /// `rdpmc`
    ReadCounter,
    /// `cpuid`
    Identify,
    /// `iret`
    InterruptReturn,
    /// `int`
    SoftwareInterrupt,
    /// `hlt`
    Halt,
    /// `rdmsr` or `wrmsr`
    Register,
    /// A triple fault.
    Shutdown,
    /// `vmmcall`
    Call,
    /// Anything else: the host did not ask for it.
    Unexpected(u64),
}

impl Exit {
    /// The reason that this code stands for.
    pub const fn from_code(code: u64) -> Self {
        match code {
            0x41 => Self::Stepped,
            0x40..=0x5f => Self::Exception(code as u8 - 0x40),
            0x61 => Self::Timer,
            0x6f => Self::ReadCounter,
            0x72 => Self::Identify,
            0x74 => Self::InterruptReturn,
            0x75 => Self::SoftwareInterrupt,
            0x78 => Self::Halt,
            0x7c => Self::Register,
            0x7f => Self::Shutdown,
            0x81 => Self::Call,
            other => Self::Unexpected(other),
        }
    }
}
