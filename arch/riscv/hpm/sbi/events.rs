//! The codes of the events, and how the firmware is asked for them.
//!
//! Source: "RISC-V Supervisor Binary Interface Specification", chapter "Performance Monitoring Unit Extension", sections
//! "Hardware General Events" to "Firmware Events"; OpenSBI's include/sbi/sbi_ecall_interface.h has the same numbers.

use crate::event::{Event, Generic, Refusal};
use crate::family::Rate;

/// An event of the processor's own: its selection is in the lower bits. 48 bits, or 56 from version 3.0 of the SBI on.
pub(super) const RAW: u64 = 1 << 63;
/// The first event of the firmware.
pub(super) const FIRMWARE: u64 = 0xF_0000;

/// The types of events, in bits 19 to 16 of an index.
const TYPE: u64 = 0xF_0000;
const RAW_TYPE: u32 = 0x2_0000;
const WIDE_RAW_TYPE: u32 = 0x3_0000;
/// The general events: cycles to reference cycles.
const GENERAL: core::ops::RangeInclusive<u64> = 1..=10;
/// The cache's events: seven caches, three operations, and the access or the miss.
const CACHE: core::ops::RangeInclusive<u64> = 0x1_0000..=0x1_0035;
/// The firmware's events of version 2.0.
const OF_FIRMWARE: core::ops::RangeInclusive<u64> = FIRMWARE..=FIRMWARE + 21;

/// Returns the codes of the specification's events, those with three operations where four have room left out.
pub(super) fn specified() -> impl Iterator<Item = u64> {
    GENERAL.chain(CACHE.filter(|code| code >> 1 & 3 != 3)).chain(OF_FIRMWARE)
}

/// Returns true for the general events and the cache's.
pub(super) fn is_specified(code: u64) -> bool {
    specified().any(|known| known == code)
}

/// Returns true if the firmware's own counters count it.
#[inline(always)]
pub(super) const fn is_of_firmware(code: u64) -> bool {
    code & RAW == 0 && code & TYPE == FIRMWARE
}

/// Returns the index of an event, and the data that belongs to it.
#[inline(always)]
pub(super) const fn call_of(code: u64) -> (u32, u64) {
    match code & RAW {
        0 => (code as u32, 0),
        _ => (if code >> 48 & 0xFF == 0 { RAW_TYPE } else { WIDE_RAW_TYPE }, code & !RAW),
    }
}

/// Returns the bits of a code that no event has.
pub(super) const fn reserved(code: u64) -> u64 {
    code & if code & RAW == 0 { !0xF_FFFF } else { 0x7F00_0000_0000_0000 }
}

/// Returns the code of a generic event.
pub(super) const fn of_generic(generic: Generic) -> Option<u64> {
    Some(match generic {
        Generic::Cycles => 1,
        Generic::Instructions => 2,
        Generic::CacheReferences => 3,
        Generic::CacheMisses => 4,
        Generic::Branches => 5,
        Generic::BranchMisses => 6,
        Generic::ReferenceCycles => 10,
        _ => return None,
    })
}

/// Returns the code of an event.
pub(super) const fn code_of(event: Event) -> Result<u64, Refusal> {
    match event {
        Event::Generic(generic) => match of_generic(generic) {
            Some(code) => Ok(code),
            None => Err(Refusal::UnknownEvent),
        },
        Event::Raw { auxiliary, .. } if auxiliary != 0 => Err(Refusal::Auxiliary(auxiliary)),
        Event::Raw { code, .. } if reserved(code) != 0 => Err(Refusal::ReservedBits(reserved(code))),
        Event::Raw { code, .. } => Ok(code),
    }
}

/// Returns how often an event happens.
pub(super) const fn rate_of(code: u64) -> Rate {
    match code {
        1 => Rate::Cycles,
        2 | 5 | 6 => Rate::Instructions,
        _ => Rate::Others,
    }
}
