//! Placing requests of which some take a pair of counters.
//!
//! A unit has at most three pairs, so every choice of as many as are asked for is tried, which are three at most. With the
//! choice made the rest is a matching: who takes a pair gets a first counter of one, and the others get counters of none.

use super::encode::takes_pair;
use super::events::first_of_pairs;
use crate::arch::x86::{Block, Demand};
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;

/// So many requests are more than any unit can place.
const TOO_MANY: usize = Block::Core.counters() as usize + 1;

/// Fits `new` on counters that are `free`.
///
/// # Errors
/// The fewest requests that cannot be together; [`Contention::Effort`] if the steps do not suffice for one choice.
#[cold]
#[inline(never)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    fit(free, new, steps.search(), out).map_err(|conflict| match conflict.over {
        Contention::Counters(_) if steps.explain() > 0 => explain(free, new, steps.explain()),
        _ => conflict,
    })?;
    for (demand, slot) in new.iter().zip(out) {
        let second = CounterId::new(slot.counter.number() + 1).filter(|_| takes_pair(demand));
        (slot.partner, slot.bits) = (second, demand.word);
    }
    Ok(())
}

/// The most choices of pairs: of one of three, or of two.
const CHOICES: u32 = 3;

/// Finds a counter for each slot, with the first choice of pairs that lets all have one. Each choice has an equal share of
/// the steps, of which it takes one for each request at least.
fn fit(free: CounterSet, new: &[Demand], steps: u32, out: &mut [Slot]) -> Result<(), Conflict> {
    if new.len() >= TOO_MANY {
        return Err(Conflict::new(Requests::TOO_MANY, Contention::Counters(free)));
    }
    let all = first_of_pairs(free).bits();
    let pairs = new.iter().filter(|demand| takes_pair(demand)).count();
    let share = (steps / CHOICES).saturating_sub(new.len() as u32);
    let everybody = Requests::from_bits((1 << new.len()) - 1);
    let mut fitted = Err(Conflict::new(everybody, Contention::Counters(free)));
    let choices = core::iter::successors(Some(all), |&chosen| (chosen != 0).then(|| (chosen - 1) & all));
    for chosen in choices.filter(|chosen| chosen.count_ones() as usize == pairs) {
        fitted = fit_with(CounterSet::from_bits(chosen), free, new, Steps::new(share, 0), out);
        if !matches!(fitted, Err(conflict) if conflict.over != Contention::Effort) {
            break;
        }
    }
    fitted
}

/// The same with pairs that begin with these counters, and no others.
fn fit_with(
    chosen: CounterSet,
    free: CounterSet,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<(), Conflict> {
    let single = CounterSet::from_bits(free.bits() & !(chosen.bits() | chosen.bits() << 1));
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.and(if takes_pair(demand) { chosen } else { single }).bits();
    }
    placement::match_masks(free, steps, out)
}

/// Names requests that cannot be together, though the others would fit if any one of them were left out; more of them if the
/// steps do not suffice.
fn explain(free: CounterSet, new: &[Demand], steps: u32) -> Conflict {
    let mut stuck = CounterSet::first(new.len().min(TOO_MANY) as u8);
    for request in stuck {
        let others = stuck.without(request.only());
        let (mut demands, mut slots, mut count) = ([Demand::default(); TOO_MANY], [Slot::EMPTY; TOO_MANY], 0);
        for (demand, kept) in others.into_iter().filter_map(|other| new.get(other.index())).zip(&mut demands) {
            (*kept, count) = (*demand, count + 1);
        }
        match fit(free, &demands[..count], steps / TOO_MANY as u32, &mut slots[..count]) {
            Err(conflict) if conflict.over == Contention::Effort => break,
            Err(_) => stuck = others,
            Ok(()) => {}
        }
    }
    let usable = |demand: &Demand| demand.counters.and(if takes_pair(demand) { first_of_pairs(free) } else { free });
    let demands = stuck.into_iter().filter_map(|request| new.get(request.index()));
    let over = demands.fold(CounterSet::EMPTY, |set, demand| set.or(usable(demand)));
    Conflict::new(Requests::from_bits(stuck.bits()), Contention::Counters(over))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86::amd::encode::PAIR;

    fn demand(counters: u64, takes: u64) -> Demand {
        Demand { counters: CounterSet::from_bits(counters), word: takes, auxiliary: 0 }
    }

    /// Requests of every sort on six counters: for some of them, for one of them, for a pair.
    fn sorts() -> [Demand; 7] {
        let pairs = [demand(0b01_0101, PAIR), demand(0b00_0001, PAIR), demand(0b01_0100, PAIR)];
        let [all, first, last] = pairs;
        [all, first, last, demand(0b11_1111, 0), demand(0b00_0111, 0), demand(0b10_0000, 0), demand(0b00_1000, 0)]
    }

    /// Tries every counter for every request.
    fn can_be_placed(free: u64, new: &[Demand]) -> bool {
        let Some((demand, rest)) = new.split_first() else { return true };
        demand.counters.into_iter().any(|counter| {
            let takes = if takes_pair(demand) { 0b11 } else { 0b1 } << counter.number();
            takes & !free == 0 && can_be_placed(free & !takes, rest)
        })
    }

    fn check(free: u64, new: &[Demand]) {
        let mut slots = vec![Slot::EMPTY; new.len()];
        match place(CounterSet::from_bits(free), new, Steps::OPEN, &mut slots) {
            Ok(()) => check_slots(free, new, &slots),
            Err(conflict) => {
                let stuck: Vec<_> = (0..new.len()).filter(|&n| conflict.requests.bits() >> n & 1 != 0).collect();
                let without = |left_out: Option<usize>| {
                    let kept = stuck.iter().filter(|&&n| Some(n) != left_out);
                    can_be_placed(free, &kept.map(|&n| new[n]).collect::<Vec<_>>())
                };
                assert!(!without(None), "{free:b} {new:?}: {conflict}");
                assert!(stuck.iter().all(|&n| without(Some(n))), "{free:b} {new:?}: {conflict}");
            }
        }
    }

    fn check_slots(mut free: u64, new: &[Demand], slots: &[Slot]) {
        for (demand, slot) in new.iter().zip(slots) {
            let second = CounterId::new(slot.counter.number() + 1).filter(|_| takes_pair(demand));
            assert!(demand.counters.contains(slot.counter) && slot.partner == second, "{new:?}: {slots:?}");
            assert_eq!(slot.occupies().bits() & !free, 0, "{new:?}: {slots:?}");
            free &= !slot.occupies().bits();
        }
    }

    #[test]
    fn requests_are_placed_if_they_can_be_and_a_conflict_names_no_more_than_it_takes() {
        for free in [0b11_1111, 0b01_1111, 0b11_0111, 0b10_1111, 0b00_1111] {
            for number in 0..7_usize.pow(4) {
                let new: Vec<_> = (0..4).map(|digit| sorts()[number / 7_usize.pow(digit) % 7]).collect();
                (1..=4).for_each(|length| check(free, &new[..length]));
            }
        }
    }

    #[test]
    fn many_requests_are_refused_by_the_first_that_are_too_many() {
        let conflict = place(CounterSet::first(6), &[sorts()[0]; 64], Steps::OPEN, &mut [Slot::EMPTY; 64]).unwrap_err();
        assert_eq!(conflict.requests.bits().count_ones(), 4);
    }
}
