//! Placing: a placement is found exactly when there is one, and it is one.

use std::array;
use std::collections::BTreeSet;

use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Capabilities, EscrId, Share, View};
use pmu::driver::{Image, Plan, Slot, Steps};
use pmu::request::{Conflict, Contention};
use pmu::{CounterSet, Event, Request};

use crate::netburst::oracle::{EVENTS, is_possible};
use crate::netburst::{Bench, counter, of};
use crate::support::chance::Chance;

/// Branches retired that were mispredicted (mispred_branch_retired: NBOGUS).
const BRANCH_MISSES: Event = Event::raw(CounterGroup::Iq.code(0x03, 4, 1));
/// Cycles while not halted (global_power_events: RUNNING).
const CYCLES: Event = Event::raw(CounterGroup::Bpu.code(0x13, 6, 1));
/// Instructions retired, tagged or not (instr_retired: NBOGUSNTAG, NBOGUSTAG).
const INSTRUCTIONS: Event = Event::raw(CounterGroup::Iq.code(0x02, 4, 0b11));
/// Tagged micro-operations that retired (replay_event), without a mask.
const REPLAY: u64 = CounterGroup::Iq.code(0x09, 5, 0);

const VIEWS: [(View, Share); 6] = [
    (View::Bank, Share::Whole),
    (View::Bank, Share::Thread0),
    (View::Bank, Share::Thread1),
    (View::All, Share::Whole),
    (View::All, Share::Thread0),
    (View::All, Share::Thread1),
];

/// Places requests, or says why not. Requests that the view cannot count at all are no conflict.
fn place(bench: &Bench, wanted: &[usize]) -> Option<Result<Vec<Slot>, Conflict>> {
    let demands: Result<Vec<_>, _> = wanted.iter().map(|&event| bench.encode(EVENTS[event].event())).collect();
    let mut slots = vec![Slot::EMPTY; wanted.len()];
    let found = bench.driver.place(&bench.image.occupancy(), &demands.ok()?, Steps::OPEN, &mut slots);
    Some(found.map(|_| slots))
}

/// Each counter is used once and has the event, and no ESCR is wanted for two events.
fn check(wanted: &[usize], slots: &[Slot], (view, share): (View, Share)) {
    let mut taken = CounterSet::EMPTY;
    let mut escrs: Vec<(u32, usize)> = Vec::new();
    for (&event, slot) in wanted.iter().zip(slots) {
        assert!(!taken.contains(slot.counter), "{wanted:?}: {slots:?}");
        taken = taken.or(slot.counter.only());
        let half = (0..2).find(|&half| EVENTS[event].counters(half, view, share).contains(slot.counter));
        let escr = EVENTS[event].escrs[half.expect("a counter of the event")];
        assert!(escrs.iter().all(|&(used, by)| used != escr || by == event), "{wanted:?}: {slots:?}");
        escrs.push((escr, event));
    }
}

/// The placement of these requests is found exactly when there is one, in each view. Returns where there is.
fn agrees(benches: &[Bench; 6], wanted: &[usize]) -> [bool; 6] {
    array::from_fn(|at| {
        let (bench, seen) = (&benches[at], VIEWS[at]);
        let is_possible = is_possible(wanted, seen.0, seen.1);
        match place(bench, wanted) {
            Some(Ok(slots)) => {
                assert!(is_possible, "{wanted:?} in {seen:?}: {slots:?}");
                check(wanted, &slots, seen);
            }
            Some(Err(conflict)) => {
                assert!(!is_possible, "{wanted:?} in {seen:?}: {conflict}");
                assert_ne!(conflict.over, Contention::Effort, "{wanted:?} in {seen:?}");
            }
            None => assert!(!is_possible, "{wanted:?} in {seen:?} cannot be encoded"),
        }
        is_possible
    })
}

fn benches() -> [Bench; 6] {
    VIEWS.map(|(view, share)| Bench::new(of(view, share)))
}

/// Random events.
struct Random(Chance);

impl Random {
    /// The number of an event.
    fn event(&mut self) -> usize {
        self.0.below(EVENTS.len() as u64) as usize
    }

    fn any(&mut self, _: usize) -> usize {
        self.event()
    }

    /// An event of the part whose turn it is: eight have two of each, as many as the bank has counters.
    fn balanced(&mut self, turn: usize) -> usize {
        loop {
            let event = self.event();
            if EVENTS[event].part() == turn % 4 {
                return event;
            }
        }
    }
}

#[test]
fn every_event_is_placed_where_it_is_bound() {
    for (view, share) in VIEWS {
        let bench = Bench::new(of(view, share));
        for binding in &EVENTS {
            let able = binding.counters(0, view, share).or(binding.counters(1, view, share));
            let found = bench.encode(binding.event());
            let pinned = |pin: &pmu::CounterId| bench.encode(Request::new(binding.event()).pinned_to(*pin)).is_ok();
            assert_eq!(found.is_ok(), !able.is_empty(), "{:?}", binding.event());
            assert_eq!(CounterSet::ALL.into_iter().filter(pinned).collect::<CounterSet>(), able);
        }
    }
}

#[test]
fn every_pair_and_triple_is_placed_exactly_if_that_is_possible() {
    let benches = benches();
    for first in 0..EVENTS.len() {
        for second in first..EVENTS.len() {
            agrees(&benches, &[first, second]);
            for third in second..EVENTS.len() {
                agrees(&benches, &[first, second, third]);
            }
        }
    }
}

/// So many sets are drawn in each way.
const SETS: usize = 4_000;

/// Eight on one CPU that has the whole unit or one thread's half of it, and four on each of the two threads' CPUs.
#[test]
fn random_sets_of_eight_are_placed_exactly_if_that_is_possible() {
    let (benches, mut random) = (benches(), Random(Chance(0x2545_F491_4F6C_DD1D)));
    let (mut on_one, mut on_two) = ([0; VIEWS.len()], [0; 2]);
    for draw in [Random::any, Random::balanced] {
        for _ in 0..SETS {
            let wanted: [usize; 8] = array::from_fn(|at| draw(&mut random, at));
            let fits = agrees(&benches, &wanted);
            let [first, second] = [&wanted[..4], &wanted[4..]].map(|half| agrees(&benches, half));
            on_one.iter_mut().zip(fits).for_each(|(number, fits)| *number += usize::from(fits));
            on_two[0] += usize::from(first[1] && second[2]);
            on_two[1] += usize::from(first[4] && second[5]);
        }
    }
    let says_much = |possible: usize| (SETS / 10..2 * SETS - SETS / 10).contains(&possible);
    let [bank, never, nor, all @ ..] = on_one;
    assert_eq!([never, nor], [0; 2], "a thread has four counters of the bank");
    assert!(says_much(bank) && all.into_iter().all(says_much), "{on_one:?} say little");
    assert!(on_two.into_iter().all(says_much), "{on_two:?} say little");
}

/// What each thread's CPU places knows nothing of the other's.
#[test]
fn two_threads_placements_share_no_counter_and_no_escr() {
    let mut random = Random(Chance(0x9E37_79B9_7F4A_7C15));
    for view in [View::Bank, View::All] {
        let benches = [Share::Thread0, Share::Thread1].map(|share| Bench::new(of(view, share)));
        let mut both = 0;
        for length in (1..=4).cycle().take(4000) {
            let wanted = benches.each_ref().map(|_| (0..length).map(|_| random.event()).collect::<Vec<_>>());
            let [first, second] = [0, 1].map(|thread| match place(&benches[thread], &wanted[thread]) {
                Some(Ok(slots)) => Some(taken(&wanted[thread], &slots, &benches[thread])),
                _ => None,
            });
            if let (Some(first), Some(second)) = (first, second) {
                assert!(first.0.and(second.0).is_empty(), "{wanted:?} in {view:?}: {first:?} and {second:?}");
                assert!(first.1.is_disjoint(&second.1), "{wanted:?} in {view:?}: {first:?} and {second:?}");
                both += 1;
            }
        }
        assert!((400..3600).contains(&both), "{both} of 4000 say little in {view:?}");
    }
}

/// The counters of a placement, and the addresses of their ESCRs as the oracle has them.
fn taken(wanted: &[usize], slots: &[Slot], bench: &Bench) -> (CounterSet, BTreeSet<u32>) {
    let Capabilities { view, .. } = *bench.driver.capabilities();
    let escr = |event: usize, counter| {
        let half = (0..2).find(|&half| EVENTS[event].counters(half, view, Share::Whole).contains(counter));
        EVENTS[event].escrs[half.expect("a counter of the event")]
    };
    let counters = slots.iter().map(|slot| slot.counter).collect();
    (counters, wanted.iter().zip(slots).map(|(&event, slot)| escr(event, slot.counter)).collect())
}

/// Two counters of a half have their ESCR in common.
#[test]
fn two_counters_share_an_escr_only_for_the_same_event() {
    let bench = Bench::new(of(View::All, Share::Thread0));
    let same = bench.counters([INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS]).unwrap();
    assert!(same.iter().all(|number| [12, 13, 16].contains(number)), "{same:?}");

    let bench = Bench::new(of(View::All, Share::Thread0));
    let conflict = bench.counters([INSTRUCTIONS, BRANCH_MISSES]).unwrap_err();
    assert_eq!(conflict.over, Contention::Register("MSR_CRU_ESCR0"));
}

#[test]
fn a_pinned_request_shares_its_escr_with_the_others_for_the_same_event() {
    let bench = Bench::new(of(View::All, Share::Thread0));
    let cycles = Request::new(CYCLES);
    assert_eq!(bench.counters([cycles.pinned_to(counter(1)), cycles]), Ok([1, 0]));
}

/// torvalds/linux: the enable bit of counter 1's CCCR does not work properly.
#[test]
fn counter_1_is_used_last() {
    let bench = Bench::new(of(View::All, Share::Whole));
    let mut first = bench.counters([CYCLES; 3]).unwrap();
    first.sort_unstable();
    assert_eq!((first, bench.counters([CYCLES])), ([0, 2, 3], Ok([1])));
    let bench = Bench::new(of(View::All, Share::Whole));
    assert!(!bench.counters([Event::CACHE_MISSES, Event::CYCLES]).unwrap().contains(&1));
}

#[test]
fn what_is_in_use_keeps_its_escr() {
    let bench = Bench::new(of(View::All, Share::Thread1));
    bench.open([INSTRUCTIONS]).unwrap();
    let conflict = bench.counters([BRANCH_MISSES]).unwrap_err();
    assert_eq!(conflict.over, Contention::Register("MSR_CRU_ESCR1"));
    assert!(bench.counters([INSTRUCTIONS]).is_ok());
}

#[test]
fn the_modes_of_a_shared_escr_are_the_same_too() {
    let bench = Bench::new(of(View::All, Share::Thread0));
    let users = Request::new(CYCLES).modes(pmu::Modes::USER);
    assert!(bench.counters([users, users]).is_ok());
    let bench = Bench::new(of(View::All, Share::Thread0));
    assert!(bench.counters([users, Request::new(CYCLES)]).is_err());
}

#[test]
fn replay_events_share_what_is_tagged() {
    let bench = Bench::new(of(View::Bank, Share::Whole));
    let [first, second] = [0b101, 0b1001].map(|mask| Event::raw(REPLAY | mask << 16));
    let conflict = bench.counters([first, second]).unwrap_err();
    assert_eq!(conflict.over, Contention::Register("IA32_PEBS_ENABLE"));
    let slots = bench.open([first]).unwrap();
    assert!(bench.counters([second]).is_err() && bench.counters([first]).is_ok());
    assert_eq!(slots[0].counter, counter(17));
}

#[test]
fn the_numbers_of_a_counters_escrs_are_those_of_the_registers() {
    let slots = Bench::new(of(View::Bank, Share::Whole)).open([CYCLES, CYCLES]).unwrap();
    let escrs = slots.map(|slot| EscrId::of(slot.counter, 6).map(|escr| escr.msr().address()));
    assert_eq!(escrs, [Some(0x3A3), Some(0x3A2)]);
}
