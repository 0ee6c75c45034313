//! What both samplers have alike: detection, and what of a request they cannot do.

use raw_cpuid::CpuIdReader;

use super::Capabilities;
use super::capabilities::Features;
use super::registers::{ENTRY, ENTRY_VALID, Register};
use crate::contract::Registers;
use crate::event::{Error, Event, Modes, Refusal, Request, Result};

/// Finds out what the processor's sampling can, and the number of its entry of the local APIC.
pub(super) fn detect<C: CpuIdReader, R: Registers<Address = Register>>(
    cpuid: &C,
    registers: &R,
    needed: Features,
) -> Result<(Capabilities, u8)> {
    let capabilities = Capabilities::discover(cpuid)?;
    if !capabilities.has(needed) {
        return Err(Error::NoUnit { reason: "CPUID leaf 8000001BH announces no sampling of this kind" });
    }
    match registers.read(Register::Entry) {
        entry if entry & ENTRY_VALID != 0 => Ok((capabilities, (entry & ENTRY) as u8)),
        _ => Err(Error::NoUnit {
            reason: "MSR C001103AH names no entry of the local APIC for sampling: firmware has to assign one, on family 10h the kernel by F3x1CC",
        }),
    }
}

/// Returns the code of a request's event and its period.
///
/// # Errors
/// Returns what no sampler does. The code is not checked. A period above the greatest is returned, whatever it is.
pub(super) fn wanted(request: &Request, least: u64, greatest: u64) -> Result<(u64, u64), Refusal> {
    let sampling = request.sampling.ok_or(Refusal::NoPeriod)?;
    if request.modes != Modes::ALL {
        return Err(Refusal::Impossible(
            "every mode is sampled; request user and kernel, and drop records by their address",
        ));
    }
    request.check_unrefined()?;
    if !request.is_anywhere() {
        return Err(Refusal::Impossible("a sampler has no counters; leave the request unpinned"));
    }
    if request.notifies() || request.preset != 0 {
        return Err(Refusal::Impossible("a sampler has no one-shot periods and no preset; stop it after a record"));
    }
    let code = match request.event {
        Event::CYCLES => 0,
        Event::Raw { code, auxiliary: 0 } => code,
        Event::Raw { auxiliary, .. } => return Err(Refusal::Auxiliary(auxiliary)),
        Event::Generic(_) => {
            return Err(Refusal::Impossible(
                "a sampler of ops counts Event::CYCLES or Op::OPS, one of fetches Fetch::FETCHES",
            ));
        }
    };
    match sampling.period {
        0 => Err(Refusal::PeriodZero),
        period if period < least => Err(Refusal::PeriodTooShort { least }),
        period if period <= greatest && period % 16 != 0 => {
            Err(Refusal::PeriodBetween(period & !15, (period | 15) + 1))
        }
        period => Ok((code, period)),
    }
}
