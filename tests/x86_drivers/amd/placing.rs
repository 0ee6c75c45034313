//! The placement of requests on counters.

use pmu::arch::x86::amd::Identity;
use pmu::arch::x86::{Block, Msr};
use pmu::driver::{Control, Counters, Image, Plan};
use pmu::request::Contention;
use pmu::virt::Device as _;
use pmu::{CounterSet, Event, Request};

use crate::amd::{Bench, counter};

/// Floating-point operations retired, up to 64 in a cycle: a large increment, which needs two counters; Zen.
const ZEN_FLOPS: Event = Event::raw(0xFF03);

/// Event 003H of family 15h, on counter 3 alone; 001H on counters 3 to 5.
const FLOPS: Event = Event::raw(0xFF03);
const SCHEDULER_EMPTY: Event = Event::raw(0x0001);

#[test]
fn all_counters_of_a_unit_can_be_in_use_at_once() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        let room = bench.driver.capabilities().counters;
        for _ in room {
            bench.open([Event::INSTRUCTIONS]).unwrap();
        }
        let conflict = bench.open([Event::INSTRUCTIONS]).unwrap_err();
        assert_eq!(
            (conflict.requests.bits(), conflict.over),
            (1, Contention::Counters(CounterSet::EMPTY)),
            "{identity:?}"
        );
    }
}

/// BKDG 42301, "Performance Counter Events": the line PERF_CTL of each event.
#[test]
fn family_15h_counts_an_event_only_where_it_is_wired() {
    let able = |code| {
        let bench = Bench::new(&Identity::FAMILY_15H);
        let can = |number: &u8| bench.encode(Request::new(Event::raw(code)).pinned_to(counter(*number))).is_ok();
        (0..6).filter(can).fold(0u8, |set, number| set | 1 << number)
    };
    let low = [0x0076, 0x0023, 0x0080, 0x077D, 0x00D0, 0x0131].map(able);
    assert_eq!(low, [0b111; 6]);
    assert_eq!([0x0001, 0x0102, 0x0001_0000_00C0].map(able), [0b11_1000; 3]);
    let all = [0x00C0, 0x00C2, 0x0129, 0x0047, 0x00DB, 0x0001_0000_00D0, 0x0001_0000_00D6].map(able);
    assert_eq!(all, [0b11_1111; 7]);
    assert_eq!([0x0003, 0x002D, 0x1100, 0x0304].map(able), [0b00_1000; 4]);
    assert_eq!([able(0x002E), able(0x008F)], [0b00_1001, 0b00_0001]);
    assert_eq!([0x00A0, 0x00E0, 0x0331].map(able), [0; 3]);
}

#[test]
fn requests_that_could_go_elsewhere_make_room_for_those_that_could_not() {
    let bench = Bench::new(&Identity::FAMILY_15H);
    let requests = [Event::INSTRUCTIONS, SCHEDULER_EMPTY, SCHEDULER_EMPTY, FLOPS];
    let counters = bench.counters(requests).unwrap();
    assert!(counters[0] < 3 && counters[3] == 3, "{counters:?}");
}

#[test]
fn a_conflict_names_those_who_compete_and_for_what() {
    let bench = Bench::new(&Identity::FAMILY_15H);
    let conflict = bench.open([Event::INSTRUCTIONS, FLOPS, FLOPS]).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (0b110, Contention::Counters(CounterSet::from_bits(0b1000))));
}

#[test]
fn a_large_increment_takes_an_even_counter_and_the_next() {
    for identity in [Identity::ZEN_2, Identity::ZEN_4] {
        let bench = Bench::new(&identity);
        let slots = bench.open([ZEN_FLOPS; 3]).unwrap();
        assert!(slots.iter().all(|slot| slot.partner == Some(counter(slot.counter.number() ^ 1))), "{slots:?}");
        assert!(slots.iter().all(|slot| slot.counter.number() % 2 == 0), "{slots:?}");
        assert_eq!(bench.image.occupancy(), CounterSet::first(6));
        assert!(bench.open([Event::INSTRUCTIONS]).is_err());
    }
}

#[test]
fn single_requests_leave_room_for_a_pair() {
    let bench = Bench::new(&Identity::ZEN_2);
    let plain = Event::INSTRUCTIONS;
    let slots = bench.open([plain, plain, plain, plain, ZEN_FLOPS]).unwrap();
    assert!(slots[4].partner.is_some());
    let taken = slots.iter().fold(CounterSet::EMPTY, |set, slot| set.or(slot.occupies()));
    assert_eq!(taken, CounterSet::first(6), "no counter is given twice");
}

#[test]
fn a_pair_finds_no_room_between_single_counters() {
    let bench = Bench::new(&Identity::ZEN_2);
    bench.open([0, 3, 4].map(|number| Request::new(Event::INSTRUCTIONS).pinned_to(counter(number)))).unwrap();
    let conflict = bench.open([ZEN_FLOPS]).unwrap_err();
    assert_eq!(conflict.requests.bits(), 1);
}

#[test]
fn a_released_pair_is_two_counters_again() {
    let bench = Bench::new(&Identity::ZEN_2);
    let [pair] = bench.open([ZEN_FLOPS]).unwrap();
    bench.driver.release(&bench.image, pair.occupies());
    let partner = pair.partner.unwrap();
    let select = Msr::core_select(Block::Core, partner.number()).unwrap();
    assert_eq!(bench.driver.registers().try_read(select), Ok(0), "nothing is merged any more");
    bench.open([Event::INSTRUCTIONS; 6]).unwrap();
}

#[test]
fn a_placement_moves_and_rewrites_nothing_that_is_there() {
    let bench = Bench::new(&Identity::K8);
    let [first] = bench.open([Event::INSTRUCTIONS]).unwrap();
    let select = Msr::core_select(Block::Legacy, first.counter.number()).unwrap();
    bench.driver.run(&bench.image, first.counter.only());
    let before = bench.driver.registers().try_read(select);
    bench.open([Event::CYCLES, Event::BRANCHES]).unwrap();
    assert_eq!(bench.driver.registers().try_read(select), before);
}
