//! What a request takes on any x86 unit, in the bits that all their selectors have in common.

use super::selector;
use crate::event::{CounterSet, Flag, Flags, Mode, Modes, Refusal, Repeat, Request, Result, Sampling};

/// What one request takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that could count it.
    pub(super) counters: CounterSet,
    /// Its selector, and above that what else the family has to know of it.
    pub(super) word: u64,
    /// What it needs in a register beside the counter.
    pub(super) auxiliary: u64,
}

/// The fewest events that a counter waits for; it cannot interrupt on every single event. Some of Intel's models need
/// more.
pub(super) const LEAST: u64 = 2;

/// The shortest period that repeats while the kernel is counted, of an event other than instructions
/// retired, or of those with a threshold or a flag.
///
/// What an interrupt takes of it is no longer a matter of how many instructions it has: a clock
/// runs on through the delivery of the interrupt, a WRMSR that halts the unit and an IRETQ behind
/// the WRMSR that lets it go on. Each of those takes one to several hundred cycles (tables of
/// measured instructions, as Agner Fog's "Instruction tables" and uops.info, have IRET and WRMSR
/// in that order), together well below a thousand. This is twice that. It was not measured on
/// silicon, and a kernel whose own entry is long needs more.
pub(super) const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// Returns USR and OS for these modes. A counter tells two modes apart: ring 0, and the other rings.
#[inline(always)]
pub(super) fn modes(modes: Modes) -> Result<u64, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let (user, kernel) = (modes.contains(Mode::User), modes.contains(Mode::Kernel));
    Ok((u64::from(user) * selector::USER) | (u64::from(kernel) * selector::KERNEL))
}

/// A flag, and what it sets in a selector.
pub(super) type Refinement = (Flag, u64);

/// Returns the flags that a selector with these bits has.
pub(super) fn flags(refinements: &[Refinement], selectable: u64) -> Flags {
    let had = refinements.iter().filter(|(_, bits)| selectable & bits != 0);
    had.fold(Flags::NONE, |flags, &(flag, _)| flags.with(flag))
}

/// Returns what a request's flags and its threshold set in a selector. `flags` are those that the unit has.
#[cold]
pub(super) fn refine(request: &Request, refinements: &[Refinement], flags: Flags) -> Result<u64, Refusal> {
    if let Some(flag) = request.flags.beyond(flags) {
        return Err(Refusal::Flag(flag));
    }
    check_comparison(request)?;
    if request.flags.is_empty() {
        return Ok(selector::threshold(request.threshold));
    }
    let chosen = refinements.iter().filter(|&&(flag, _)| request.flags.contains(flag));
    Ok(chosen.fold(selector::threshold(request.threshold), |bits, (_, more)| bits | more))
}

/// The manuals say what INV does with a threshold, and EQ without INV; nothing else is defined.
fn check_comparison(request: &Request) -> Result<(), Refusal> {
    let inverted = request.flags.contains(Flag::Invert);
    if inverted && request.flags.contains(Flag::Equal) {
        Err(Refusal::FlagsExclude(Flag::Equal, Flag::Invert))
    } else if inverted && request.threshold == 0 {
        Err(Refusal::NeedsThreshold(Flag::Invert))
    } else {
        Ok(())
    }
}

/// Checks that a period is at least `least`, and at least `in_kernel` if it repeats while the kernel, of which the
/// interrupt is a part, is counted.
#[inline(always)]
pub(super) fn check_least(modes: Modes, sampling: Sampling, least: u64, in_kernel: u64) -> Result<(), Refusal> {
    let repeats = sampling.repeat == Repeat::Continuous;
    let least = if repeats && modes.contains(Mode::Kernel) { least.max(in_kernel) } else { least };
    if sampling.period < least { Err(Refusal::PeriodTooShort { least }) } else { Ok(()) }
}
