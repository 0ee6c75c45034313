//! Starts and stops counters, and finds those that have overflowed.
//!
//! MMCR0's FC stops all counters at once. A single counter is stopped by a selector that selects nothing, and from POWER8
//! on also by its freezes in MMCR2.
//!
//! A counter has overflowed while its top bit is set; there is no status bit. While MMCR0's PMAE and the counter's
//! condition are also enabled, the unit alerts: it clears PMAE, sets PMAO, and interrupts through vector F00H while
//! PMAO is set and MSR\[EE\] permits it. Every write to MMCR0 here clears PMAO. If a counter is still negative when
//! counting continues, it alerts again. PMAO is written as 1 only when a saved state is restored, so POWER8E's loss
//! of an interrupt that is written so cannot happen before; an alert that was pending at the claim is lost there.
//!
//! MMCRA's SAMPLE_ENABLE is written with the other registers, while the counters are frozen. Linux sets it once they run
//! (torvalds/linux arch/powerpc/perf/core-book3s.c, power_pmu_enable); no manual at hand says that it must be so.
//!
//! On POWER7 an alert may come from a speculated count that was then taken back. If no counter is past its overflow, the
//! one within 256 events of it is treated as overflowed.

use super::capabilities::Capabilities;
use super::driver::Book3s;
use super::program::Image;
use super::registers::Mmcr0;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet};
use crate::sync::Cell;

/// The value at which a counter overflows.
const FIRES: i64 = Capabilities::WIDTH.longest() as i64;
/// [`Image::selected`] while the registers are written: a counter that no unit has.
const SELECTING: CounterSet = CounterSet::from_bits(1 << 63);

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    #[inline(always)]
    pub(super) fn write_counter(&self, counter: CounterId, value: u64) {
        self.registers.write(Spr::pmc(counter), value);
    }

    /// Makes exactly these counters count: writes their selections, then MMCR0.
    #[inline(always)]
    pub(super) fn start(&self, image: &Image, exactly: CounterSet) {
        if exactly.is_empty() {
            return self.freeze(image);
        }
        if image.selected.counters() == exactly || self.select(image, exactly) {
            self.registers.write(Spr::MMCR0, image.written.mmcr0.get() | self.access(image).bits());
            image.is_frozen.set(0);
        }
    }

    /// Stops all counters, and clears PMAO.
    #[inline(always)]
    fn freeze(&self, image: &Image) {
        self.registers.write(Spr::MMCR0, (Mmcr0::FREEZE | self.access(image)).bits());
        image.is_frozen.set(1);
    }

    /// Returns the bits of MMCR0 that restrict problem state.
    #[inline(always)]
    fn access(&self, image: &Image) -> Mmcr0 {
        self.access ^ Mmcr0::from_bits_retain(image.opened.get())
    }

    /// Halts the unit unless it is halted, and writes the other registers where they differ from what these counters need.
    ///
    /// Returns false if it interrupts itself, in the overflow handler. The unit stays halted then, because the rest of the
    /// interrupted writes would change what counters count while they count. After these writes the unit runs, and is run
    /// again if the handler has ended counters.
    #[inline(never)]
    fn select(&self, image: &Image, exactly: CounterSet) -> bool {
        let is_interrupting = image.selected.counters() == SELECTING;
        image.selected.set(SELECTING.bits());
        if image.is_frozen.get() == 0 {
            self.freeze(image);
        }
        if is_interrupting {
            return false;
        }
        let (words, written) = (image.words(&self.idle, exactly), &image.written);
        // A register that the processor does not have stays 0, and is not written.
        self.update(Spr::MMCRA, &written.mmcra, words.mmcra);
        self.update(Spr::MMCR1, &written.mmcr1, words.mmcr1);
        self.update(Spr::MMCR2, &written.mmcr2, words.mmcr2);
        self.update(Spr::MMCR3, &written.mmcr3, words.mmcr3);
        written.mmcr0.set(words.mmcr0);
        image.selected.set(exactly.bits());
        true
    }

    /// Writes a register unless it holds this value.
    #[inline(always)]
    fn update(&self, at: Spr, written: &Cell, value: u64) {
        if written.get() != value {
            self.registers.write(at, value);
            written.set(value);
        }
    }

    /// Records which counters count if an alert has occurred, because the counter may be taken back below its overflow.
    /// Clears the record if there was no alert.
    ///
    /// An overflow handler during this handles the alert, clears PMAO and the record. So the record is made before
    /// PMAO is read, and at most removed afterwards.
    #[inline(always)]
    pub(super) fn record_alert(&self, image: &Image) {
        image.alerted.set(image.running.get());
        if self.registers.read(Spr::MMCR0) & Mmcr0::ALERTED.bits() == 0 {
            image.alerted.set(0);
        }
    }

    /// Calls `found` for each of these counters that has overflowed.
    #[inline(always)]
    pub(super) fn find_overflowed(&self, image: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let alerted = image.alerted.counters();
        let (among, least) = if alerted.is_empty() { (among, 0) } else { self.after_alert(among, alerted) };
        let mut is_found = false;
        for counter in among {
            let past = self.past(counter);
            if past >= least {
                is_found = true;
                found(counter, past);
            }
        }
        if !is_found && self.capabilities.has_freezes() {
            self.clear_unused(image);
        }
    }

    /// Returns which of these counters have overflowed after an alert of POWER7: those that are past their
    /// overflow or, if none is, those that counted and are at most 256 events below it.
    #[cold]
    fn after_alert(&self, among: CounterSet, alerted: CounterSet) -> (CounterSet, i64) {
        let is_past = among.into_iter().any(|counter| self.past(counter) >= 0);
        if is_past { (among, 0) } else { (among.and(alerted), -Capabilities::ROLL_BACK) }
    }

    /// Returns how many events a counter is past its overflow; negative before it.
    #[inline(always)]
    fn past(&self, counter: CounterId) -> i64 {
        self.registers.read_counter(Spr::pmc(counter)) as i64 - FIRES
    }

    /// Clears PMC5 or PMC6 if it is negative and not in use while the other one is. MMCR2 stops it, but QEMU lets each of
    /// them count while the other one counts, and a negative counter would alert for ever.
    #[inline(always)]
    fn clear_unused(&self, image: &Image) {
        let used = image.occupied().and(Capabilities::LAST_TWO);
        if used.is_empty() {
            return;
        }
        if let Some(unused) = Capabilities::LAST_TWO.without(used).lowest()
            && self.past(unused) >= 0
        {
            self.write_counter(unused, 0);
        }
    }
}
