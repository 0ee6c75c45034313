//! The time that one occurrence of an event costs.

/// The unit of a [`Cost`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CostUnit {
    /// Cycles of the core's clock.
    Clocks,
    /// Nanoseconds.
    Nanoseconds,
}

/// The cost of one occurrence of an event, in thousandths of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// The typical cost.
    pub typical: u64,
    /// The least cost.
    pub minimum: u64,
    /// The greatest cost.
    pub maximum: u64,
    /// The unit.
    pub unit: CostUnit,
}

impl Cost {
    /// The cost of a cycle of the core's clock.
    pub const CLOCK: Self = Self::always(1000, CostUnit::Clocks);

    /// Creates a cost whose typical, least and greatest values are the same.
    #[must_use]
    pub const fn always(thousandths: u64, unit: CostUnit) -> Self {
        Self { typical: thousandths, minimum: thousandths, maximum: thousandths, unit }
    }
}
