//! Taking a unit over, giving it back, and programming it again.

use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Capabilities, Cccr, Half, Netburst, Share, View};
use pmu::arch::x86::{Msr, Unattached};
use pmu::driver::{Control, Counters, Plan, Registers, Remaining};
use pmu::{CounterSet, Event};
use std::collections::BTreeMap;

use crate::netburst::{Bench, Driver, counter, of, registers};
use crate::support::memory::Msrs;

/// Tagged micro-operations that retired (replay_event), without a mask.
const REPLAY: u64 = CounterGroup::Iq.code(0x09, 5, 0);

/// Registers that a previous owner has left: each holds a value of its own.
fn left() -> Msrs {
    let mut map = Msrs::new().with(Msr::PEBS_ENABLE, 0x0100_0001).with(Msr::PEBS_MATRIX_VERT, 1);
    for counter in CounterSet::first(18) {
        let number = u64::from(counter.number());
        map = map
            .with(Cccr::counter_msr(counter), 0xFF_0000_0000 | number)
            .with(Cccr::msr(counter), number << 20 & 0xF0_0000);
    }
    let escrs = Half::ALL.iter().flat_map(|half| half.escrs).flatten();
    escrs.fold(map, |map, escr| map.with(escr.msr(), u64::from(escr.msr().address()) << 9))
}

fn bench(capabilities: Capabilities) -> (&'static Msrs, Bench) {
    let map: &'static Msrs = Box::leak(Box::new(left()));
    (map, Bench::of(Netburst::new(map, Unattached, capabilities)))
}

#[test]
fn a_release_leaves_the_unit_as_it_was() {
    for (view, share) in [(View::Bank, Share::Whole), (View::All, Share::Whole), (View::Bank, Share::Thread1)] {
        let (map, bench) = bench(of(view, share));
        let before = map.contents();
        let saved = bench.claim();
        let slots = bench.open([Event::CYCLES, Event::raw(REPLAY | 5 << 16)]).unwrap();
        bench.driver.run(&bench.image, slots.iter().map(|slot| slot.counter).collect());
        assert_ne!(map.contents(), before);
        bench.driver.restore(&saved);
        assert_eq!(map.contents(), before, "{view:?} {share:?}");
    }
}

#[test]
fn an_overflow_that_waited_is_put_back_only_where_it_interrupts_nobody() {
    let (map, bench) = bench(of(View::All, Share::Whole));
    let cccr = Cccr::msr(counter(4));
    let release = |left: Cccr| {
        map.write(cccr, left.bits());
        let saved = Driver::NOTHING_SAVED;
        bench.driver.save(&saved);
        bench.driver.restore(&saved);
        Cccr::from_bits_retain(map.read(cccr))
    };
    assert_eq!(release(Cccr::OVERFLOW), Cccr::OVERFLOW);
    for acting in [Cccr::ENABLE, Cccr::INTERRUPT_T0, Cccr::INTERRUPT_T1] {
        assert_eq!(release(acting | Cccr::OVERFLOW), acting);
    }
}

#[test]
fn a_threads_unit_leaves_the_other_threads_alone() {
    let (map, bench) = bench(of(View::All, Share::Thread0));
    let of_thread_1 = || -> BTreeMap<u32, u64> {
        let halves = Half::ALL.iter().skip(1).step_by(2);
        let registers = halves.flat_map(|half| {
            let own = half.counters.into_iter().flat_map(|counter| [Cccr::counter_msr(counter), Cccr::msr(counter)]);
            own.chain(half.escrs.into_iter().flatten().map(|escr| escr.msr())).collect::<Vec<_>>()
        });
        registers.map(|register| (register.address(), map.read(register))).collect()
    };
    let before = of_thread_1();
    let saved = bench.claim();
    let slots = bench.open([Event::CYCLES, Event::CACHE_MISSES]).unwrap();
    bench.driver.run(&bench.image, slots.iter().map(|slot| slot.counter).collect());
    bench.driver.restore(&saved);
    assert_eq!(of_thread_1(), before);
}

#[test]
fn models_after_2_are_never_asked_for_the_escrs_that_they_lack() {
    let map: &'static Msrs = registers();
    let mut capabilities = Capabilities::of_model(4);
    capabilities.view = View::All;
    let bench = Bench::of(Netburst::new(map, Unattached, capabilities));
    let iq = [0x3BA, 0x3BB].map(|address| Msr::from_address(address).unwrap());
    iq.iter().for_each(|&at| map.write(at, 7));
    bench.claim();
    assert_eq!(iq.map(|at| map.read(at)), [7, 7]);
}

#[test]
fn no_counter_looks_as_if_it_had_overflowed_after_a_claim() {
    let (_, bench) = bench(of(View::All, Share::Whole));
    bench.claim();
    let mut found = 0;
    bench.driver.overflowed(&bench.image, CounterSet::first(18), |_, _| found += 1);
    assert_eq!(found, 0);
}

#[test]
fn a_stop_clears_the_overflow_in_the_cccr() {
    let (map, bench) = bench(of(View::Bank, Share::Whole));
    bench.claim();
    let slots = bench.open([Event::CYCLES]).unwrap();
    let cccr = Cccr::msr(slots[0].counter);
    bench.driver.run(&bench.image, slots[0].counter.only());
    map.write(cccr, map.read(cccr) | Cccr::OVERFLOW.bits());
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    assert_eq!(map.read(cccr) & (Cccr::OVERFLOW | Cccr::ENABLE).bits(), 0);
}

/// An ESCR that goes on tagging would change what instr_retired counts as tagged.
#[test]
fn what_nobody_counts_is_tagged_no_more() {
    let (map, bench) = bench(of(View::All, Share::Whole));
    bench.claim();
    let tagged = Event::raw(CounterGroup::Flame.code(0x08, 1, 0x8000) | 1 << 32);
    let tagging = [Event::raw(CounterGroup::Iq.code(0x02, 2, 2)), tagged, tagged, Event::raw(REPLAY | 5 << 16)];
    let registers = [0x3A4, 0x3A5, 0x3BC, 0x3BD, 0x3F1, 0x3F2].map(|address| Msr::from_address(address).unwrap());
    let slots = bench.open(tagging).unwrap();
    assert!(registers.iter().filter(|&&at| map.read(at) != 0).count() >= 4);
    for slot in slots {
        bench.driver.release(&bench.image, slot.counter.only());
    }
    assert_eq!(registers.map(|at| map.read(at)), [0; 6]);
}

#[test]
fn an_escr_that_tags_for_two_counters_tags_for_the_one_that_is_left() {
    let (map, bench) = bench(of(View::All, Share::Thread0));
    bench.claim();
    let tagged = Event::raw(CounterGroup::Flame.code(0x08, 1, 0x8000) | 1 << 32);
    let slots = bench.open([tagged, tagged]).unwrap();
    let firm = Msr::from_address(0x3A4).unwrap();
    bench.driver.release(&bench.image, slots[0].counter.only());
    assert_ne!(map.read(firm), 0);
    bench.driver.release(&bench.image, slots[1].counter.only());
    assert_eq!(map.read(firm), 0);
}

#[test]
fn replays_are_tagged_for_the_counter_that_is_left() {
    let (map, bench) = bench(of(View::All, Share::Whole));
    bench.claim();
    let replay = Event::raw(REPLAY | 5 << 16);
    let slots = bench.open([replay, replay]).unwrap();
    let is_tagged_without = slots.map(|slot| {
        bench.driver.release(&bench.image, slot.counter.only());
        map.read(Msr::PEBS_ENABLE) != 0
    });
    assert_eq!(is_tagged_without, [true, false]);
}

#[test]
fn others_counters_run_on_through_everything() {
    let watchdog = (Cccr::ENABLE | Cccr::select(6) | Cccr::active(3)).bits();
    let mut capabilities = of(View::All, Share::Whole);
    (capabilities.used_by_others, capabilities.used_escrs) = (counter(1).only(), 1 << 2);
    let (map, bench) = bench(capabilities);
    map.write(Cccr::msr(counter(1)), watchdog);
    let (count, fsb) = (map.read(Cccr::counter_msr(counter(1))), map.read(Msr::from_address(0x3A2).unwrap()));
    let saved = bench.claim();
    bench.driver.run(&bench.image, counter(1).only());
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    bench.driver.restore(&saved);
    assert_eq!(map.read(Cccr::msr(counter(1))), watchdog);
    assert_eq!((map.read(Cccr::counter_msr(counter(1))), map.read(Msr::from_address(0x3A2).unwrap())), (count, fsb));
}

#[test]
fn a_counter_waits_for_at_most_half_of_its_forty_bits() {
    let (_, bench) = bench(of(View::Bank, Share::Whole));
    let preset = |events| bench.driver.preset(&bench.image, counter(0), Remaining::events(events)).count();
    assert_eq!([preset(1), preset(3000), preset(u64::MAX)], [2, 3000, 1 << 39]);
    assert_eq!(bench.driver.registers().read(Cccr::counter_msr(counter(0))), 1 << 39);
}
