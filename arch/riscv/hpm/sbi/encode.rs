//! Encodes a request: the counters that can count it, and what they are configured with.

use super::asked::Capabilities;
use super::events::{RAW, call_of, code_of, is_of_firmware, rate_of};
use crate::arch::riscv::hpm::period::SHORTEST;
use crate::event::{CounterSet, Mode, Modes, Refusal, Request, Result};

/// The counters that can count a request, and what they are configured with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    pub(super) counters: CounterSet,
    pub(super) selection: u64,
}

impl Demand {
    /// Returns a number that differs from that of most other events, and of neighbouring ones.
    pub(super) const fn number(&self) -> u32 {
        let event = (self.selection ^ self.selection >> 32) as u32;
        event ^ event >> 8 ^ event >> 16
    }
}

/// Not counted in the guest's user and kernel mode, in user, supervisor and machine mode: the flags of a configuration.
const NOT_GUEST_USER: u8 = 1 << 0;
const NOT_GUEST_KERNEL: u8 = 1 << 1;
const NOT_USER: u8 = 1 << 2;
const NOT_SUPERVISOR: u8 = 1 << 3;
const NOT_MACHINE: u8 = 1 << 4;

/// What a counter is configured with: the event's data, or its index if it has none; the modes; and that it is something.
const FILTERS_SHIFT: u32 = 56;
const IS_RAW: u64 = 1 << 61;
const IS_SOMETHING: u64 = 1 << 62;
const DATA: u64 = (1 << FILTERS_SHIFT) - 1;

/// Encodes a request for the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let code = code_of(request.event)?;
    let known = capabilities.able(code);
    if known.is_empty() {
        return Err(if code & RAW == 0 { Refusal::UnknownEvent } else { NOT_ASKED });
    }
    request.check_unrefined()?;
    if request.modes == Modes::NONE || !Modes::ALL.covers(request.modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let able = able(capabilities, request, known)?;
    SHORTEST.check(request, request.modes.contains(Mode::Kernel), || rate_of(code))?;
    let counters = request.usable(capabilities.counters(), able)?;
    let filters = if is_of_firmware(code) { 0 } else { not_counted(request.modes) };
    Ok(Demand { counters, selection: selection(code, filters) })
}

/// No counter counts a code of the processor's own that the kernel has not named.
const NOT_ASKED: Refusal = Refusal::Impossible(
    "no counter is known to count this code of the processor's own: name it when the unit is detected (`own` of Sbi::detect), since the firmware is asked then",
);

/// Returns the modes that are not counted. The firmware's is never counted, where a counter can leave it out.
const fn not_counted(modes: Modes) -> u8 {
    let user = if modes.contains(Mode::User) { 0 } else { NOT_USER | NOT_GUEST_USER };
    let kernel = if modes.contains(Mode::Kernel) { 0 } else { NOT_SUPERVISOR | NOT_GUEST_KERNEL };
    user | kernel | NOT_MACHINE
}

/// Returns those of `known` that can leave out what shall be, and interrupt, if the request samples. cycle and instret count
/// the firmware's own instructions where they cannot leave them out: then they are used for want of others.
fn able(capabilities: &Capabilities, request: &Request, known: CounterSet) -> Result<CounterSet, Refusal> {
    let fixed: CounterSet = known.into_iter().filter(|&counter| capabilities.is_fixed(counter)).collect();
    let others = known.without(fixed);
    if request.sampling.is_some() {
        if !capabilities.interrupts() {
            return Err(Refusal::NoInterrupt);
        }
        return match known.and(capabilities.interrupting()) {
            CounterSet::EMPTY => Err(Refusal::Impossible(
                "its counters do not interrupt: the firmware's never do, and cycle and instret by T-Head's and Andes' own interrupt alone; sample another event",
            )),
            able => filtering(capabilities, request.modes, able),
        };
    }
    let has_filters = fixed.into_iter().all(|counter| capabilities.filters(counter));
    let known = if has_filters || others.is_empty() { known } else { others };
    let pinned = request.counters.and(fixed);
    filtering(capabilities, request.modes, if pinned == request.counters { known.or(pinned) } else { known })
}

fn filtering(capabilities: &Capabilities, modes: Modes, among: CounterSet) -> Result<CounterSet, Refusal> {
    let able: CounterSet =
        among.into_iter().filter(|&counter| modes == Modes::ALL || capabilities.filters(counter)).collect();
    if able.is_empty() {
        return Err(Refusal::Impossible(
            "its counters count in every mode: they are the firmware's, or the processor has no filters for them (Sscofpmf's, for cycle and instret Smcntrpmf's); request user and kernel mode together",
        ));
    }
    Ok(able)
}

/// Packs what a counter is configured with.
const fn selection(code: u64, filters: u8) -> u64 {
    let (event, data) = call_of(code);
    let what = if data != 0 || code >> 63 != 0 { IS_RAW | data & DATA } else { event as u64 };
    IS_SOMETHING | (filters as u64) << FILTERS_SHIFT | what
}

/// Returns the filters, the index and the data of a selection.
#[inline(always)]
pub(super) const fn unpacked(selection: u64) -> (u8, u32, u64) {
    let (filters, what) = ((selection >> FILTERS_SHIFT) as u8 & 0x1F, selection & DATA);
    match selection & IS_RAW {
        0 => (filters, what as u32, 0),
        _ => {
            let (event, data) = call_of(super::events::RAW | what);
            (filters, event, data)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::riscv::hpm::sbi::events::{FIRMWARE, RAW};

    #[test]
    fn a_selection_has_all_of_its_event() {
        for code in [1, 0x1_0019, FIRMWARE + 21, RAW | 0x4001, RAW | 0xFFFF_FFFF_FFFF, RAW | 1 << 55] {
            let (event, data) = call_of(code);
            assert_eq!(unpacked(selection(code, 0x15)), (0x15, event, data), "{code:#x}");
        }
    }
}
