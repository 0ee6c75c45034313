//! What a trap is: its vector and its class, and what it interrupted.

/// What a trap interrupted: every general register, as the entry stored them, and where it was.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// X0 to X30.
    pub registers: [u64; 31],
    /// Where to go on (ELR).
    pub address: u64,
    /// In which state (SPSR).
    pub state: u64,
    /// Which vector it was: 0 to 15.
    pub vector: u64,
}

/// The bytes of a vector.
pub const VECTOR: u64 = 128;
/// The vectors of interrupts: from the kernel's threads, which are on the stack of user programs; from the kernel itself,
/// and from user programs.
pub const INTERRUPTS: [u64; 3] = [1, 5, 9];
/// The vectors of fast interrupts (FIQ), likewise.
pub const FAST_INTERRUPTS: [u64; 3] = [2, 6, 10];
/// The vector of what its threads' instructions raise.
pub const FROM_THREAD: u64 = 0;
/// SPSR: a level by its own stack pointer (DDI 0487, SPSR_EL1, M\[0\]).
pub const OWN_STACK: u64 = 1;
/// The vector of what user programs' instructions raise.
pub const FROM_USER: u64 = 8;
/// The vector of what the kernel's own instructions raise.
pub const FROM_KERNEL: u64 = 4;

/// What the kernel's vectors for exceptions of instructions begin with at EL1: `hvc` with this number, an offer to the
/// host. It may answer for an instruction that its processor does not know, or leave the exception to the kernel.
pub const OFFER: u64 = 1;

/// The exception's class (ESR_ELx.EC).
pub const fn class(syndrome: u64) -> u64 {
    syndrome >> 26 & 0x3f
}

/// Is it an `svc` with this number?
pub const fn is_call(syndrome: u64, number: u64) -> bool {
    /// EC of SVC in AArch64 state.
    const SVC: u64 = 0x15;
    class(syndrome) == SVC && syndrome & 0xffff == number
}
