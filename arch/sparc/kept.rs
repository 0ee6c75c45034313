//! The values of counters that do not count, where counters cannot be stopped singly.
//!
//! On T1 and on UltraSPARC I and II both counters count while any mode is enabled, and have no event that counts
//! nothing. One that shall not count while the other one does has its value kept here, and what hardware adds to its
//! half meanwhile is dropped. So each change of what runs halts both, reads %pic once and writes it once: the events
//! between these two writes of %pcr, of about a dozen instructions, are not counted on the other counter. A preset writes
//! only the kept value, and so loses no event.
//!
//! The idle half begins at 0. Where there is an interrupt it comes only when that half has wrapped; the handler finds
//! no overflow then, and answers that the interrupt is not its own.

use super::program::Image;
use super::{Asr, Half};
use crate::contract::Registers;
use crate::event::CounterSet;
use crate::sync::Cell;

/// The values of the counters that do not count.
#[derive(Debug)]
pub(in crate::arch::sparc) struct Kept {
    values: [Cell; 2],
    /// The counters whose value is in %pic.
    counting: Cell,
}

impl Kept {
    pub(in crate::arch::sparc) const fn new() -> Self {
        Self { values: [const { Cell::new(0) }; 2], counting: Cell::new(0) }
    }

    /// Returns the counters whose value is in %pic.
    #[inline(always)]
    pub(in crate::arch::sparc) fn counting(&self) -> CounterSet {
        self.counting.counters()
    }

    /// Sets the counters whose value is in %pic.
    #[inline(always)]
    pub(in crate::arch::sparc) fn set_counting(&self, counters: CounterSet) {
        self.counting.set(counters.bits());
    }

    /// Returns the kept value.
    #[inline(always)]
    pub(in crate::arch::sparc) fn get(&self, half: Half) -> u64 {
        self.word(half).get()
    }

    /// Replaces the kept value.
    #[inline(always)]
    pub(in crate::arch::sparc) fn set(&self, half: Half, value: u64) {
        self.word(half).set(value);
    }

    #[inline(always)]
    fn word(&self, half: Half) -> &Cell {
        &self.values[usize::from(half.number() & 1)]
    }

    /// Makes exactly these counters count.
    #[inline(always)]
    pub(in crate::arch::sparc) fn run<R>(&self, registers: &R, image: &Image, exactly: CounterSet)
    where
        R: Registers<Address = Asr>,
    {
        let before = registers.mask();
        if self.counting() != exactly {
            self.change(registers, image, exactly);
        }
        registers.unmask(before);
    }

    fn change<R: Registers<Address = Asr>>(&self, registers: &R, image: &Image, exactly: CounterSet) {
        if !self.counting().is_empty() {
            registers.write(Asr::Pcr, image.privacy());
            self.keep(registers.read(Asr::Pic));
        }
        if exactly.is_empty() {
            return;
        }
        registers.write(Asr::Pic, self.pic_of(exactly));
        self.set_counting(exactly);
        registers.write(Asr::Pcr, image.control(exactly, |_| 0));
    }

    /// Keeps what the counters that counted have in %pic. None counts any more.
    #[inline(always)]
    fn keep(&self, pic: u64) {
        let counted = self.counting();
        for half in Half::ALL {
            if counted.contains(half.counter()) {
                self.set(half, half.in_pic(pic));
            }
        }
        self.set_counting(CounterSet::EMPTY);
    }

    /// Returns %pic with the values of these counters, and 0 in the other half.
    #[inline(always)]
    fn pic_of(&self, counters: CounterSet) -> u64 {
        let [pic0, pic1] = Half::ALL.map(|half| match counters.contains(half.counter()) {
            true => half.replaced(0, self.get(half)),
            false => 0,
        });
        pic0 | pic1
    }
}
