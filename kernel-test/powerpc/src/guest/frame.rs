//! The registers that an exception interrupts, but for the performance monitor's.

/// What an exception interrupted: the registers that a function may change, and where to go on.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// R0, then R3 to R12.
    pub general: [usize; 11],
    /// The link register.
    pub link: usize,
    /// The count register.
    pub count: usize,
    /// The condition register.
    pub condition: usize,
    /// Carry and overflow.
    pub fixed_point_exception: usize,
    /// SRR0: where it goes on.
    pub address: usize,
    /// SRR1: the machine state.
    pub state: usize,
}
