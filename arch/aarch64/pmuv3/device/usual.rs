//! A fast path for the most frequent accesses: those of an overflow handler, a start and a stop, in a kernel
//! whose hypervisor traps none of them.
//!
//! A hypervisor pays for every check of a trapped access. Here there is one check: which counters the level sees.
//! [`super::permission`] makes all others.

use super::Device;
use super::place::{Half, Place};
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, HypervisorControl, Pmcr};
use crate::event::{CounterSet, Mode};
use crate::virt::Trigger;

/// The bits of PMCR_EL0 that set counters to zero, which the fast path does not do.
const RESETS: u64 = Pmcr::RESET_EVENTS.union(Pmcr::RESET_CYCLES).bits();

impl<T: Trigger> Device<T> {
    /// Sets MDCR_EL2, and computes what each level sees.
    pub(super) fn put_hypervisor_control(&self, control: u64) {
        self.hypervisor_control.set(control);
        self.table.touch(CounterSet::ALL);
        self.note_widths();
        let traps = HypervisorControl::TRAP.union(HypervisorControl::TRAP_CONTROL);
        let is_watched = self.limits.has_hypervisor && self.hypervisor_control().intersects(traps);
        let seen = if is_watched { CounterSet::EMPTY } else { self.readable(Mode::Kernel) };
        self.seen[Mode::Kernel as usize].set(seen.bits());
        self.seen[Mode::Hypervisor as usize].set(self.readable(Mode::Hypervisor).bits());
    }

    /// Sets PMCR_EL0. From how many bits counters overflow decides which of them can count the overflows of another.
    #[inline(always)]
    pub(super) fn put_control(&self, control: u64) {
        let widths = Pmcr::LONG_EVENTS.union(Pmcr::LONG_CYCLES).bits();
        self.table.touch_enables();
        if (self.control.replace(control) ^ control) & widths != 0 {
            self.note_widths();
        }
    }

    /// Returns the counters that a level sees and may use freely, or 0 if it may not, or not always.
    #[inline(always)]
    fn seen(&self, mode: Mode) -> u64 {
        self.seen[mode as usize].get()
    }

    /// Returns the contents of a register, or `None` if the access is not one of these.
    #[inline(always)]
    pub(super) fn load_usual(&self, mode: Mode, place: Place) -> Option<u64> {
        let seen = self.seen(mode);
        if seen == 0 {
            return None;
        }
        match place {
            Place::Counter(number) if has(seen, number) => {
                self.counters.get(usize::from(number)).map(|cell| cell.get())
            }
            Place::Select(number) if has(seen, number) && number <= CYCLE_COUNTER => Some(self.select(number).bits()),
            Place::Overflow(_) => Some(self.overflowed.get() & seen),
            Place::Enable(_) => Some(self.enable.get() & seen),
            Place::Interrupt(_) => Some(self.interrupt.get() & seen),
            Place::Control => {
                Some(self.control().union(self.limits.constant()).with_counters(self.events_for(mode)).bits())
            }
            _ => None,
        }
    }

    /// Writes a register. Returns `None` if the access is not one of these; nothing was done then.
    #[inline(always)]
    pub(super) fn store_usual(&self, mode: Mode, place: Place, value: u64) -> Option<()> {
        let seen = self.seen(mode);
        if seen == 0 {
            return None;
        }
        match place {
            Place::Counter(number) if has(seen, number) => {
                self.counters.get(usize::from(number))?.set(value & self.limits.counter_bits(number));
            }
            Place::Select(number) if has(seen, number) => {
                self.selects.get(usize::from(number))?.set(value & self.limits.select_bits(number));
                self.table.touch(CounterSet::from_bits(1 << (number & 63)));
            }
            Place::Enable(half) => {
                change(&self.enable, half, value & seen);
                self.table.touch_enables();
            }
            Place::Overflow(half) => {
                change(&self.overflowed, half, value & seen);
                self.table.touch_enables();
                self.settle();
            }
            Place::Interrupt(half) => {
                change(&self.interrupt, half, value & seen);
                self.table.touch_enables();
                self.settle();
            }
            Place::Control if value & RESETS == 0 => {
                self.put_control(value & self.limits.control_bits());
                self.settle_switch();
            }
            _ => return None,
        }
        Some(())
    }
}

#[inline(always)]
const fn has(counters: u64, number: u8) -> bool {
    counters >> (number & 63) & 1 == 1
}

/// Writes one of a pair of registers that set or clear bits.
#[inline(always)]
pub(super) fn change(cell: &core::cell::Cell<u64>, half: Half, bits: u64) {
    match half {
        Half::Set => cell.set(cell.get() | bits),
        Half::Clear => cell.set(cell.get() & !bits),
    }
}
