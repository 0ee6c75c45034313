//! What makes Nehalem's and Westmere's general counters count right.
//!
//! They may count wrongly after their selectors have changed, until each has counted a certain
//! event for a moment (specification updates of the Xeon 5500, Core i7-800 and Xeon 5600
//! processors, errata AAK100, AAP53 and BD53; the events and the five steps as torvalds/linux
//! arch/x86/events/intel/core.c knows them). Of the steps the first, clearing IA32_PEBS_ENABLE
//! and IA32_PERF_GLOBAL_CTRL, is left out: the unit is halted already, and nothing here uses PEBS.
//!
//! It is done before the first general counters of a unit are programmed, while nothing counts and
//! no counter holds a count. Later additions go without: it would cost those that run some of
//! their events.

use super::facts::Facts;
use super::model::Microarchitecture;
use super::registers::Select;
use crate::arch::x86::{Index, Msr, Window};
use crate::counter::CounterSet;
use crate::registers::Registers;

/// The events, for counters 0 to 3.
const EVENTS: [u64; 4] = [0xB5, 0xD2, 0xB1, 0xB1];

/// Is this one of the processors?
pub(super) const fn is_meant(facts: &Facts) -> bool {
    matches!(facts.microarchitecture(), Some(Microarchitecture::Nehalem | Microarchitecture::Westmere))
}

/// Lets every general counter count its event for a moment. The unit is halted, before and after;
/// what the counters held is lost.
#[cold]
#[inline(never)]
pub(super) fn wake<R>(registers: &R, facts: &Facts)
where
    R: Registers<Address = Msr, Index = Index>,
{
    let counters = facts.general.and(CounterSet::first(EVENTS.len() as u8));
    write_pairs(registers, counters, u64::MAX);
    registers.write(Msr::GLOBAL_CONTROL, counters.bits());
    registers.write(Msr::GLOBAL_CONTROL, 0);
    write_pairs(registers, counters, 0);
}

/// Clears each counter, and writes these bits of its selector.
#[inline(never)]
fn write_pairs<R>(registers: &R, counters: CounterSet, bits: u64)
where
    R: Registers<Address = Msr, Index = Index>,
{
    let on = (Select::USER | Select::KERNEL | Select::ENABLE).bits();
    for counter in counters {
        let event = EVENTS.get(counter.index()).copied().unwrap_or(0);
        registers.write(Msr::selector(counter), (on | event) & bits);
        registers.write(Msr::at(Window::Narrow as u32 + u32::from(counter.number())), 0);
    }
}
