//! Which of the unit's counters count, and which have overflowed.
//!
//! MMCR0's FC stops all counters at once. One counter stops by its selector, which is then nothing's, and from POWER8
//! on by its freezes in MMCR2 too.
//!
//! A counter has overflowed when its top bit is set, and no status says so. While that is so, and
//! MMCR0's PMAE and the counter's condition are enabled, the unit alerts: it clears PMAE, sets PMAO,
//! and interrupts through vector F00H for as long as PMAO is set and MSR\[EE\] lets it. Whatever is
//! written to MMCR0 here clears PMAO; if a counter is still negative when counting goes on, it
//! alerts again. So PMAO is never written as 1 but when the unit is given back, and POWER8E's loss
//! of an interrupt that was written so is not met before.
//!
//! On POWER7 an alert may be that of a count that was speculated and taken back: the counter that is within 256 of its
//! overflow is then taken to have overflowed, if no other has.

use super::driver::Book3s;
use super::facts::Facts;
use super::program::Image;
use super::registers::Control;
use super::spr;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet};
use crate::sync::Word;

/// The value at which a counter overflows.
const FIRES: u64 = Facts::WIDTH.longest();
/// PMC5 and PMC6, which have no selectors.
const LAST_TWO: CounterSet = CounterSet::from_bits(0b11_0000);

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    #[inline(always)]
    pub(super) fn write_counter(&self, counter: CounterId, value: u64) {
        self.registers.write(spr::pmc(counter), value);
    }

    #[inline(always)]
    fn value_of(&self, counter: CounterId) -> u64 {
        self.registers.read_counter(spr::pmc(counter))
    }

    /// Writes MMCR0 so that exactly these counters count, and before it the registers that say what they count.
    #[inline(always)]
    pub(super) fn start(&self, image: &Image, exactly: CounterSet) {
        if exactly.is_empty() {
            return self.freeze(image);
        }
        if image.selected.counters() != exactly {
            self.select(image, exactly);
        }
        self.registers.write(spr::MMCR0, image.written.mmcr0.get() | self.access(image).bits());
    }

    /// Stops all counters, and forgets that one has alerted.
    #[inline(always)]
    pub(super) fn freeze(&self, image: &Image) {
        self.registers.write(spr::MMCR0, (Control::FREEZE | self.access(image)).bits());
    }

    /// Returns what MMCR0 says of what problem state may do.
    #[inline(always)]
    fn access(&self, image: &Image) -> Control {
        if image.lent.counters().is_empty() { self.access } else { Control::empty() }
    }

    /// Halts the unit, and writes what differs in the registers beside MMCR0 while these counters count.
    ///
    /// A handler that comes amid it has selected what is to count by then, which may be fewer counters. The rest is
    /// left as the handler wrote it, and not taken for known.
    #[inline(never)]
    fn select(&self, image: &Image, exactly: CounterSet) {
        let (words, written) = (image.words(self.idle, exactly), &image.written);
        image.selected.set(0);
        self.freeze(image);
        // A register that the processor does not have stays 0.
        self.update(image, spr::MMCRA, &written.mmcra, words.mmcra);
        self.update(image, spr::MMCR3, &written.mmcr3, words.mmcr3);
        self.update(image, spr::MMCR1, &written.mmcr1, words.mmcr1);
        self.update(image, spr::MMCR2, &written.mmcr2, words.mmcr2);
        if image.selected.get() == 0 {
            written.mmcr0.set(words.mmcr0);
            image.selected.set(exactly.bits());
        } else {
            image.selected.set(0);
        }
    }

    /// Writes a register unless it holds this value, or a handler has come.
    ///
    /// The note comes after the write. If a handler comes between them and runs fewer counters, the note has more of
    /// them than the register. So it differs from what these fewer need, and the register is written the next time.
    #[inline(always)]
    fn update(&self, image: &Image, at: Spr, written: &Word, value: u64) {
        if image.selected.get() == 0 && written.get() != value {
            self.registers.write(at, value);
            written.set(value);
        }
    }

    /// Notes which counters count, if an alert has occurred: it may be that of one which was taken back.
    #[inline(always)]
    pub(super) fn note_alert(&self, image: &Image) {
        let has_alerted = self.registers.read(spr::MMCR0) & Control::ALERTED.bits() != 0;
        image.alerted.set(if has_alerted { image.running.get() } else { 0 });
    }

    /// Calls `found` for each of these counters that has overflowed.
    #[inline(always)]
    pub(super) fn find_overflowed(&self, image: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let mut is_none = true;
        for counter in among {
            if let Some(past) = Facts::WIDTH.past(self.value_of(counter)) {
                is_none = false;
                found(counter, past as i64);
            }
        }
        if is_none && self.facts.has_freezes() {
            self.clear_unused(image);
        } else if is_none && self.facts.rolls_back() {
            self.find_near(image, among, found);
        }
    }

    /// Clears PMC5 or PMC6 if it is negative and nobody's, which would alert for ever. MMCR2 stops them, but QEMU
    /// counts each on while the other one counts.
    fn clear_unused(&self, image: &Image) {
        let occupied = image.occupied();
        let unused = if occupied.and(LAST_TWO).is_empty() { CounterSet::EMPTY } else { LAST_TWO.without(occupied) };
        for counter in unused {
            if Facts::WIDTH.past(self.value_of(counter)).is_some() {
                self.write_counter(counter, 0);
            }
        }
    }

    /// Calls `found` for those of these counters that an alert of POWER7 may be of though they have not overflowed.
    fn find_near(&self, image: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        const REACH: u64 = 256;
        for counter in among.and(image.alerted.counters()) {
            let missing = FIRES.wrapping_sub(self.value_of(counter));
            if missing <= REACH {
                found(counter, -(missing as i64));
            }
        }
    }
}
