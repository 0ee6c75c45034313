//! The effect of a threshold on an event, as far as the amount of work determines it.
//!
//! FEAT_PMUv3_TH compares in each cycle how often the event happens (V) with PMEVTYPERn_EL0.TH.
//! [`crate::virt::Work`] does not say in which cycle anything was done. Some comparisons have the same result
//! for every distribution over cycles. For the others the device says that it does not know.
//!
//! Source: DDI 0487, "`PMEVTYPER<n>_EL0`", fields TC, TE and TH; pseudocode PMUCountValue().

use crate::arch::aarch64::pmuv3::Select;

/// What a counter counts of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Left {
    /// Every event counts.
    All,
    /// Every cycle counts once.
    Cycles,
    /// Nothing counts.
    Nothing,
    /// It depends on how many events fall into each cycle.
    Untold,
}

/// The comparison of V with TH, by TC[2:1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    NotEqual,
    Equal,
    AtLeast,
    Less,
}

/// The threshold of a counter, from its PMEVTYPERn_EL0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Threshold {
    comparison: Comparison,
    /// A cycle in which the comparison is true counts once, and not as often as the event happens.
    counts_cycles: bool,
    /// Only cycles in which the result of the comparison changes count.
    edge: bool,
    value: u16,
}

impl Threshold {
    /// Returns the threshold of a selection, or `None` if it is disabled. The combination of TE with TC[1:0] = 0 is
    /// reserved; it disables the threshold, as the pseudocode's Constraint_DISABLED permits.
    pub(super) const fn of(select: Select) -> Option<Self> {
        let (control, value) = (select.comparison(), select.threshold());
        let edge = select.contains(Select::EDGE);
        let is_reserved = edge && control & 0b11 == 0;
        if is_reserved || control == 0 && value == 0 {
            return None;
        }
        let comparison = match control >> 1 {
            0b00 => Comparison::NotEqual,
            0b01 => Comparison::Equal,
            0b10 => Comparison::AtLeast,
            _ => Comparison::Less,
        };
        Some(Self { comparison, counts_cycles: control & 1 == 1, edge, value })
    }

    /// Applies it to an event that happens once in every cycle.
    pub(super) fn of_cycles(self) -> Left {
        if self.holds(1) && !self.edge { Left::All } else { Left::Nothing }
    }

    /// Applies it to an event that happens any number of times in a cycle.
    pub(super) fn of_events(self) -> Left {
        if self.edge {
            return Left::Untold;
        }
        match (self.comparison, self.value, self.counts_cycles) {
            (Comparison::NotEqual, 0, false) | (Comparison::AtLeast, 0 | 1, false) => Left::All,
            (Comparison::AtLeast, 0, true) => Left::Cycles,
            (Comparison::Equal, 0, false) | (Comparison::Less, 1, false) | (Comparison::Less, 0, _) => Left::Nothing,
            _ => Left::Untold,
        }
    }

    fn holds(self, happened: u16) -> bool {
        match self.comparison {
            Comparison::NotEqual => happened != self.value,
            Comparison::Equal => happened == self.value,
            Comparison::AtLeast => happened >= self.value,
            Comparison::Less => happened < self.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threshold(control: u64, edge: bool, value: u16) -> Option<Threshold> {
        let edge = if edge { Select::EDGE } else { Select::empty() };
        Threshold::of(edge.union(Select::from_bits_retain(control << 61)).with_threshold(value))
    }

    /// What the pseudocode adds up over cycles in which the event happens so often.
    fn sum(control: u64, value: u16, cycles: &[u16]) -> u64 {
        let holds = |happened: u16| match control >> 1 {
            0 => happened != value,
            1 => happened == value,
            2 => happened >= value,
            _ => happened < value,
        };
        let counted = |happened: u16| if control & 1 == 1 { 1 } else { u64::from(happened) };
        cycles.iter().map(|&happened| if holds(happened) { counted(happened) } else { 0 }).sum()
    }

    /// How many events fall into each of a few cycles: two ways to do the same.
    const SPREAD: [[u16; 4]; 2] = [[0, 1, 2, 3], [6, 0, 0, 0]];

    #[test]
    fn what_is_told_of_an_event_is_what_the_pseudocode_adds_up() {
        for (control, value) in (0..8).flat_map(|control| (0..5).map(move |value| (control, value))) {
            let Some(threshold) = threshold(control, false, value) else { continue };
            let told = match threshold.of_events() {
                Left::All => [6; 2],
                Left::Cycles => [4; 2],
                Left::Nothing => [0; 2],
                Left::Untold => continue,
            };
            assert_eq!(SPREAD.map(|cycles| sum(control, value, &cycles)), told, "{control:#b} {value}");
        }
    }

    #[test]
    fn what_is_not_told_depends_on_the_cycles() {
        for (control, value) in (0..8).flat_map(|control| (0..7).map(move |value| (control, value))) {
            let left = threshold(control, false, value).map_or(Left::All, Threshold::of_events);
            let cases =
                [[0, 0, 0, 6], [1, 1, 2, 2], [0, 1, 2, 3], [0, 0, 3, 3], [0, 0, 1, 5], [0, 0, 2, 4], [0, 1, 1, 4]];
            let sums = cases.map(|cycles| sum(control, value, &cycles));
            let is_same = sums.iter().all(|&each| each == sums[0]);
            assert!(left != Left::Untold || !is_same, "{control:#b} {value} always comes to {}", sums[0]);
        }
    }

    #[test]
    fn of_cycles_everything_is_told() {
        for (control, value) in (0..8).flat_map(|control| (0..5).map(move |value| (control, value))) {
            let Some(threshold) = threshold(control, false, value) else { continue };
            let told = if threshold.of_cycles() == Left::All { 4 } else { 0 };
            assert_eq!(sum(control, value, &[1; 4]), told, "{control:#b} {value}");
        }
    }

    #[test]
    fn a_reserved_edge_is_no_threshold() {
        assert_eq!([0b000, 0b100].map(|control| threshold(control, true, 3)), [None; 2]);
        assert!(threshold(0b001, true, 3).is_some());
    }
}
