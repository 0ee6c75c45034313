//! How much of a stress is done: the word `effort=` of the command line.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use pmu::CounterId;

use crate::chance::Chance;
use crate::kernel::{Claimed, Kernel};

/// How many of an operation's instructions a test tries, and how long its random runs are.
///
/// Whatever is done by a lesser effort is also done by a greater one. Nothing depends on chance: the same boot does the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Effort {
    /// All that the processor tries on each counter, and long runs.
    Whole,
    /// All that it tries on one counter, a sample on the others, and short runs.
    Every,
    /// A sample on each counter, and short runs.
    Sample,
}

/// A sample has every so manieth of the instructions that the processor tries. It has no divisor in common with the steps of
/// those that share the instructions.
const STRIDE: usize = 13;
/// Fewer instructions than these are all tried.
const FEW: u64 = 100;
/// A short run is so many times shorter than a long one, but not shorter than this.
const SHORTER: u64 = 10;
const SHORTEST: u64 = 600;

static CHOSEN: AtomicU8 = AtomicU8::new(Effort::Whole as u8);

impl Effort {
    /// Returns the effort with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "whole" => Some(Self::Whole),
            "every" => Some(Self::Every),
            "sample" => Some(Self::Sample),
            _ => None,
        }
    }

    /// Makes this the effort of this boot.
    pub fn choose(self) {
        CHOSEN.store(self as u8, Relaxed);
    }

    /// Returns the effort of this boot.
    pub fn chosen() -> Self {
        [Self::Whole, Self::Every, Self::Sample][usize::from(CHOSEN.load(Relaxed)) % 3]
    }

    /// Returns the effort on this counter.
    pub fn on<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) -> Self {
        let unit = pmu.description();
        let is_first = [K::few(&unit), K::counters(&unit)].iter().any(|some| some.lowest() == Some(counter));
        match Self::chosen() {
            Self::Every if !is_first => Self::Sample,
            chosen => chosen,
        }
    }

    /// Returns the effort on what differs little from something else, on which this one is made.
    #[must_use]
    pub const fn elsewhere(self) -> Self {
        match self {
            Self::Whole => Self::Whole,
            Self::Every | Self::Sample => Self::Sample,
        }
    }

    /// Returns those instructions of an operation with so many that a test tries, of `tried`, which [`Kernel::tried`] returns.
    /// The first of a sample depends on the operation's length alone, so that operations that are not alike have others.
    pub fn of(self, tried: impl Iterator<Item = u64>, instructions: u64) -> impl Iterator<Item = u64> {
        let stride = self.stride(instructions);
        let first = Chance::new(instructions).below(stride as u64) as usize;
        tried.skip(first).step_by(stride)
    }

    /// Returns how many times fewer instructions are tried than by the whole effort, of so many.
    pub const fn stride(self, instructions: u64) -> usize {
        if matches!(self, Self::Sample) && instructions >= FEW { STRIDE } else { 1 }
    }

    /// Returns the length of a run in this boot, which by the whole effort is `whole`.
    pub fn length(whole: u64) -> u64 {
        Self::chosen().length_of(whole)
    }

    const fn length_of(self, whole: u64) -> u64 {
        match self {
            Self::Whole => whole,
            Self::Every | Self::Sample if whole <= SHORTEST => whole,
            Self::Every | Self::Sample if whole / SHORTER <= SHORTEST => SHORTEST,
            Self::Every | Self::Sample => whole / SHORTER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_a_part_of_many_instructions_and_all_of_few() {
        let tried = |effort: Effort, instructions| effort.of(1..=instructions, instructions).count();
        assert_eq!([99, 1300].map(|instructions| tried(Effort::Sample, instructions)), [99, 100]);
        assert_eq!([Effort::Every, Effort::Whole].map(|effort| tried(effort, 1300)), [1300; 2]);
        let [some, others] = [1300, 1301].map(|length| Effort::Sample.of(1..=length, length).next());
        assert_ne!(some, others, "another length has another sample");
    }

    #[test]
    fn a_run_is_long_by_the_whole_effort_alone_and_never_too_short() {
        let lengths = |effort: Effort| [100, 4_000, 100_000].map(|whole| effort.length_of(whole));
        assert_eq!(lengths(Effort::Whole), [100, 4_000, 100_000]);
        assert_eq!([Effort::Every, Effort::Sample].map(lengths), [[100, 600, 10_000]; 2]);
    }
}
