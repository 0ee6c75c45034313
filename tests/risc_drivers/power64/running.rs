//! The registers after starting, stopping, overflows and restoring.

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Device, Identity, Model, Privilege, ProblemAccess};
use pmu::driver::{Control, Counters, Image, Registers, Remaining};
use pmu::virt::{Kinds, Strict, Unconnected};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Request, Unit};

use crate::power64::{Bench, counter, pvr, spr};
use crate::support::memory::Memory;

/// Instructions completed (PM_INST_CMPL), on any of PMC1 to PMC4; POWER10.
const POWER10_INSTRUCTIONS: Event = Event::raw(0x1_00FE);

const MMCR0: u16 = 795;
const MMCR1: u16 = 798;
const PMC1: u16 = 787;
/// MMCR0's bit for an alert that has occurred.
const PMAO: u64 = 1 << 7;
const POWER7: Model = Model::Power7;
const POWER9: Model = Model::Power9;

#[test]
fn one_counter_stops_and_the_others_go_on() {
    let bench = Bench::new(POWER9);
    let slots = bench.open([Event::raw(0x1_0002), Event::raw(0x2_001E)]).unwrap();
    bench.run(CounterSet::first(2));
    assert_eq!(bench.register(MMCR1) & 0xFFFF_FFFF, 0x021E_0000);
    bench.run(slots[1].counter.only());
    assert_eq!(bench.register(MMCR1) & 0xFFFF_FFFF, 0x001E_0000);
    bench.run(CounterSet::first(2));
    assert_eq!(bench.register(MMCR1) & 0xFFFF_FFFF, 0x021E_0000);
}

#[test]
fn only_counters_that_count_are_let_alert() {
    let bench = Bench::new(POWER9);
    bench.open([Event::raw(0x1_0002), Event::raw(0x2_001E)]).unwrap();
    let conditions = |exactly| {
        bench.run(exactly);
        bench.register(MMCR0) & 0xC000
    };
    assert_eq!([0b01, 0b10, 0b11].map(|bits| conditions(CounterSet::from_bits(bits))), [0x8000, 0x4000, 0xC000]);
}

#[test]
fn a_counter_has_overflowed_when_its_top_bit_is_set() {
    let bench = Bench::new(POWER9);
    bench.open([Event::raw(0x1_0002), Event::raw(0x2_001E)]).unwrap();
    bench.set(PMC1, 0x7FFF_FFFF);
    bench.set(PMC1 + 1, 0x8000_0000);
    bench.set(PMC1 + 2, 0x8000_0000);
    assert_eq!(bench.past(CounterSet::first(2)), [(1, 0)], "PMC3 is nobody's");
    bench.set(PMC1 + 1, 0x8000_0003);
    assert_eq!(bench.past(CounterSet::first(2)), [(1, 3)], "three events came after it");
}

#[test]
fn a_preset_counter_overflows_on_the_nth_event() {
    let bench = Bench::new(POWER9);
    for (remaining, start) in [(1, 0x7FFF_FFFF), (5000, 0x7FFF_EC78), (1 << 31, 0)] {
        let remaining = Remaining::events(remaining);
        assert_eq!(bench.driver.preset(&bench.image, counter(2), remaining), remaining);
        assert_eq!(bench.register(PMC1 + 2), start);
    }
}

#[test]
fn a_counter_waits_no_longer_than_to_its_top_bit_and_says_so() {
    let bench = Bench::new(POWER9);
    for remaining in [(1 << 31) + 1, u64::MAX] {
        let actual = bench.driver.preset(&bench.image, counter(2), Remaining::events(remaining));
        assert_eq!((actual, bench.register(PMC1 + 2)), (Remaining::events(1 << 31), 0));
    }
}

/// A unit whose first two counters ran until an alert stopped it.
fn alerted(model: Model) -> Bench {
    let bench = Bench::new(model);
    bench.open([Event::raw(0x1_0002), Event::raw(0x2_001E)]).unwrap();
    bench.run_all();
    bench.set(MMCR0, PMAO);
    bench
}

#[test]
fn an_alert_of_power7_whose_counter_was_taken_back_is_still_its() {
    let bench = alerted(POWER7);
    bench.set(PMC1, 0x7FFF_FF00);
    bench.set(PMC1 + 1, 0x7FFF_FEFF);
    bench.run(CounterSet::EMPTY);
    assert_eq!(bench.past(CounterSet::first(2)), [(0, -256)]);
}

#[test]
fn an_alert_of_power7_is_of_the_counter_that_is_past_its_overflow_if_there_is_one() {
    let bench = alerted(POWER7);
    bench.set(PMC1, 0x7FFF_FF00);
    bench.set(PMC1 + 1, 0x8000_0000);
    bench.run(CounterSet::EMPTY);
    assert_eq!(bench.past(CounterSet::first(2)), [(1, 0)]);
}

#[test]
fn a_counter_of_power7_near_its_overflow_has_not_overflowed_without_an_alert() {
    let bench = Bench::new(POWER7);
    bench.open([Event::raw(0x1_0002)]).unwrap();
    bench.run_all();
    bench.set(PMC1, 0x7FFF_FFFF);
    bench.run(CounterSet::EMPTY);
    assert_eq!(bench.past(CounterSet::first(1)), []);
}

#[test]
fn an_alert_of_power7_was_before_the_counters_ran_again() {
    let bench = alerted(POWER7);
    bench.set(PMC1, 0x7FFF_FFFF);
    bench.run(CounterSet::EMPTY);
    bench.run_all();
    assert_eq!(bench.past(CounterSet::first(1)), [], "that was the stop before");
    assert_eq!(bench.register(PMC1), 0x7FFF_FFFF);
}

/// Its next period may be shorter than what speculation takes back.
#[test]
fn an_alert_of_power7_is_over_once_it_is_acknowledged() {
    let bench = alerted(POWER7);
    bench.set(PMC1, 0x7FFF_FF00);
    bench.run(CounterSet::EMPTY);
    assert_eq!(bench.past(CounterSet::first(2)), [(0, -256)]);
    bench.driver.preset(&bench.image, counter(0), Remaining::events(200));
    bench.driver.acknowledge(&bench.image, counter(0).only());
    assert_eq!(bench.past(CounterSet::first(2)), []);
}

#[test]
fn no_other_processor_asks_for_an_alert() {
    let bench = alerted(POWER9);
    bench.set(PMC1, 0x7FFF_FFFF);
    bench.run(CounterSet::EMPTY);
    assert_eq!(bench.past(CounterSet::first(1)), []);
}

/// 100 of the events that were taken back come again, and belong to the period that ends with them.
#[test]
fn an_alert_of_power7_that_was_taken_back_leaves_a_sample_and_counts_nothing_twice() {
    let registers: &'static Memory<_> = Box::leak(Box::new(Memory::new()));
    let capabilities = Capabilities::discover(pvr(POWER7), Privilege::Supervisor).unwrap();
    let unit: Unit<_, 16> = Unit::new();
    let pmu = unit.claim(Book3s::new(registers, capabilities)).unwrap();
    let mut session = pmu.open([Request::new(Event::raw(0x1_0002)).every(5000)]).unwrap();
    session.start().unwrap();
    registers.write(spr(PMC1), 0x8000_0000 - 100);
    registers.write(spr(MMCR0), PMAO);
    assert_eq!(unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)), Handled::Overflow);
    assert_eq!((session.read().unwrap(), unit.waiting_samples()), ([4900], 1));
    assert_eq!(registers.read(spr(PMC1)), 0x8000_0000 - 5100);
}

#[test]
fn a_claim_leaves_no_counter_negative_and_a_release_puts_all_back() {
    for model in Model::ALL {
        let bench = Bench::new(model);
        let all = [795, 798, 786, 785, 754].into_iter().chain(787..795);
        let before: Vec<_> = all.map(|number| (number, 0x8000_0000 | u64::from(number))).collect();
        before.iter().for_each(|&(number, value)| bench.set(number, value));
        let saved = <Book3s<&Memory<Spr>> as Control>::NOTHING_SAVED;
        bench.driver.save(&saved);
        let counters = bench.driver.capabilities().counters;
        assert!(counters.into_iter().all(|it| bench.register(PMC1 + u16::from(it.number())) == 0), "{model:?}");
        let closed = if model >= Model::Power8 { 0x8004_0000 } else { 0x8000_0000 };
        assert_eq!(bench.register(MMCR0), closed, "{model:?}");
        bench.driver.reload(&bench.image);
        bench.open([Event::CYCLES]).unwrap();
        bench.run_all();
        bench.driver.restore(&saved);
        for (number, value) in before {
            assert_eq!(bench.register(number), value, "{model:?}, SPR {number}");
        }
    }
}

#[test]
fn a_sleep_that_loses_all_registers_is_made_good() {
    for model in Model::ALL {
        let bench = Bench::new(model);
        bench.open([Event::CYCLES]).unwrap();
        bench.run_all();
        let all = [795, 798, 786, 785, 754];
        let before = all.map(|number| bench.register(number));
        all.into_iter().chain(787..795).for_each(|number| bench.set(number, 0x8000_0000 | u64::from(number)));
        let saved = <Book3s<&Memory<Spr>> as Control>::NOTHING_SAVED;
        bench.driver.save(&saved);
        bench.driver.reload(&bench.image);
        let counters = bench.driver.capabilities().counters;
        assert!(counters.into_iter().all(|it| bench.register(PMC1 + u16::from(it.number())) == 0), "{model:?}");
        assert_eq!(bench.register(MMCR0) & (1 << 31 | 1 << 26), 1 << 31, "{model:?}: frozen, and no alert");
        bench.run_all();
        let has = |number: &u16| match number {
            785 => model >= Model::Power8,
            754 => model >= Model::Power10,
            _ => true,
        };
        for (number, value) in all.into_iter().zip(before).filter(|(number, _)| has(number)) {
            assert_eq!(bench.register(number), value, "{model:?}, SPR {number}");
        }
    }
}

#[test]
fn problem_state_reads_nothing_unless_it_is_lent() {
    let access = |lent| {
        let registers: &'static Memory<_> = Box::leak(Box::new(Memory::new()));
        let capabilities = Capabilities::discover(pvr(POWER9), Privilege::Supervisor).unwrap();
        let driver = Book3s::new(registers, capabilities).with_problem_access(lent);
        let image = Image::BLANK;
        driver.run(&image, CounterSet::EMPTY);
        registers.read(spr(MMCR0)) >> 18 & 3
    };
    assert_eq!([access(ProblemAccess::None), access(ProblemAccess::Reads)], [0b01, 0b00]);
}

#[test]
fn nothing_branches_in_problem_state_and_no_branch_is_recorded() {
    let bench = Bench::new(Model::Power10);
    bench.open([POWER10_INSTRUCTIONS]).unwrap();
    bench.run(CounterSet::first(1));
    assert_eq!(bench.register(MMCR0) & (1 << 20 | 1 << 21), 0);
    assert_eq!(bench.register(786) >> 37 & 1, 1, "BHRBRD");
}

#[test]
fn no_bit_is_set_that_the_processor_does_not_have() {
    for model in Model::ALL {
        let bench = Bench::new(model);
        bench.open([Event::CYCLES, Event::INSTRUCTIONS]).unwrap();
        bench.run_all();
        let had = bench.driver.capabilities().control.bits();
        assert_eq!(bench.register(MMCR0) & !had, 0, "{model:?}");
    }
}

/// QEMU counts PMC6 on while PMC5 counts, whatever MMCR2 says; what is negative alerts for ever.
#[test]
fn a_counter_that_is_nobodys_and_negative_does_not_alert_for_ever() {
    let bench = Bench::new(POWER9);
    bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(counter(4))]).unwrap();
    bench.set(PMC1 + 5, 0x8000_0001);
    assert_eq!(bench.past(counter(4).only()), []);
    assert_eq!(bench.register(PMC1 + 5), 0);
    bench.set(PMC1 + 5, 0x7FFF_FFFF);
    assert_eq!(bench.past(counter(4).only()), []);
    assert_eq!(bench.register(PMC1 + 5), 0x7FFF_FFFF);
}

/// A measurement as kernels make it, by a driver whose every write is judged.
#[test]
fn the_driver_keeps_to_the_devices_rules_on_every_processor() {
    for identity in Identity::ALL.into_iter().flat_map(|identity| [identity, identity.above_all()]) {
        let registers = Strict(Device::new(&identity, Kinds::CLOCK, Unconnected));
        let unit: Unit<_, 16> = Unit::new();
        let pmu = unit.claim(Book3s::new(registers, identity.capabilities())).unwrap();
        let mut first = pmu.open([Request::new(Event::CYCLES).every(5000)]).unwrap();
        first.start().unwrap();
        let mut second = pmu.open([Request::new(Event::INSTRUCTIONS)]).unwrap();
        second.start().unwrap();
        first.stop().unwrap();
        first.start().unwrap();
        drop((first, second));
        pmu.release().unwrap();
    }
}

/// What is run beside a counter that was taken back is what was asked for, bit for bit.
#[test]
fn what_was_given_back_leaves_the_registers_as_counting_goes_on() {
    let bench = Bench::new(Model::Ppc970);
    let [lane] = bench.open([Event::raw(0x300)]).unwrap();
    let [cycles] = bench.open([Event::CYCLES]).unwrap();
    bench.run(lane.counter.only().or(cycles.counter.only()));
    assert_ne!(bench.register(MMCR1) >> 50, 0, "the lane that the first request needs");
    bench.driver.release(&bench.image, lane.counter.only());
    bench.run(cycles.counter.only());
    assert_eq!(bench.register(MMCR1) >> 40, 0);
}

/// A bit that freezes PMC1 to PMC4 on later processors is one of PMC2SEL's there.
#[test]
fn where_the_970_selects_for_pmc2_nothing_is_frozen() {
    let bench = Bench::new(Model::Ppc970);
    let [slot] = bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(counter(7))]).unwrap();
    bench.run(slot.counter.only());
    assert_eq!(bench.register(MMCR0) >> 1 & 0x1F, 8, "PMC2 counts nothing");
}
