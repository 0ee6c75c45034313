//! Encodes a request: the counters that can count it, and their control.

use super::capabilities::Capabilities;
use super::events::Meaning;
use super::period::SHORTEST;
use super::registers::PerfCtl;
use crate::event::{CounterId, CounterSet, Mode, Modes, Refusal, Request, Result};

/// The counters that can count a request, and the control that it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// Its control on the even counters.
    even: u32,
    /// Its control on the odd counters.
    odd: u32,
}

impl Demand {
    /// Returns the control of this counter.
    #[inline(always)]
    pub(super) const fn control(&self, counter: CounterId) -> u64 {
        if counter.number().is_multiple_of(2) { self.even as u64 } else { self.odd as u64 }
    }
}

/// Encodes a request for the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    request.check_unrefined()?;
    let modes = modes(request.modes, meaning.added)?;
    SHORTEST.check(request, modes.intersects(PerfCtl::MODES.difference(PerfCtl::USER)), || meaning.rate)?;
    let limit = if modes.intersects(PerfCtl::THREADS) { PerfCtl::empty() } else { capabilities.limit };
    let rest = modes | limit | PerfCtl::INTERRUPT;
    let counters = request.usable(capabilities.counters, meaning.counters)?;
    let control = |event| (rest | PerfCtl::of_event(event)).bits();
    Ok(Demand { counters, even: control(meaning.even), odd: control(meaning.odd) })
}

/// Returns the modes that were requested, and what the event adds. A kernel at exception level (EXL) is the kernel, as in
/// Linux.
fn modes(modes: Modes, added: PerfCtl) -> Result<PerfCtl, Refusal> {
    if modes == Modes::NONE && !added.intersects(PerfCtl::MODES) || !Modes::ALL.covers(modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let user = if modes.contains(Mode::User) { PerfCtl::USER } else { PerfCtl::empty() };
    let in_kernel = PerfCtl::KERNEL | PerfCtl::EXCEPTION;
    Ok(added | user | if modes.contains(Mode::Kernel) { in_kernel } else { PerfCtl::empty() })
}
