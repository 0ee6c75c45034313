//! Merges two tables of events at compile time, so that what related processors share is written once.

use super::NamedEvent;
use super::order::comes_before;
use crate::event::CounterSet;

/// Merges two tables that are sorted by name. `N` is the number of their events.
#[must_use]
pub const fn merged<const N: usize>(one: &[NamedEvent], other: &[NamedEvent]) -> [NamedEvent; N] {
    assert!(one.len() + other.len() == N, "the tables have another number of events");
    let mut all = [NamedEvent::new("", 0, CounterSet::EMPTY); N];
    let (mut first, mut second) = (0, 0);
    while first + second < N {
        let is_first =
            second == other.len() || first < one.len() && comes_before(&one[first].name, &other[second].name);
        all[first + second] = if is_first { one[first] } else { other[second] };
        if is_first {
            first += 1;
        } else {
            second += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::catalogue::compare;

    const fn named(name: &'static str) -> NamedEvent {
        NamedEvent::new(name, 1, CounterSet::EMPTY)
    }

    #[test]
    fn tables_are_merged_in_the_order_of_names() {
        const ONE: [NamedEvent; 3] = [named("A.B"), named("a_b"), named("Z")];
        const OTHER: [NamedEvent; 3] = [named("A"), named("a.c"), named("AB")];
        const ALL: [NamedEvent; 6] = merged(&ONE, &OTHER);
        assert_eq!(ALL.map(|event| event.name.to_string()), ["A", "A.B", "a.c", "a_b", "AB", "Z"]);
        assert!(ALL.is_sorted_by(|one, next| compare(&one.name.text(), &next.name.text()).is_lt()));
    }
}
