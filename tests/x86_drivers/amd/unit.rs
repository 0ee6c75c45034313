//! Starting, stopping, presetting, and restoring the saved state.

use pmu::arch::x86::amd::{Amd, Device, Identity, Select};
use pmu::arch::x86::{Block, Msr, Unattached};
use pmu::driver::{Control, Counters, Plan, Registers, Remaining, Slot};
use pmu::virt::{Device as _, Kinds, Strict, Unconnected};
use pmu::{CounterId, CounterSet, Event, Request};

use crate::amd::{Bench, counter};

/// Floating-point operations retired, up to 64 in a cycle: a large increment, which needs two counters; Zen.
const ZEN_FLOPS: Event = Event::raw(0xFF03);

/// Takes the unit over, and lets every counter count instructions.
fn all_counting(bench: &Bench) -> Vec<Slot> {
    bench.claim();
    open_all(bench)
}

pub(crate) fn open_all(bench: &Bench) -> Vec<Slot> {
    let open = |id| bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(id)]).unwrap()[0];
    bench.driver.capabilities().counters.into_iter().map(open).collect()
}

/// No counter can interrupt on every event.
#[test]
fn a_wait_is_two_events_or_more_and_no_longer_than_its_counter_can() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        let [slot, ..] = all_counting(&bench)[..] else { panic!("it has counters") };
        let preset = |events| bench.driver.preset(&bench.image, slot.counter, Remaining::events(events)).count();
        assert_eq!([1, 2, 1 << 47, (1 << 47) + 1, u64::MAX].map(preset), [2, 2, 1 << 47, 1 << 47, 1 << 47]);
        let known = bench.driver.counter(&slot);
        assert_eq!((known.longest, known.width.delta(bench.read(&slot), 0)), (Remaining::events(1 << 47), 1 << 47));
    }
}

/// The top bit of a pair is another counter's than that of its first counter.
#[test]
fn neither_a_new_pair_nor_a_counter_of_a_pair_that_was_looks_overflowed() {
    for identity in [Identity::ZEN_2, Identity::ZEN_4] {
        for waits in [2, 1 << 48, 1 << 63] {
            let bench = Bench::new(&identity);
            bench.claim();
            let [pair] = bench.open([ZEN_FLOPS]).unwrap();
            assert!(bench.overflowed(pair.counter.only()).is_empty(), "{identity:?}: a new pair");
            bench.driver.preset(&bench.image, pair.counter, Remaining::events(waits));
            bench.driver.release(&bench.image, pair.occupies());
            open_all(&bench);
            assert!(bench.overflowed(pair.occupies()).is_empty(), "{identity:?}: was a pair that waits for {waits}");
        }
    }
}

#[test]
fn a_pair_waits_longer_than_one_counter_could() {
    for identity in [Identity::ZEN_2, Identity::ZEN_4] {
        let bench = Bench::new(&identity);
        let [pair] = bench.open([ZEN_FLOPS]).unwrap();
        let known = bench.driver.counter(&pair);
        for n in [2, 100, 1 << 47, 1 << 50, 1 << 63] {
            assert_eq!(bench.driver.preset(&bench.image, pair.counter, Remaining::events(n)).count(), n);
            assert_eq!(known.width.delta(bench.read(&pair), 0), n, "{identity:?}");
            assert!(bench.overflowed(pair.counter.only()).is_empty(), "{identity:?} {n}");
        }
        assert_eq!(known.longest, Remaining::events(1 << 63));
    }
}

/// It holds the high bits of the pair's count, and so looks like a counter that has wrapped.
#[test]
fn the_second_counter_of_a_pair_is_not_asked_for_overflows() {
    for identity in [Identity::ZEN_2, Identity::ZEN_4] {
        let bench = Bench::new(&identity);
        let [pair] = bench.open([ZEN_FLOPS]).unwrap();
        for n in [2, 1 << 47, 1 << 63] {
            bench.driver.preset(&bench.image, pair.counter, Remaining::events(n));
            assert!(bench.overflowed(pair.occupies()).is_empty(), "{identity:?} {n}");
        }
    }
}

#[test]
fn only_what_was_serviced_is_acknowledged() {
    let bench = Bench::new(&Identity::ZEN_4);
    all_counting(&bench);
    let both = CounterSet::first(2);
    for id in both {
        bench.driver.preset(&bench.image, id, Remaining::events(5));
    }
    bench.driver.run(&bench.image, both);
    bench.work(5);
    assert_eq!(bench.overflowed(both), both);
    bench.driver.acknowledge(&bench.image, counter(0).only());
    assert_eq!(bench.overflowed(both), counter(1).only());
}

/// A thread has preset the counter, and the handler came before the acknowledgement.
#[test]
fn a_status_whose_counter_was_preset_is_no_overflow_and_does_not_stay() {
    let bench = Bench::new(&Identity::ZEN_4);
    all_counting(&bench);
    for id in CounterSet::first(2) {
        bench.driver.preset(&bench.image, id, Remaining::events(5));
    }
    bench.driver.registers().write(Msr::CORE_SET, 0b11);
    assert_eq!(bench.overflowed(counter(0).only()), CounterSet::EMPTY);
    assert_eq!(bench.driver.registers().try_read(Msr::CORE_STATUS), Ok(0b10));
}

/// Somebody else's programming: every register that the unit has holds something.
pub(crate) fn disturb(bench: &Bench) {
    let (device, capabilities) = (bench.driver.registers(), bench.driver.capabilities());
    for id in capabilities.counters {
        let number = u64::from(id.number());
        device.write(Msr::core_counter(capabilities.block, id.number()).unwrap(), 0x8000_0000_0000 + number);
        device.write(Msr::core_select(capabilities.block, id.number()).unwrap(), 0x0043_00C0 + number);
    }
    if capabilities.has_global() {
        device.write(Msr::CORE_CONTROL, 0b101);
        device.write(Msr::CORE_SET, 0b10);
    }
}

#[test]
fn somebody_elses_pair_comes_back_whole_and_is_merged_before_it_counts() {
    let device = Strict(Device::new(&Identity::ZEN_2, Kinds::CLOCK, Unconnected));
    let bench = crate::support::bare::Bench::of(Amd::new(&device, Unattached, Identity::ZEN_2.capabilities()));
    let registers = |number| [Msr::core_select(Block::Core, number), Msr::core_counter(Block::Core, number)];
    for (number, values) in [(1, [0x000F_0040_00FF, 0xABCD]), (0, [0x0043_FF03, 0x1234_5678])] {
        registers(number).into_iter().zip(values).for_each(|(at, value)| device.0.write(at.unwrap(), value));
    }
    let before = device.state();
    let saved = bench.claim();
    bench.open([Event::INSTRUCTIONS; 6]).unwrap();
    bench.driver.restore(&saved);
    assert_eq!(device.state(), before);
}

#[test]
fn a_saved_unit_counts_nothing_and_has_no_overflow() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        disturb(&bench);
        bench.save();
        let before = bench.driver.registers().state();
        bench.work(1000);
        let after = bench.driver.registers().state();
        assert_eq!((after.counters, after.status), (before.counters, 0), "{identity:?}");
    }
}

/// The registers hold a pair that counts where the image has two counters, and two where it has a pair.
#[test]
fn a_reload_neither_merges_nor_splits_a_counter_that_counts() {
    let device = Strict(Device::new(&Identity::ZEN_2, Kinds::CLOCK, Unconnected));
    let bench = crate::support::bare::Bench::of(Amd::new(&device, Unattached, Identity::ZEN_2.capabilities()));
    let [pair] = bench.open([Request::new(ZEN_FLOPS).pinned_to(counter(2))]).unwrap();
    bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(counter(0))]).unwrap();
    let select = |number| Msr::core_select(Block::Core, number).unwrap();
    for (number, value) in [(3, 0), (2, 0x0043_00C0), (1, 0x000F_0040_00FF), (0, 0x0043_FF03)] {
        device.0.write(select(number), value);
    }
    bench.claim();
    let selects = [0, 1, 2, 3].map(|number| device.try_read(select(number)).unwrap());
    assert_eq!(selects, [0x0013_00C0, 0, 0x0013_FF03, 0x000F_0040_00FF]);
    assert!(bench.driver.counter(&pair).width.past(bench.read(&pair)).is_none());
}

#[test]
fn a_counter_at_rest_is_disabled_by_its_selector_before_version_2_and_by_none_from_then_on() {
    let enabled = |identity: &Identity, exactly: CounterSet| {
        let bench = Bench::new(identity);
        bench.open([Request::new(Event::CYCLES).pinned_to(CounterId::ZERO)]).unwrap();
        bench.driver.run(&bench.image, exactly);
        let select = Msr::core_select(bench.driver.capabilities().block, 0).unwrap();
        bench.driver.registers().try_read(select).unwrap() & Select::ENABLE.bits() != 0
    };
    let first = CounterSet::first(1);
    assert_eq!([CounterSet::EMPTY, first].map(|set| enabled(&Identity::ZEN_2, set)), [false, true]);
    assert_eq!([CounterSet::EMPTY, first].map(|set| enabled(&Identity::ZEN_4, set)), [true, true]);
}
