//! What the unit held before it was claimed: the words in which that is kept.

use super::spr::COUNTERS;
use super::words::Words;
use crate::sync::Word;

/// Every register that the unit has but those of the last sample.
#[derive(Debug)]
pub(super) struct Before {
    controls: [Word; 5],
    counters: [Word; COUNTERS as usize],
}

impl Before {
    pub(super) const fn nothing() -> Self {
        Self { controls: [const { Word::new(0) }; 5], counters: [const { Word::new(0) }; COUNTERS as usize] }
    }

    pub(super) fn keep(&self, words: Words, counters: [u64; COUNTERS as usize]) {
        let values = [words.mmcr0, words.mmcr1, words.mmcr2, words.mmcr3, words.mmcra];
        self.controls.iter().zip(values).for_each(|(word, value)| word.set(value));
        self.counters.iter().zip(counters).for_each(|(word, value)| word.set(value));
    }

    pub(super) fn words(&self) -> Words {
        let [mmcr0, mmcr1, mmcr2, mmcr3, mmcra] = self.controls.each_ref().map(Word::get);
        Words { mmcr0, mmcr1, mmcr2, mmcr3, mmcra }
    }

    pub(super) fn counters(&self) -> [u64; COUNTERS as usize] {
        self.counters.each_ref().map(Word::get)
    }
}
