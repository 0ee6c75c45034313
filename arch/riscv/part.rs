//! Which processor it is: the registers mvendorid, marchid and mimpid.

/// The contents of mvendorid, marchid and mimpid ("The RISC-V Instruction Set Manual, volume II", "Machine-Level CSRs").
///
/// A supervisor cannot read them: the SBI's base extension returns them (functions 4 to 6), and a device tree does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// The manufacturer, by JEDEC's number; 0 if it is not announced.
    pub vendor: u32,
    /// The microarchitecture, as the manufacturer numbers it. The top bit is set for those that are not open.
    pub architecture: u64,
    /// The version.
    pub implementation: u64,
}

impl Part {
    /// A processor that is not announced.
    pub const UNKNOWN: Self = Self::new(0, 0, 0);

    /// Creates the identification from the contents of the three registers.
    #[must_use]
    pub const fn new(vendor: u32, architecture: u64, implementation: u64) -> Self {
        Self { vendor, architecture, implementation }
    }
}
