//! Encodes a request: the counters that can count it, and their selection.

use super::capabilities::Capabilities;
use super::counters::FIXED;
use super::events::Meaning;
use super::period::SHORTEST;
use super::privilege::Privilege;
use super::registers::Select;
use crate::event::{CounterId, CounterSet, Mode, Modes, Refusal, Request, Result};

/// The counters that can count a request, and the selection that it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    code: u64,
    filters: u64,
}

impl Demand {
    /// Returns the selection of this counter. mcycle and minstret have no event.
    #[inline(always)]
    pub(super) const fn select(&self, counter: CounterId) -> u64 {
        if FIXED.contains(counter) { self.filters } else { self.filters | self.code }
    }
}

/// Encodes a request for the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    request.check_unrefined()?;
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || meaning.rate)?;
    let filters = not_counted(capabilities.privilege, request.modes)? | meaning.filters;
    let able = able(capabilities, meaning.counters, filters, request.sampling.is_some())?;
    let counters = request.usable(capabilities.counters, able)?;
    Ok(Demand { counters, code: meaning.code.unwrap_or(0), filters: filters.bits() })
}

/// Returns the bits that keep a counter from the modes that were not requested. Under a hypervisor user and kernel are the
/// guest's too. Machine mode is the kernel's where the kernel runs in it; a supervisor cannot leave it out.
fn not_counted(privilege: Privilege, modes: Modes) -> Result<Select, Refusal> {
    if modes == Modes::NONE || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let in_user = Select::NOT_USER | Select::NOT_GUEST_USER;
    let in_kernel = Select::NOT_SUPERVISOR | Select::NOT_GUEST_KERNEL;
    let in_machine = if privilege == Privilege::Machine { Select::NOT_MACHINE } else { Select::empty() };
    let user = if modes.contains(Mode::User) { Select::empty() } else { in_user };
    Ok(user | if modes.contains(Mode::Kernel) { Select::empty() } else { in_kernel | in_machine })
}

/// Returns those of `counters` that can leave modes out, if any shall be, and interrupt, if the request samples.
#[inline(always)]
fn able(
    capabilities: &Capabilities,
    counters: CounterSet,
    filters: Select,
    samples: bool,
) -> Result<CounterSet, Refusal> {
    if samples && !capabilities.interrupts() {
        return Err(Refusal::NoInterrupt);
    }
    let counters = if samples { counters.and(capabilities.interrupting()) } else { counters };
    let filter = |counter: &CounterId| filters.is_empty() || capabilities.filters(*counter);
    let able: CounterSet = counters.into_iter().filter(filter).collect();
    match able {
        CounterSet::EMPTY if counters.is_empty() => Err(Refusal::Impossible(
            "mcycle and minstret do not interrupt, and this processor has no other counter for the event; sample another event",
        )),
        CounterSet::EMPTY => Err(Refusal::Impossible(
            "its counters count in every mode: Sscofpmf's filters, or for mcycle and minstret Smcntrpmf's, are missing; request user and kernel mode together",
        )),
        able => Ok(able),
    }
}
