//! How a placement gets into the registers: what is written as counters are added, and as others of them are
//! to count.
//!
//! MMCRA and MMCR3 are those of all counters that are somebody's, MMCR1 and MMCR2 of those that shall count.
//! From POWER8 on a counter has nothing of its own in MMCR0 and MMCRA, which leaves less to be put together.

use super::driver::Book3s;
use super::program::{Image, Program, control, sampling};
use super::registers::Control;
use super::spr;
use super::words::Words;
use crate::arch::powerpc::Spr;
use crate::backend::{Backend, Slot};
use crate::contract::Registers;
use crate::event::CounterSet;

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    #[inline(never)]
    pub(super) fn load_before_power8(&self, image: &Image, program: Program, slots: &[Slot], running: CounterSet) {
        self.load_all::<false>(image, program, slots, running);
    }

    /// A counter must not look as if it had overflowed before it is preset: it is, to the longest
    /// wait, before it counts as somebody's. MMCRA and MMCR3 are written while nothing counts. Where
    /// nothing else does, all is left ready for the start.
    #[inline(always)]
    pub(super) fn load_all<const SINCE_POWER8: bool>(
        &self,
        image: &Image,
        Program(needs): Program,
        slots: &[Slot],
        running: CounterSet,
    ) {
        let idle = if SINCE_POWER8 { Words { mmcr2: self.idle.mmcr2, ..Words::NOTHING } } else { self.idle };
        let (mut new, mut words) = (CounterSet::EMPTY, idle);
        for &slot in slots {
            self.preset(image, slot.counter, self.longest(image, slot.counter));
            words = words ^ image.note::<SINCE_POWER8>(&self.facts, needs, slot);
            new = new.or(slot.counter.only());
        }
        let others = image.add(needs, new);
        self.freeze(image);
        if !others.is_empty() {
            words = image.with_others(others, words).of_counters::<SINCE_POWER8>();
        }
        let words = image.with_needs(words);
        self.write_kept(image, &words);
        if running.is_empty() {
            self.select::<SINCE_POWER8>(image, others.or(new), &words);
        } else {
            self.go_on(image, running);
        }
    }

    /// Freezes the unit, and makes MMCR1 and MMCR2 let exactly these count.
    pub(super) fn reload(&self, image: &Image, exactly: CounterSet) {
        let words = image.with_needs(image.with_others(exactly, self.idle));
        image.forget_loaded();
        self.freeze(image);
        if self.facts.has_freezes() {
            self.select::<true>(image, exactly, &words);
        } else {
            self.select::<false>(image, exactly, &words);
        }
    }

    #[inline(always)]
    fn write_kept(&self, image: &Image, words: &Words) {
        if !image.has_written(words.mmcra) {
            self.write_sampling(image, words.mmcra);
        }
        if self.facts.has_sources() {
            self.registers.write(spr::MMCR3, words.mmcr3);
        }
    }

    #[inline(never)]
    fn write_sampling(&self, image: &Image, mmcra: u64) {
        image.note_written(mmcra);
        self.registers.write(spr::MMCRA, sampling(self.facts.generation, mmcra));
    }

    /// Writes what depends on the counters that shall count, and keeps what lets them go; the unit is
    /// frozen.
    #[inline(always)]
    fn select<const SINCE_POWER8: bool>(&self, image: &Image, exactly: CounterSet, words: &Words) {
        self.registers.write(spr::MMCR1, words.mmcr1);
        if SINCE_POWER8 {
            self.registers.write(spr::MMCR2, words.mmcr2);
        } else if self.facts.selects_in_mmcra() {
            self.write_sampling(image, words.mmcra);
        }
        let parts = if SINCE_POWER8 { Control::PARTS } else { self.parts };
        image.set_loaded(exactly, words.mmcr0 | control(parts, exactly) | self.access(image));
    }
}
