//! A workaround for the general counters of Nehalem and Westmere.
//!
//! They may count wrongly after their selectors have changed, until each has counted a certain event for a
//! moment (specification updates of the Xeon 5500, Core i7-800 and Xeon 5600 processors, errata AAK100,
//! AAP53 and BD53; the events and the five steps are those of torvalds/linux
//! arch/x86/events/intel/core.c). The first step, clearing IA32_PEBS_ENABLE and IA32_PERF_GLOBAL_CTRL, is
//! left out: the unit is already halted, and PEBS is not used.
//!
//! The workaround runs once at each claim and after each sleep, while nothing counts and no counter holds a count. It does
//! not run when counters are added to others, because that would cost running counters some of their events.

use super::capabilities::Capabilities;
use super::model::Microarchitecture;
use super::registers::Select;
use crate::arch::x86::{Msr, Msrs, Window};
use crate::event::CounterSet;

/// The events, for counters 0 to 3.
const EVENTS: [u64; 4] = [0xB5, 0xD2, 0xB1, 0xB1];

/// Returns true for the processors that need the workaround.
pub(super) const fn is_meant(capabilities: &Capabilities) -> bool {
    matches!(capabilities.microarchitecture, Some(Microarchitecture::Nehalem | Microarchitecture::Westmere))
}

/// Lets every general counter count its event for a moment. The unit is halted before and after. The values of
/// the counters are lost.
#[cold]
#[inline(never)]
pub(super) fn wake<R: Msrs>(registers: &R, capabilities: &Capabilities) {
    let counters = capabilities.general.and(CounterSet::first(EVENTS.len() as u8));
    write_pairs(registers, counters, u64::MAX);
    registers.write(Msr::GLOBAL_CONTROL, counters.bits());
    registers.write(Msr::GLOBAL_CONTROL, 0);
    write_pairs(registers, counters, 0);
}

/// Clears each counter, and writes these bits of its selector.
#[inline(never)]
fn write_pairs<R: Msrs>(registers: &R, counters: CounterSet, bits: u64) {
    let on = (Select::USER | Select::KERNEL | Select::ENABLE).bits();
    for counter in counters {
        let event = EVENTS.get(counter.index()).copied().unwrap_or(0);
        registers.write(Msr::selector(counter), (on | event) & bits);
        registers.write(Msr::at(Window::Narrow as u32 + u32::from(counter.number())), 0);
    }
}
