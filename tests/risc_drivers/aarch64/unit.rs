//! Starting, stopping, presetting, overflowing, and restoring the saved state.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{self, Capabilities};
use pmu::driver::{Control, Counters, Late, Plan, Registers, Remaining, Slot};
use pmu::{CounterId, CounterSet, Event, Request};

use crate::aarch64::{Bench, counter, newest, of_64_bits, plain};

/// It takes a pair where counters have 32 bits.
const LONG_PERIOD: Request = Request::new(Event::BRANCHES).every(1 << 40);

/// Takes the unit over and opens every counter.
fn all_open(bench: &Bench) -> CounterSet {
    bench.claim();
    open_all(bench).into_iter().map(|slot| slot.counter).collect()
}

/// Opens every counter.
fn open_all(bench: &Bench) -> Vec<Slot> {
    let event = |id: CounterId| if id.number() == 31 { Event::CYCLES } else { Event::INSTRUCTIONS };
    let open = |id| bench.open([Request::from(event(id)).pinned_to(id)]).unwrap()[0];
    bench.driver.share().counters(bench.driver.capabilities()).into_iter().map(open).collect()
}

#[test]
fn each_counter_overflows_on_the_nth_event() {
    for capabilities in [plain(), of_64_bits(), newest()] {
        let bench = Bench::new(capabilities);
        for id in all_open(&bench) {
            for n in [1, 2, 3, 1000, 1 << 31] {
                bench.start(id.only(), n);
                bench.file().count(id, n - 1);
                assert_eq!(bench.overflowed(id.only()), CounterSet::EMPTY, "{id} {n}");
                bench.file().count(id, 1);
                assert_eq!(bench.overflowed(id.only()), id.only(), "{id} {n}");
                bench.driver.acknowledge(&bench.image, id.only());
                assert_eq!(bench.overflowed(id.only()), CounterSet::EMPTY, "{id} {n}");
            }
        }
    }
}

#[test]
fn the_longest_wait_is_as_long_as_promised() {
    for (capabilities, longest_event) in [(plain(), 1 << 31), (of_64_bits(), 1 << 63)] {
        let bench = Bench::new(capabilities);
        bench.claim();
        for slot in open_all(&bench) {
            let counter = bench.driver.counter(&slot);
            let longest = if slot.counter.number() == 31 { 1 << 63 } else { longest_event };
            assert_eq!(counter.longest.count(), longest);
            assert_eq!(bench.driver.preset(&bench.image, slot.counter, counter.longest), counter.longest);
            assert_eq!(counter.width.delta(bench.read(&slot), 0), longest);
        }
    }
}

#[test]
fn a_counter_that_cannot_wait_so_long_says_for_how_long_it_does() {
    let bench = Bench::new(plain());
    let [single, pair] = bench.open([Request::new(Event::BRANCHES), LONG_PERIOD]).unwrap();
    for (slot, longest) in [(single, 1 << 31), (pair, 1 << 63)] {
        let preset = |events| bench.driver.preset(&bench.image, slot.counter, Remaining::events(events)).count();
        assert_eq!([1, longest, longest + 1, u64::MAX].map(preset), [1, longest, longest, longest]);
        assert_eq!(bench.driver.counter(&slot).width.delta(bench.read(&slot), 0), longest);
    }
}

#[test]
fn an_overflow_is_found_with_the_events_past_it() {
    let bench = Bench::new(plain());
    let [cycles, pair] = bench.open([Request::new(Event::CYCLES), LONG_PERIOD]).unwrap();
    for (slot, counts) in [(cycles, cycles.counter), (pair, pair.partner.unwrap())] {
        for past in [0, 1, 1000] {
            bench.start(slot.counter.only(), 7);
            bench.file().count(counts, 7);
            bench.file().count(counts, past);
            let mut found = Vec::new();
            bench.driver.overflowed(&bench.image, slot.occupies(), |id, past| found.push((id, past)));
            assert_eq!(found, [(slot.counter, past.cast_signed())]);
            bench.driver.acknowledge(&bench.image, slot.occupies());
        }
    }
}

/// The request is a level. A thread has preset the counter, and the handler came before the acknowledgement.
#[test]
fn a_status_whose_counter_was_preset_is_no_overflow_and_does_not_stay() {
    let bench = Bench::new(plain());
    let slots = bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let [first, second] = slots.map(|slot| slot.counter.only());
    bench.start(first.or(second), 5);
    bench.file().set(SystemRegister::OVERFLOW_SET, first.or(second).bits());
    assert_eq!(bench.overflowed(first), CounterSet::EMPTY);
    assert_eq!(bench.file().get(SystemRegister::OVERFLOW_SET), second.bits());
}

#[test]
fn exactly_the_counters_that_shall_run_count() {
    let bench = Bench::new(newest());
    let all = all_open(&bench);
    for running in [CounterSet::EMPTY, counter(3).only(), CounterSet::from_bits(1 << 32 | 0b101), all] {
        bench.driver.run(&bench.image, running);
        assert_eq!(bench.file().get(SystemRegister::ENABLE_SET), running.bits());
    }
}

#[test]
fn a_pair_counts_and_overflows_as_one_counter_of_64_bits() {
    let bench = Bench::new(plain());
    let [slot] = bench.open([LONG_PERIOD]).unwrap();
    let (pair, lower) = (slot.counter, slot.partner.unwrap());
    assert_eq!(bench.driver.counter(&slot).width.bits(), 64);
    bench.start(pair.only(), 1 << 33);
    assert_eq!(bench.file().get(SystemRegister::ENABLE_SET), slot.occupies().bits());
    let wrap_lower = || {
        bench.file().count(lower, (1 << 32) - 1);
        bench.file().count(lower, 1);
    };
    wrap_lower();
    assert_eq!(bench.read(&slot), (1_u64 << 32).wrapping_neg());
    assert_eq!(bench.overflowed(pair.only()), CounterSet::EMPTY, "the lower half has wrapped");
    wrap_lower();
    assert_eq!((bench.read(&slot), bench.overflowed(pair.only())), (0, pair.only()));
    bench.driver.acknowledge(&bench.image, pair.only());
    assert_eq!(bench.overflowed(pair.only()), CounterSet::EMPTY);
}

/// The lower half wraps every 2^32 events, and would interrupt for nothing.
#[test]
fn a_pair_interrupts_by_its_upper_half_alone() {
    let bench = Bench::new(plain());
    bench.claim();
    let [slot] = bench.open([LONG_PERIOD]).unwrap();
    let others = plain().counters().without(counter(0).only());
    assert_eq!((slot.counter, bench.file().get(SystemRegister::INTERRUPT_SET)), (counter(1), others.bits()));
}

/// It has overflowed as half of a pair, and would be taken for a period that has ended.
#[test]
fn the_lower_half_of_a_released_pair_has_not_overflowed() {
    let bench = Bench::new(plain());
    let [pair] = bench.open([LONG_PERIOD]).unwrap();
    let lower = pair.partner.unwrap();
    bench.start(pair.counter.only(), 1 << 40);
    bench.file().count(lower, u64::from(u32::MAX));
    bench.file().count(lower, 1);
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    bench.driver.release(&bench.image, pair.counter.only());
    assert_eq!(bench.occupied(), CounterSet::EMPTY);
    let [single] = bench.open([Request::new(Event::BRANCHES).pinned_to(lower)]).unwrap();
    assert_eq!(bench.overflowed(single.counter.only()), CounterSet::EMPTY);
}

#[test]
fn a_released_pair_is_two_counters_again() {
    let bench = Bench::new(plain());
    bench.claim();
    let slots = bench.open([Request::new(Event::BRANCHES), LONG_PERIOD]).unwrap();
    bench.driver.release(&bench.image, slots[0].occupies());
    bench.driver.release(&bench.image, slots[1].occupies());
    let interrupting = bench.file().get(SystemRegister::INTERRUPT_SET);
    assert_eq!((interrupting, bench.occupied()), (plain().counters().bits(), CounterSet::EMPTY));
    bench.driver.run(&bench.image, slots[1].counter.only());
    assert_eq!(bench.file().get(SystemRegister::ENABLE_SET), slots[1].counter.only().bits());
}

/// What a released counter selects stays: it does not run.
#[test]
fn a_counter_that_counts_the_same_again_is_not_written() {
    let bench = Bench::new(plain());
    bench.claim();
    let select = SystemRegister::any_select(counter(2));
    let opened = |event| {
        let [slot] = bench.open([Request::new(event).pinned_to(counter(2))]).unwrap();
        let selected = bench.file().get(select);
        bench.file().set(select, 0xBAD);
        bench.driver.release(&bench.image, slot.occupies());
        selected
    };
    let events = [Event::BRANCHES, Event::BRANCHES, Event::INSTRUCTIONS];
    assert_eq!(events.map(opened), [0x21, 0xBAD, 0x08]);
}

#[test]
fn only_what_was_serviced_is_acknowledged() {
    let bench = Bench::new(plain());
    let slots = bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let both = slots[0].counter.only().or(slots[1].counter.only());
    bench.start(both, 5);
    for id in both {
        bench.file().count(id, 5);
    }
    assert_eq!(bench.overflowed(both), both);
    bench.driver.acknowledge(&bench.image, slots[0].counter.only());
    assert_eq!(bench.overflowed(both), slots[1].counter.only());
}

#[test]
fn an_overflow_of_nobodys_counter_is_not_reported() {
    let bench = Bench::new(plain());
    bench.file().set(SystemRegister::OVERFLOW_SET, 0x8000_003F);
    assert_eq!(bench.overflowed(counter(2).only()), counter(2).only());
    assert_eq!(bench.overflowed(CounterSet::EMPTY), CounterSet::EMPTY);
}

#[test]
fn the_request_is_a_level_of_which_one_may_be_on_its_way() {
    assert!(matches!(Bench::new(plain()).driver.late(), Late::One { within } if within > 0));
}

/// Every register of a unit, each with a value of its own that it can hold.
fn fill(bench: &Bench, capabilities: &Capabilities) {
    let file = bench.file();
    for id in capabilities.counters() {
        file.set(SystemRegister::any_counter(id), 0x1000 + u64::from(id.number()));
        file.set(SystemRegister::any_select(id), 0x4000_0000 + u64::from(id.number()));
    }
    let counters = capabilities.counters().bits();
    file.set(SystemRegister::ENABLE_SET, counters & 0b1001);
    file.set(SystemRegister::INTERRUPT_SET, counters & 0b1011);
    file.set(SystemRegister::OVERFLOW_SET, counters & 0b0110);
    file.set(SystemRegister::USER_ENABLE, 0b1101);
    file.set(SystemRegister::CONTROL, (pmuv3::Pmcr::ENABLE | pmuv3::Pmcr::EXPORT).bits());
    if capabilities.has_user_access() {
        file.set(SystemRegister::USER_ACCESS, 0b11);
    }
}

fn snapshot(bench: &Bench) -> Vec<u64> {
    let counters = bench.driver.capabilities().counters().into_iter();
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
    for capabilities in [plain(), of_64_bits(), newest()] {
        let bench = Bench::new(capabilities);
        fill(&bench, &capabilities);
        let before = snapshot(&bench);
        let saved = bench.claim();
        assert_ne!(snapshot(&bench), before);
        for slot in open_all(&bench) {
            bench.driver.preset(&bench.image, slot.counter, Remaining::events(7));
        }
        bench.driver.lend(&bench.image, counter(2).only());
        bench.driver.run(&bench.image, counter(2).only());
        bench.driver.restore(&saved);
        assert_eq!(snapshot(&bench), before, "{capabilities:?}");
    }
}

#[test]
fn a_claimed_unit_rests_and_has_forgotten_its_overflows() {
    let bench = Bench::new(newest());
    fill(&bench, &newest());
    bench.claim();
    let at = [SystemRegister::ENABLE_SET, SystemRegister::OVERFLOW_SET];
    assert_eq!(at.map(|at| bench.file().get(at)), [0; 2]);
}

/// After a reset PMUSERENR_EL0 may hold anything.
#[test]
fn a_claimed_unit_is_closed_to_user_programs() {
    let bench = Bench::new(plain());
    fill(&bench, &plain());
    bench.claim();
    assert_eq!(bench.file().read(SystemRegister::USER_ENABLE), 0);
}

/// As after a sleep.
#[test]
fn a_unit_that_holds_anything_is_set_up_again_from_its_image() {
    for capabilities in [plain(), of_64_bits(), newest()] {
        let bench = Bench::new(capabilities);
        bench.claim();
        bench.open([Request::new(Event::CYCLES), Request::new(Event::INSTRUCTIONS), LONG_PERIOD]).unwrap();
        let before = controls(&bench);
        fill(&bench, &capabilities);
        bench.claim();
        assert_eq!(controls(&bench), before, "{capabilities:?}");
    }
}

/// Every register that controls the unit; what the counters hold is none of these.
fn controls(bench: &Bench) -> Vec<u64> {
    let selects = bench.driver.capabilities().counters().into_iter().map(SystemRegister::any_select);
    let whole = [
        SystemRegister::ENABLE_SET,
        SystemRegister::INTERRUPT_SET,
        SystemRegister::OVERFLOW_SET,
        SystemRegister::USER_ENABLE,
        SystemRegister::CONTROL,
    ];
    selects.chain(whole).map(|at| bench.file().get(at)).collect()
}
