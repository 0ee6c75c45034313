//! Statistics derived from several counts: ratios, hit rates, line reuse, bandwidths, MFLOPS.
//!
//! They are the statistics that perfex -y printed for an R10000. Their formulas hold for any processor with
//! two levels of cache. "Graduated" is the R10000's word for retired.

use core::fmt;

use super::Input;
use crate::contract::Plan;
use crate::event::Event;
use crate::stats::{Fixed, Rate};

/// The inputs that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    values: [Option<u64>; Input::ALL.len()],
}

impl Inputs {
    /// Creates inputs of which none is known.
    #[must_use]
    pub const fn none() -> Self {
        Self { values: [None; Input::ALL.len()] }
    }

    /// Creates the inputs that can be computed from events that were counted: `count` returns the count of one of the
    /// processor's own events, or `None` if it was not counted. The sizes of lines and the cycles spent on memory are
    /// left to [`Inputs::with`].
    #[must_use]
    pub fn counted<P: Plan>(driver: &P, mut count: impl FnMut(Event) -> Option<u64>) -> Self {
        let known = |inputs: Self, input: Input| match input.counted(driver, &mut count) {
            Some(value) => inputs.with(input, value),
            None => inputs,
        };
        Input::ALL.into_iter().fold(Self::none(), known)
    }

    /// Sets one input.
    #[must_use]
    pub const fn with(mut self, input: Input, value: u64) -> Self {
        self.values[input as usize] = Some(value);
        self
    }

    fn of(&self, input: Input) -> Result<u128, Missing> {
        self.values[input as usize].map(u128::from).ok_or(Missing::Input(input))
    }
}

/// Why a statistic has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Missing {
    /// This input was not counted.
    Input(Input),
    /// This input is 0, and the statistic divides by it.
    Zero(Input),
    /// The clock rate is not known.
    Rate,
    /// There are more misses than references, so the inputs do not belong together.
    Inconsistent,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(input) => write!(f, "{}: not counted", input.name()),
            Self::Zero(input) => write!(f, "{}: none occurred", input.name()),
            Self::Rate => f.write_str("the clock's rate is not known"),
            Self::Inconsistent => f.write_str("more misses than loads and stores"),
        }
    }
}

impl core::error::Error for Missing {}

/// The value of a statistic, or why it has none.
type Value = Result<Fixed, Missing>;

/// A statistic of perfex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Statistic {
    /// Instructions per cycle.
    InstructionsPerCycle,
    /// Floating-point instructions per cycle.
    FloatingPointPerCycle,
    /// Loads and stores per cycle.
    ReferencesPerCycle,
    /// Loads and stores per floating-point instruction.
    ReferencesPerFloatingPoint,
    /// Mispredicted branches per decoded branch.
    Misprediction,
    /// References to a line of the first level after the one that loaded it.
    L1LineReuse,
    /// References that miss the first level and hit the second, per miss of the second.
    L2LineReuse,
    /// The part of the references that hit the first level.
    L1HitRate,
    /// The part of the first level's misses that hit the second level.
    L2HitRate,
    /// The part of the time that is spent on memory accesses.
    MemoryTime,
    /// MB/s between the two levels.
    L1L2Bandwidth,
    /// MB/s between the second level and memory.
    MemoryBandwidth,
    /// Millions of floating-point instructions a second.
    Mflops,
}

/// The size of a quadword.
const QUADWORD_BYTES: u128 = 16;

impl Statistic {
    /// Every statistic, in the order in which they are printed.
    pub const ALL: [Self; 13] = [
        Self::InstructionsPerCycle,
        Self::FloatingPointPerCycle,
        Self::ReferencesPerCycle,
        Self::ReferencesPerFloatingPoint,
        Self::Misprediction,
        Self::L1LineReuse,
        Self::L2LineReuse,
        Self::L1HitRate,
        Self::L2HitRate,
        Self::MemoryTime,
        Self::L1L2Bandwidth,
        Self::MemoryBandwidth,
        Self::Mflops,
    ];

    /// Returns the statistic's name, as reports print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InstructionsPerCycle => "Graduated instructions/cycle",
            Self::FloatingPointPerCycle => "Graduated floating point instructions/cycle",
            Self::ReferencesPerCycle => "Graduated loads & stores/cycle",
            Self::ReferencesPerFloatingPoint => "Graduated loads & stores/floating point instruction",
            Self::Misprediction => "Mispredicted branches/Decoded branches",
            Self::L1LineReuse => "L1 Cache Line Reuse",
            Self::L2LineReuse => "L2 Cache Line Reuse",
            Self::L1HitRate => "L1 Data Cache Hit Rate",
            Self::L2HitRate => "L2 Data Cache Hit Rate",
            Self::MemoryTime => "Time accessing memory/Total time",
            Self::L1L2Bandwidth => "L1--L2 bandwidth used (MB/s, average per process)",
            Self::MemoryBandwidth => "Memory bandwidth used (MB/s, average per process)",
            Self::Mflops => "MFLOPS (average per process)",
        }
    }

    /// Computes the statistic; `clock` is the rate of the input cycles.
    ///
    /// # Errors
    /// The input that is missing.
    pub fn of(self, inputs: &Inputs, clock: Option<Rate>) -> Result<Fixed, Missing> {
        let value = |input| inputs.of(input);
        match self {
            Self::InstructionsPerCycle => ratio(inputs, value(Input::Instructions)?, Input::Cycles),
            Self::FloatingPointPerCycle => ratio(inputs, value(Input::FloatingPoint)?, Input::Cycles),
            Self::ReferencesPerCycle => ratio(inputs, references(inputs)?, Input::Cycles),
            Self::ReferencesPerFloatingPoint => ratio(inputs, references(inputs)?, Input::FloatingPoint),
            Self::Misprediction => ratio(inputs, value(Input::Mispredicted)?, Input::Branches),
            Self::L1LineReuse => reuse(inputs, references(inputs)?, Input::L1Misses),
            Self::L2LineReuse => reuse(inputs, value(Input::L1Misses)?, Input::L2Misses),
            Self::L1HitRate => hit_rate(references(inputs)?, value(Input::L1Misses)?, Input::Loads),
            Self::L2HitRate => hit_rate(value(Input::L1Misses)?, value(Input::L2Misses)?, Input::L1Misses),
            Self::MemoryTime => ratio(inputs, value(Input::MemoryCycles)?, Input::Cycles),
            Self::L1L2Bandwidth => bandwidth(inputs, (Input::L1Misses, Input::L1LineBytes, Input::L1WriteBacks), clock),
            Self::MemoryBandwidth => {
                bandwidth(inputs, (Input::L2Misses, Input::L2LineBytes, Input::L2WriteBacks), clock)
            }
            Self::Mflops => per_second(inputs, value(Input::FloatingPoint)?, clock),
        }
    }
}

fn references(inputs: &Inputs) -> Result<u128, Missing> {
    Ok(inputs.of(Input::Loads)? + inputs.of(Input::Stores)?)
}

fn ratio(inputs: &Inputs, above: u128, below: Input) -> Value {
    Fixed::ratio(above, inputs.of(below)?).ok_or(Missing::Zero(below))
}

/// (references - misses) / misses
fn reuse(inputs: &Inputs, references: u128, misses: Input) -> Value {
    let count = inputs.of(misses)?;
    let hits = references.checked_sub(count).ok_or(Missing::Inconsistent)?;
    Fixed::ratio(hits, count).ok_or(Missing::Zero(misses))
}

/// 1 - misses / references
fn hit_rate(references: u128, misses: u128, of: Input) -> Value {
    let hits = references.checked_sub(misses).ok_or(Missing::Inconsistent)?;
    Fixed::ratio(hits, references).ok_or(Missing::Zero(of))
}

/// Returns the lines loaded and the quadwords written back, in millions of bytes a second.
fn bandwidth(inputs: &Inputs, (misses, line, write_backs): (Input, Input, Input), clock: Option<Rate>) -> Value {
    let brought = inputs.of(misses)?.checked_mul(inputs.of(line)?).ok_or(Missing::Inconsistent)?;
    let written = inputs.of(write_backs)? * QUADWORD_BYTES;
    per_second(inputs, brought.saturating_add(written), clock)
}

/// Returns millions a second.
fn per_second(inputs: &Inputs, count: u128, clock: Option<Rate>) -> Value {
    let cycles = inputs.of(Input::Cycles)?;
    let clock = clock.ok_or(Missing::Rate)?;
    clock.millions_per_second(count, cycles).ok_or(Missing::Zero(Input::Cycles))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTED: Inputs = Inputs::none()
        .with(Input::Cycles, 2_000_000)
        .with(Input::Instructions, 1_000_000)
        .with(Input::FloatingPoint, 100_000)
        .with(Input::Loads, 300_000)
        .with(Input::Stores, 100_000)
        .with(Input::Branches, 50_000)
        .with(Input::Mispredicted, 1_000)
        .with(Input::L1Misses, 40_000)
        .with(Input::L2Misses, 4_000)
        .with(Input::L1WriteBacks, 10_000)
        .with(Input::L2WriteBacks, 2_000)
        .with(Input::L1LineBytes, 32)
        .with(Input::L2LineBytes, 128)
        .with(Input::MemoryCycles, 500_000);

    #[test]
    fn every_statistic_is_what_its_formula_says() {
        let clock = Rate::hertz(200_000_000);
        let values = Statistic::ALL.map(|statistic| format!("{:.3}", statistic.of(&COUNTED, clock).unwrap()));
        let wanted = [
            "0.500", "0.050", "0.200", "4.000", "0.020", "9.000", "9.000", "0.900", "0.900", "0.250", "144.000",
            "54.400", "10.000",
        ];
        assert_eq!(values, wanted);
    }

    #[test]
    fn a_statistic_says_which_input_is_missing() {
        let clock = Rate::hertz(1);
        let some = Inputs::none().with(Input::Instructions, 5).with(Input::Loads, 1);
        let missing = |statistic: Statistic| statistic.of(&some, clock).unwrap_err();
        assert_eq!(missing(Statistic::InstructionsPerCycle), Missing::Input(Input::Cycles));
        assert_eq!(missing(Statistic::ReferencesPerCycle), Missing::Input(Input::Stores));
        assert_eq!(Statistic::Mflops.of(&COUNTED, None), Err(Missing::Rate));
        assert_eq!(missing(Statistic::L1LineReuse).to_string(), "graduated stores: not counted");
    }

    #[test]
    fn a_division_by_zero_is_said_and_not_done() {
        let none = COUNTED.with(Input::L1Misses, 0).with(Input::Cycles, 0);
        assert_eq!(Statistic::L1LineReuse.of(&none, None), Err(Missing::Zero(Input::L1Misses)));
        assert_eq!(Statistic::InstructionsPerCycle.of(&none, None), Err(Missing::Zero(Input::Cycles)));
        assert_eq!(Statistic::Mflops.of(&none, Rate::hertz(1)), Err(Missing::Zero(Input::Cycles)));
    }

    #[test]
    fn more_misses_than_references_do_not_belong_together() {
        let wild = COUNTED.with(Input::L1Misses, 1_000_000);
        assert_eq!(Statistic::L1HitRate.of(&wild, None), Err(Missing::Inconsistent));
    }
}
