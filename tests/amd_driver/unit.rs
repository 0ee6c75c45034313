//! Starting, stopping, presetting, and giving back what was there.

use pmu::arch::x86::amd::{Amd, Device, Identity, Select, events};
use pmu::arch::x86::{Block, Msr, Unattached};
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};
use pmu::{Backend, CounterId, CounterSet, Event, Mode, Registers, Remaining, Request};

use crate::{Bench, counter};

fn work(bench: &Bench, events: u64) {
    bench.driver.registers().advance(&Work::instructions(Mode::Kernel, events));
}

/// Every counter of the unit, each counting instructions.
fn all_counting(bench: &Bench) -> CounterSet {
    let counters = bench.driver.facts().counters;
    for id in counters {
        bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(id)]).unwrap();
    }
    counters
}

#[test]
fn each_counter_overflows_on_the_nth_event() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        for id in all_counting(&bench) {
            for n in [1, 2, 3, 1000, 1 << 31, 1 << 47] {
                bench.driver.run(&bench.image, CounterSet::EMPTY);
                bench.driver.preset(&bench.image, id, Remaining::events(n));
                bench.driver.run(&bench.image, id.only());
                work(&bench, n - 1);
                assert!(!bench.driver.overflowed(&bench.image, id.only()).contains(id), "{identity:?} {id} {n}");
                work(&bench, 1);
                assert!(bench.driver.overflowed(&bench.image, id.only()).contains(id), "{identity:?} {id} {n}");
                bench.driver.acknowledge(&bench.image, id.only());
            }
        }
    }
}

#[test]
fn exactly_the_counters_that_shall_run_count() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        let counters = all_counting(&bench);
        for id in counters {
            bench.driver.preset(&bench.image, id, Remaining::events(1000));
        }
        let fresh = bench.read(counter(0));
        for (position, running) in counters.into_iter().enumerate() {
            bench.driver.run(&bench.image, running.only());
            work(&bench, 10);
            let counts: Vec<_> = counters.into_iter().map(|id| bench.read(id) - fresh).collect();
            assert!(counts.iter().take(position + 1).all(|&count| count == 10), "{identity:?} {counts:?}");
            assert!(counts.iter().skip(position + 1).all(|&count| count == 0), "{identity:?} {counts:?}");
        }
    }
}

#[test]
fn a_counter_does_not_look_overflowed_before_it_was_preset() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        let counters = all_counting(&bench);
        assert!(bench.driver.overflowed(&bench.image, counters).is_empty(), "{identity:?}");
    }
}

#[test]
fn a_pair_waits_longer_than_one_counter_could() {
    for identity in [Identity::ZEN_2, Identity::ZEN_4] {
        let bench = Bench::new(&identity);
        let [pair] = bench.open([events::ZEN_FLOPS]).unwrap();
        let width = bench.driver.width(&bench.image, pair.counter);
        for n in [1, 100, 1 << 47, 1 << 50, 1 << 63] {
            bench.driver.preset(&bench.image, pair.counter, Remaining::events(n));
            assert_eq!(width.delta(bench.read(pair.counter), 0), n, "{identity:?}");
            assert!(bench.driver.overflowed(&bench.image, pair.counter.only()).is_empty(), "{identity:?} {n}");
        }
        assert_eq!(bench.driver.longest(&bench.image, pair.counter), Remaining::events(1 << 63));
    }
}

#[test]
fn only_what_was_serviced_is_acknowledged() {
    let bench = Bench::new(&Identity::ZEN_4);
    let both = all_counting(&bench).and(CounterSet::first(2));
    for id in both {
        bench.driver.preset(&bench.image, id, Remaining::events(5));
    }
    bench.driver.run(&bench.image, both);
    work(&bench, 5);
    assert_eq!(bench.driver.overflowed(&bench.image, both), both);
    bench.driver.acknowledge(&bench.image, counter(0).only());
    assert_eq!(bench.driver.overflowed(&bench.image, both), counter(1).only());
}

/// Somebody else's programming: every register that the unit has holds something.
fn disturb(bench: &Bench) {
    let (device, facts) = (bench.driver.registers(), bench.driver.facts());
    for id in facts.counters {
        let number = u64::from(id.number());
        device.write(Msr::core_counter(facts.block, id.number()).unwrap(), 0x8000_0000_0000 + number);
        device.write(Msr::core_select(facts.block, id.number()).unwrap(), 0x0043_00C0 + number);
    }
    if facts.has_global() {
        device.write(Msr::CORE_CONTROL, 0b101);
        device.write(Msr::CORE_SET, 0b10);
    }
}

#[test]
fn what_the_unit_held_comes_back() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        disturb(&bench);
        let before = bench.driver.registers().state();
        bench.driver.save(&bench.image);
        all_counting(&bench);
        bench.driver.run(&bench.image, CounterSet::first(1));
        work(&bench, 1000);
        bench.driver.restore(&bench.image);
        let mut after = bench.driver.registers().state();
        after.ticks = before.ticks;
        assert_eq!(after, before, "{identity:?}");
    }
}

#[test]
fn somebody_elses_pair_comes_back_whole_and_is_merged_before_it_counts() {
    let device = Strict(Device::new(&Identity::ZEN_2, Kinds::CLOCK, Unconnected));
    let bench = crate::bare::Bench::of(Amd::new(&device, Unattached, Identity::ZEN_2.facts()));
    let registers = |number| [Msr::core_select(Block::Core, number), Msr::core_counter(Block::Core, number)];
    for (number, values) in [(1, [0x000F_0040_00FF, 0xABCD]), (0, [0x0043_FF03, 0x1234_5678])] {
        registers(number).into_iter().zip(values).for_each(|(at, value)| device.0.write(at.unwrap(), value));
    }
    let before = device.state();
    bench.driver.save(&bench.image);
    bench.open([Event::INSTRUCTIONS; 6]).unwrap();
    bench.driver.restore(&bench.image);
    assert_eq!(device.state(), before);
}

#[test]
fn a_saved_unit_counts_nothing_and_has_no_overflow() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        disturb(&bench);
        bench.driver.save(&bench.image);
        let before = bench.driver.registers().state();
        work(&bench, 1000);
        let after = bench.driver.registers().state();
        assert_eq!((after.counters, after.status), (before.counters, 0), "{identity:?}");
    }
}

#[test]
fn a_counter_at_rest_is_disabled_by_its_selector_before_version_2_and_by_none_from_then_on() {
    let enabled = |identity: &Identity, exactly: CounterSet| {
        let bench = Bench::new(identity);
        bench.open([Request::new(Event::CYCLES).pinned_to(CounterId::ZERO)]).unwrap();
        bench.driver.run(&bench.image, exactly);
        let select = Msr::core_select(bench.driver.facts().block, 0).unwrap();
        bench.driver.registers().try_read(select).unwrap() & Select::ENABLE.bits() != 0
    };
    let first = CounterSet::first(1);
    assert_eq!([CounterSet::EMPTY, first].map(|set| enabled(&Identity::ZEN_2, set)), [false, true]);
    assert_eq!([CounterSet::EMPTY, first].map(|set| enabled(&Identity::ZEN_4, set)), [true, true]);
}
