//! The values of counters that do not count, where counters cannot be stopped singly.
//!
//! On T1 and on UltraSPARC I and II both counters count while any mode is enabled, and have no event that counts
//! nothing. One that shall not count while the other one does has its value kept here, and what hardware adds to its
//! half meanwhile is dropped. So each change of what runs halts both, reads %pic once and writes it once: the events
//! between these two writes of %pcr, of about ten instructions, are not counted on the other counter. A preset writes
//! only the kept value, and so loses no event.
//!
//! The idle half begins at 0. Where there is an interrupt it comes only when that half has wrapped; the handler finds
//! no overflow then, and answers that the interrupt is not its own.

use super::Half;
use crate::event::CounterSet;
use crate::sync::Word;

/// The values of the counters that do not count.
#[derive(Debug)]
pub(in crate::arch::sparc) struct Kept {
    values: [Word; 2],
    /// The counters whose value is in %pic.
    counting: Word,
}

impl Kept {
    pub(in crate::arch::sparc) const fn new() -> Self {
        Self { values: [const { Word::new(0) }; 2], counting: Word::new(0) }
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
    fn word(&self, half: Half) -> &Word {
        &self.values[usize::from(half.number() & 1)]
    }

    /// Keeps what the counters that counted have in %pic. None counts any more.
    #[inline(always)]
    pub(in crate::arch::sparc) fn keep(&self, pic: u64) {
        for counter in self.counting() {
            let half = Half::of(counter);
            self.set(half, half.in_pic(pic));
        }
        self.set_counting(CounterSet::EMPTY);
    }

    /// Returns %pic with the values of these counters, and 0 in the other half.
    #[inline(always)]
    pub(in crate::arch::sparc) fn pic_of(&self, counters: CounterSet) -> u64 {
        counters.into_iter().map(Half::of).fold(0, |pic, half| half.replaced(pic, self.get(half)))
    }
}
