//! Events that some processors are known to miscount. A driver cannot correct the counts; users should know.
//!
//! Sources: the specification updates' errata, as torvalds/linux cites them: BJ122 (Sandy Bridge), BV98 (Ivy Bridge) and
//! HSD29 (Haswell), arch/x86/events/intel/core.c; SRF7 (Sierra Forest) and the models before and after that have it,
//! tools/testing/selftests/kvm/lib/x86/pmu.c. For the shared registers SDM vol. 3, "Off-core Response Performance
//! Monitoring in the Processor Core", and vol. 4, the table of Nehalem's MSRs, which gives them the scope "Core".

use super::capabilities::Capabilities;
use super::model::Microarchitecture;
use crate::event::{Event, Generic};

/// How an event is miscounted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Miscount {
    /// While both threads of a core run, what one of them did may be counted by the same counter of the other: use it
    /// with one thread of each core, or count nothing on the other's (BJ122, BV98, HSD29).
    LeaksBetweenThreads,
    /// Far calls, jumps and returns, IRET, the entries and exits of guests, and some flows of SGX and SMX may count more
    /// than once (SRF7).
    CountsTransfersAgain,
    /// The value beside the event is in a register that both threads of the core share: MSR_OFFCORE_RSP_0 or 1 of Nehalem
    /// and Westmere. Each thread's counters count what was last written there, by whichever thread. Use such an event on
    /// one thread of each core, or with the same value on both.
    SharesRegisterWithSibling,
}

impl Capabilities {
    /// Returns what is known to be wrong with the counts of an event, if anything is.
    #[must_use]
    pub fn miscount(&self, event: Event) -> Option<Miscount> {
        if self.family != 6 {
            return None;
        }
        if self.shares_register(event) {
            return Some(Miscount::SharesRegisterWithSibling);
        }
        match (self.model, number(event)?) {
            (0x2A | 0x2D | 0x3A | 0x3E | 0x3C | 0x3F | 0x45 | 0x46, 0xD0..=0xD3) => Some(Miscount::LeaksBetweenThreads),
            (0x4D | 0x5F | 0x86 | 0xAF, INSTRUCTIONS | BRANCHES) => Some(Miscount::CountsTransfersAgain),
            (0xDD, INSTRUCTIONS) => Some(Miscount::CountsTransfersAgain),
            _ => None,
        }
    }
}

impl Capabilities {
    /// Returns true for the events of Nehalem and Westmere that need a value in an auxiliary register.
    fn shares_register(&self, event: Event) -> bool {
        let Event::Raw { code, .. } = event else { return false };
        let is_shared =
            matches!(self.microarchitecture, Some(Microarchitecture::Nehalem | Microarchitecture::Westmere));
        is_shared && self.auxiliaries.iter().any(|event| event.code == code)
    }
}

/// The number of INST_RETIRED and BR_INST_RETIRED, with any mask.
const INSTRUCTIONS: u8 = 0xC0;
const BRANCHES: u8 = 0xC4;

/// Returns the event's number, if it has one of these numbers.
const fn number(event: Event) -> Option<u8> {
    match event {
        Event::Raw { code, .. } => Some(code as u8),
        Event::Generic(Generic::Instructions) => Some(INSTRUCTIONS),
        Event::Generic(Generic::Branches) => Some(BRANCHES),
        Event::Generic(_) => None,
    }
}
