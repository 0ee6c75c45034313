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

/// `PERF_RECORD_MISC_*`: the mode of the processor.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(super) enum Misc {
    None = 0,
    Kernel = 1,
    User = 2,
}

impl Misc {
    /// Returns the mode as perf tells them apart. It has no symbols for a hypervisor, so that one's are its own kernel's.
    pub(super) const fn of(mode: Mode) -> Self {
        match mode {
            Mode::User => Self::User,
            Mode::Kernel | Mode::Hypervisor => Self::Kernel,
        }
    }

    /// Returns `PERF_CONTEXT_*`: the mode of the addresses that follow in a chain.
    pub(super) const fn context(self) -> u64 {
        let context: i64 = match self {
            Self::User => -512,
            Self::Kernel | Self::None => -128,
        };
        context.cast_unsigned()
    }
}
