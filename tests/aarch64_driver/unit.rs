//! Starting, stopping, presetting, overflowing, and giving back what was there.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Control, Facts};
use pmu::{Backend, CounterId, CounterSet, Event, Image as _, Late, Registers, Remaining, Request};

use crate::{Bench, LONG, NEWEST, PLAIN, counter};

/// Every counter of a unit, each open.
fn all_open(bench: &Bench) -> CounterSet {
    let own = bench.driver.share().counters(bench.driver.facts());
    for id in own {
        let event = if id.number() == 31 { Event::CYCLES } else { Event::INSTRUCTIONS };
        bench.open([Request::from(event).pinned_to(id)]).unwrap();
    }
    bench.driver.save(&bench.image);
    own
}

#[test]
fn each_counter_overflows_on_the_nth_event() {
    for facts in [PLAIN, LONG, NEWEST] {
        let bench = Bench::new(facts);
        for id in all_open(&bench) {
            for n in [1, 2, 3, 1000, 1 << 31] {
                bench.start(id.only(), n);
                bench.file().count(id, n - 1);
                assert_eq!(bench.driver.overflowed(&bench.image, id.only()), CounterSet::EMPTY, "{id} {n}");
                bench.file().count(id, 1);
                assert_eq!(bench.driver.overflowed(&bench.image, id.only()), id.only(), "{id} {n}");
                bench.driver.acknowledge(&bench.image, id.only());
                assert_eq!(bench.driver.overflowed(&bench.image, id.only()), CounterSet::EMPTY, "{id} {n}");
            }
        }
    }
}

#[test]
fn the_longest_wait_is_as_long_as_promised() {
    for (facts, longest_event) in [(PLAIN, 1 << 31), (LONG, 1 << 63)] {
        let bench = Bench::new(facts);
        for id in all_open(&bench) {
            let longest = bench.driver.longest(&bench.image, id);
            assert_eq!(longest.count(), if id.number() == 31 { 1 << 63 } else { longest_event });
            bench.driver.preset(&bench.image, id, longest);
            let width = bench.driver.width(&bench.image, id);
            assert_eq!(width.delta(bench.read(id), 0), longest.count());
        }
    }
}

#[test]
fn exactly_the_counters_that_shall_run_count() {
    let bench = Bench::new(NEWEST);
    let all = all_open(&bench);
    for running in [CounterSet::EMPTY, counter(3).only(), CounterSet::from_bits(1 << 32 | 0b101), all] {
        bench.driver.run(&bench.image, running);
        assert_eq!(bench.file().get(SystemRegister::ENABLE_SET), running.bits());
    }
}

#[test]
fn a_pair_counts_and_overflows_as_one_counter_of_64_bits() {
    let bench = Bench::new(PLAIN);
    let [slot] = bench.open([Request::new(Event::BRANCHES).every(1 << 40)]).unwrap();
    let (pair, lower) = (slot.counter, slot.partner.unwrap());
    assert_eq!(bench.driver.width(&bench.image, pair).bits(), 64);
    bench.start(pair.only(), 1 << 33);
    assert_eq!(bench.file().get(SystemRegister::ENABLE_SET), slot.occupies().bits());
    let wrap_lower = || {
        bench.file().count(lower, (1 << 32) - 1);
        bench.file().count(lower, 1);
    };
    wrap_lower();
    assert_eq!(bench.read(pair), (1_u64 << 32).wrapping_neg());
    assert_eq!(bench.driver.overflowed(&bench.image, pair.only()), CounterSet::EMPTY, "the lower half has wrapped");
    wrap_lower();
    assert_eq!((bench.read(pair), bench.driver.overflowed(&bench.image, pair.only())), (0, pair.only()));
    bench.driver.acknowledge(&bench.image, pair.only());
    assert_eq!(bench.driver.overflowed(&bench.image, pair.only()), CounterSet::EMPTY);
}

/// The lower half wraps every 2^32 events, and would interrupt for nothing.
#[test]
fn a_pair_interrupts_by_its_upper_half_alone() {
    let bench = Bench::new(PLAIN);
    let [single] = bench.open([Request::new(Event::BRANCHES).pinned_to(counter(0))]).unwrap();
    bench.driver.release(&bench.image, single.occupies());
    let [slot] = bench.open([Request::new(Event::BRANCHES).every(1 << 40)]).unwrap();
    let interrupting = bench.file().get(SystemRegister::INTERRUPT_SET);
    assert_eq!((slot.counter, interrupting), (counter(1), counter(1).only().bits()));
}

/// It has overflowed as half of a pair, and would be taken for a period that has ended.
#[test]
fn the_lower_half_of_a_released_pair_has_not_overflowed() {
    let bench = Bench::new(PLAIN);
    let [pair] = bench.open([Request::new(Event::BRANCHES).every(1 << 40)]).unwrap();
    let lower = pair.partner.unwrap();
    bench.start(pair.counter.only(), 1 << 40);
    bench.file().count(lower, u64::from(u32::MAX));
    bench.file().count(lower, 1);
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    bench.driver.release(&bench.image, pair.counter.only());
    assert_eq!(bench.image.occupied(), CounterSet::EMPTY);
    let [single] = bench.open([Request::new(Event::BRANCHES).pinned_to(lower)]).unwrap();
    assert_eq!(bench.driver.overflowed(&bench.image, single.counter.only()), CounterSet::EMPTY);
}

#[test]
fn a_released_counter_interrupts_no_more() {
    let bench = Bench::new(PLAIN);
    let slots = bench.open([Request::new(Event::BRANCHES), Request::new(Event::BRANCHES).every(1 << 40)]).unwrap();
    bench.driver.release(&bench.image, slots[0].occupies());
    bench.driver.release(&bench.image, slots[1].occupies());
    assert_eq!((bench.file().get(SystemRegister::INTERRUPT_SET), bench.image.occupied()), (0, CounterSet::EMPTY));
    assert_eq!(bench.driver.width(&bench.image, slots[1].counter).bits(), 32, "it is a pair no more");
}

#[test]
fn only_what_was_serviced_is_acknowledged() {
    let bench = Bench::new(PLAIN);
    let slots = bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let both = slots[0].counter.only().or(slots[1].counter.only());
    bench.start(both, 5);
    for id in both {
        bench.file().count(id, 5);
    }
    assert_eq!(bench.driver.overflowed(&bench.image, both), both);
    bench.driver.acknowledge(&bench.image, slots[0].counter.only());
    assert_eq!(bench.driver.overflowed(&bench.image, both), slots[1].counter.only());
}

#[test]
fn an_overflow_of_nobodys_counter_is_not_reported() {
    let bench = Bench::new(PLAIN);
    bench.file().set(SystemRegister::OVERFLOW_SET, 0x8000_003F);
    assert_eq!(bench.driver.overflowed(&bench.image, counter(2).only()), counter(2).only());
    assert_eq!(bench.driver.overflowed(&bench.image, CounterSet::EMPTY), CounterSet::EMPTY);
}

#[test]
fn the_request_is_a_level_of_which_one_may_be_on_its_way() {
    assert!(matches!(Bench::new(PLAIN).driver.late(), Late::One { within } if within > 0));
}

/// Every register of a unit, each with a value of its own that it can hold.
fn fill(bench: &Bench, facts: &Facts) {
    let file = bench.file();
    for id in facts.counters() {
        file.set(SystemRegister::any_counter(id), 0x1000 + u64::from(id.number()));
        file.set(SystemRegister::any_select(id), 0x4000_0000 + u64::from(id.number()));
    }
    let counters = facts.counters().bits();
    file.set(SystemRegister::ENABLE_SET, counters & 0b1001);
    file.set(SystemRegister::INTERRUPT_SET, counters & 0b1011);
    file.set(SystemRegister::OVERFLOW_SET, counters & 0b0110);
    file.set(SystemRegister::USER_ENABLE, 0b1101);
    file.set(SystemRegister::CONTROL, (Control::ENABLE | Control::EXPORT).bits());
    if facts.has_user_access() {
        file.set(SystemRegister::USER_ACCESS, 0b11);
    }
}

fn snapshot(bench: &Bench) -> Vec<u64> {
    let counters = bench.driver.facts().counters().into_iter();
    let each = counters.flat_map(|id: CounterId| [SystemRegister::any_counter(id), SystemRegister::any_select(id)]);
    let whole = [
        SystemRegister::ENABLE_SET,
        SystemRegister::INTERRUPT_SET,
        SystemRegister::OVERFLOW_SET,
        SystemRegister::USER_ENABLE,
        SystemRegister::USER_ACCESS,
        SystemRegister::CONTROL,
    ];
    each.chain(whole).map(|at| bench.file().get(at)).collect()
}

#[test]
fn a_restored_unit_holds_what_it_held_before() {
    for facts in [PLAIN, LONG, NEWEST] {
        let bench = Bench::new(facts);
        fill(&bench, &facts);
        let before = snapshot(&bench);
        bench.driver.save(&bench.image);
        assert_ne!(snapshot(&bench), before);
        for id in all_open(&Bench::new(facts)) {
            bench.driver.preset(&bench.image, id, Remaining::events(7));
        }
        bench.driver.run(&bench.image, counter(2).only());
        bench.driver.restore(&bench.image);
        assert_eq!(snapshot(&bench), before, "{facts:?}");
    }
}

#[test]
fn a_claimed_unit_rests_and_has_forgotten_its_overflows() {
    let bench = Bench::new(NEWEST);
    fill(&bench, &NEWEST);
    bench.driver.save(&bench.image);
    let at = [SystemRegister::ENABLE_SET, SystemRegister::INTERRUPT_SET, SystemRegister::OVERFLOW_SET];
    assert_eq!(at.map(|at| bench.file().get(at)), [0; 3]);
}

/// After a reset PMUSERENR_EL0 may hold anything.
#[test]
fn a_claimed_unit_is_closed_to_user_programs() {
    let bench = Bench::new(PLAIN);
    fill(&bench, &PLAIN);
    bench.driver.save(&bench.image);
    assert_eq!(bench.file().read(SystemRegister::USER_ENABLE), 0);
}
