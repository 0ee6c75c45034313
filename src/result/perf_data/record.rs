//! The header of a record: its type, and the mode that it is of (`perf_event_header`).

use crate::event::Mode;

/// The types of records: `PERF_RECORD_*`, and perf's own from 64 on.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(super) enum Type {
    Comm = 3,
    Sample = 9,
    Mmap2 = 10,
    Attributes = 64,
    FinishedRound = 68,
    EventUpdate = 78,
}

/// `PERF_RECORD_MISC_*`: the mode of the processor, and whether a sample's address is that of its very instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Misc(u32);

impl Misc {
    /// No mode, or an unknown one (`CPUMODE_UNKNOWN`).
    pub(super) const NONE: Self = Self(0);
    pub(super) const KERNEL: Self = Self(1);
    pub(super) const USER: Self = Self(2);
    /// `EXACT_IP`.
    const EXACT: u32 = 1 << 14;

    /// Returns the mode as perf tells them apart. It has no symbols for a hypervisor, so that one's are its own kernel's.
    pub(super) const fn of(mode: Mode) -> Self {
        match mode {
            Mode::User => Self::USER,
            Mode::Kernel | Mode::Hypervisor => Self::KERNEL,
        }
    }

    /// Returns the same of a sample whose address is that of its very instruction.
    pub(super) const fn exact(self) -> Self {
        Self(self.0 | Self::EXACT)
    }

    /// Returns the bits.
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// Returns `PERF_CONTEXT_*`: the mode of the addresses that follow in a chain.
    pub(super) fn context(self) -> u64 {
        let context: i64 = if self == Self::USER { -512 } else { -128 };
        context.cast_unsigned()
    }
}
