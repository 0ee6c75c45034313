//! Encodes a request: the ways to count it on this unit.

use super::capabilities::{Capabilities, Privilege};
use super::demand::Demand;
use super::errata;
use super::events::{decode, rate};
use super::needs::Needs;
use super::registers::{Freeze, Mmcr0};
use crate::arch::powerpc::period::SHORTEST;
use crate::event::{Mode, Modes, Refusal, Request, Result};

/// Encodes a request for the unit that `capabilities` describe.
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let demand = decode(capabilities.model, request.event)?;
    errata::check(capabilities, request.event)?;
    request.check_unrefined()?;
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || rate(capabilities, request.event))?;
    let frozen = frozen(capabilities, request.modes)?;
    let usable = request.usable(capabilities.usable, demand.counters().and(capabilities.usable))?;
    Ok(in_modes(capabilities, demand.within(usable), frozen))
}

/// Returns the modes that the unit can filter. A kernel that is its own hypervisor has no hypervisor above
/// it, and its guests are not counted.
pub(super) const fn modes(capabilities: &Capabilities) -> Modes {
    match capabilities.privilege {
        Privilege::Supervisor => Modes::ALL.and(Modes::HYPERVISOR),
        Privilege::Hypervisor => Modes::ALL,
    }
}

/// Returns the states in which a request does not count. Problem state is that of the kernel's own processes. A
/// hypervisor above the kernel has processes too.
fn frozen(capabilities: &Capabilities, asked: Modes) -> Result<Freeze, Refusal> {
    let able = modes(capabilities);
    if asked == Modes::NONE || !able.covers(asked) {
        return Err(Refusal::Modes { able });
    }
    let states = match capabilities.privilege {
        Privilege::Supervisor => [
            (Mode::User, Freeze::PROBLEM),
            (Mode::Kernel, Freeze::SUPERVISOR),
            (Mode::Hypervisor, Freeze::HYPERVISOR | Freeze::HYPERVISORS_PROBLEM),
        ],
        Privilege::Hypervisor => [
            (Mode::User, Freeze::HYPERVISORS_PROBLEM),
            (Mode::Kernel, Freeze::HYPERVISOR),
            (Mode::Hypervisor, Freeze::SUPERVISOR),
        ],
    };
    let counted = states.into_iter().filter(|(mode, _)| asked.contains(*mode)).map(|(_, state)| state);
    Ok(Freeze::EVERYWHERE.difference(counted.fold(Freeze::empty(), Freeze::union)))
}

/// Freezes a demand's counter in these states. Before POWER8 all counters share the freezes, and FCP freezes all of
/// problem state.
fn in_modes(capabilities: &Capabilities, demand: Demand, frozen: Freeze) -> Demand {
    if capabilities.has_freezes() {
        return demand.frozen(frozen);
    }
    let states = [
        (Freeze::SUPERVISOR, Mmcr0::FREEZE_SUPERVISOR),
        (Freeze::ALL_PROBLEM, Mmcr0::FREEZE_PROBLEM),
        (Freeze::HYPERVISOR, Mmcr0::FREEZE_HYPERVISOR),
    ];
    let shared = states.into_iter().filter(|&(state, _)| frozen.contains(state)).map(|(_, control)| control);
    demand.with(Needs::states(shared.fold(Mmcr0::empty(), Mmcr0::union).bits()))
}
