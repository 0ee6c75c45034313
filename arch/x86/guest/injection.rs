//! What a hypervisor injects into its guest for the unit, in the layout of either vendor.
//!
//! Sources: AMD APM vol. 2, "Event Injection", EVENTINJ of the VMCB; SDM vol. 3, "VM-Entry Controls for Event Injection",
//! table "Format of the VM-Entry Interruption-Information Field"; compared with the constants of Linux
//! (arch/x86/include/asm/svm.h and vmx.h).

/// An exception or an interrupt for a guest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Injection {
    /// #GP with the error code 0: an access is refused. The instruction is not skipped, and does not retire.
    GeneralProtection,
    /// #UD: the processor does not have the instruction.
    InvalidOpcode,
    /// An NMI. The guest takes it when it handles no other.
    Nmi,
    /// An external interrupt with this vector. The guest takes it when its interrupts are on and its priority permits it.
    Interrupt(u8),
}

impl Injection {
    /// The types of both layouts, in bits 8 to 10.
    const NMI: u32 = 2 << 8;
    const EXCEPTION: u32 = 3 << 8;
    /// There is an error code.
    const HAS_ERROR_CODE: u32 = 1 << 11;
    const VALID: u32 = 1 << 31;

    /// Returns EVENTINJ of the VMCB (offset A8H): the upper half is the error code, which is 0.
    #[must_use]
    pub const fn svm(self) -> u64 {
        self.vmx() as u64
    }

    /// Returns the VM-entry interruption-information field. If bit 11 is set, the VM-entry exception error code is 0.
    #[must_use]
    pub const fn vmx(self) -> u32 {
        Self::VALID
            | match self {
                Self::GeneralProtection => Self::EXCEPTION | Self::HAS_ERROR_CODE | 13,
                Self::InvalidOpcode => Self::EXCEPTION | 6,
                Self::Nmi => Self::NMI | 2,
                Self::Interrupt(vector) => vector as u32,
            }
    }
}
