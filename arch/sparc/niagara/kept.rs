//! T1: the values of counters that do not count.
//!
//! On T1 both counters count while any mode is enabled: pic1 has no selector, and pic0 none that counts nothing. One
//! that shall not count while the other one does has its value kept here, and what hardware adds to its half meanwhile
//! is dropped. So each change of what runs halts both, reads %pic once and writes it once: the events between these
//! two writes of %pcr, of about ten instructions, are not counted on the other counter. A preset writes only the
//! kept value, and so loses no event.
//!
//! The idle half begins at 0 and interrupts only when it has wrapped; the handler finds no overflow then, and answers that
//! the interrupt is not its own.

use crate::arch::sparc::Half;
use crate::event::CounterSet;
use crate::sync::Word;

/// The values of the counters that do not count.
#[derive(Debug)]
pub(super) struct Kept {
    values: [Word; 2],
    /// The counters whose value is in %pic.
    counting: Word,
}

impl Kept {
    pub(super) const fn new() -> Self {
        Self { values: [const { Word::new(0) }; 2], counting: Word::new(0) }
    }

    /// Returns the counters whose value is in %pic.
    #[inline(always)]
    pub(super) fn counting(&self) -> CounterSet {
        self.counting.counters()
    }

    /// Sets the counters whose value is in %pic.
    #[inline(always)]
    pub(super) fn set_counting(&self, counters: CounterSet) {
        self.counting.set(counters.bits());
    }

    /// Returns the kept value.
    #[inline(always)]
    pub(super) fn get(&self, half: Half) -> u64 {
        self.word(half).get()
    }

    /// Replaces the kept value.
    #[inline(always)]
    pub(super) fn set(&self, half: Half, value: u64) {
        self.word(half).set(value);
    }

    #[inline(always)]
    fn word(&self, half: Half) -> &Word {
        &self.values[usize::from(half.number() & 1)]
    }

    /// Keeps what the counters that counted have in %pic. None counts any more.
    #[inline(always)]
    pub(super) fn keep(&self, pic: u64) {
        for counter in self.counting() {
            let half = Half::of(counter);
            self.set(half, half.in_pic(pic));
        }
        self.set_counting(CounterSet::EMPTY);
    }

    /// Returns %pic with the values of these counters, and 0 in the other half.
    #[inline(always)]
    pub(super) fn pic_of(&self, counters: CounterSet) -> u64 {
        counters.into_iter().map(Half::of).fold(0, |pic, half| half.replaced(pic, self.get(half)))
    }
}
