//! Which ops are sampled.

use core::any::TypeId;

use super::*;

use pmu::precise::DataSource;

#[test]
fn the_op_after_each_nth_is_sampled_and_named() {
    for identity in ALL {
        let (device, records) = (device(&identity), Records::<11, 16>::new());
        let sampler = op(&identity, &device);
        for period in [PERIOD, 0x400, 0xF_FFF0] {
            start(&records, &sampler, ops_of(&identity), period);
            // The op that is tagged is not of the next period.
            for sample in 0..3 {
                device.advance(period - 10, period - 10);
                retire(&device, &records, &sampler, 0x1000 * sample..0x1000 * sample + 11);
            }
            assert_eq!(addresses(&records, &sampler), [10, 0x100A, 0x200A], "{}: {period}", identity.name());
            records.stop(&sampler, 0).unwrap();
        }
    }
}

#[test]
fn an_extended_count_has_periods_of_27_bits() {
    let (device, records) = (device(&ZEN_2), Records::<11, 2>::new());
    let sampler = op(&ZEN_2, &device);
    start(&records, &sampler, Op::OPS, 0x7FF_FFF0);
    device.advance(0x7FF_FFEF, 0);
    retire(&device, &records, &sampler, [1, 2, 3]);
    assert_eq!(addresses(&records, &sampler), [2]);
}

#[test]
fn a_program_of_ops_is_no_program_of_fetches() {
    fn program_of<S: Sampler<Program: 'static>>() -> TypeId {
        TypeId::of::<S::Program>()
    }
    assert_ne!(program_of::<Op<&Bench>>(), program_of::<Fetch<&Bench>>());
}

#[test]
fn cycles_are_counted_if_they_are_asked_for() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = op(&ZEN_4, &device);
    for event in [Event::CYCLES, Event::raw(0)] {
        start(&records, &sampler, event, 1600);
        device.advance(100_000, 1599);
        retire(&device, &records, &sampler, [1, 2, 3]);
        assert_eq!(addresses(&records, &sampler), [2]);
        records.stop(&sampler, 0).unwrap();
    }
}

#[test]
fn a_period_of_ops_begins_at_the_number_that_hardware_chose() {
    let (device, records) = (device(&ZEN_4), Records::<11, 16>::new());
    let sampler = op(&ZEN_4, &device);
    start(&records, &sampler, Op::OPS, PERIOD);
    let mut expected = Vec::new();
    let mut next = PERIOD;
    for random in [0, 1, 63, 127, 5] {
        device.randomise(random);
        expected.push(next);
        let last = expected.iter().rev().nth(1).map_or(0, |last| last + 1);
        retire(&device, &records, &sampler, last..=next);
        next += 1 + PERIOD - u64::from(random);
    }
    assert_eq!(addresses(&records, &sampler), expected);
}

#[test]
fn a_period_of_cycles_begins_at_0() {
    let (device, records) = (device(&ZEN_4), Records::<11, 16>::new());
    let sampler = op(&ZEN_4, &device);
    device.randomise(99);
    start(&records, &sampler, Event::CYCLES, PERIOD);
    retire(&device, &records, &sampler, 0..2 * PERIOD + 2);
    assert_eq!(addresses(&records, &sampler), [PERIOD, 2 * PERIOD + 1]);
}

#[test]
fn an_op_that_is_aborted_leaves_no_record_and_the_period_begins_anew() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = op(&ZEN_4, &device);
    start(&records, &sampler, Op::OPS, PERIOD);
    device.advance(PERIOD, 0);
    device.abort();
    assert_eq!((records.on_interrupt(&sampler, AT), device.until_tagged()), (Handled::NotMine, Some(PERIOD)));
    (0..3).for_each(|_| device.abort());
    assert_eq!(device.until_tagged(), Some(PERIOD - 3), "ops that do not retire are dispatched");
}

#[test]
fn a_filter_keeps_what_missed_the_third_level_alone() {
    let (device, records) = (device(&ZEN_4), Records::<11, 16>::new());
    let sampler = op(&ZEN_4, &device);
    start(&records, &sampler, Event::raw(1 << 19 | 1 << 16), PERIOD);
    let sources = [
        None,
        Some(DataSource::Level1),
        Some(DataSource::Level3),
        Some(DataSource::NearCache),
        Some(DataSource::Memory),
        Some(DataSource::FarMemory),
        Some(DataSource::Uncached),
    ];
    for (address, source) in (0..).zip(sources) {
        device.advance(PERIOD, 0);
        let mut load = Record::new(address);
        (load.operation, load.source) = (Some(pmu::precise::Operation::Load), source);
        device.retire(&load);
        let is_there = (3..=5).contains(&address);
        assert_eq!(records.on_interrupt(&sampler, AT).is_mine(), is_there, "{source:?}");
    }
    assert_eq!(addresses(&records, &sampler), [3, 4, 5]);
}

#[test]
fn a_million_records_are_all_accounted_for() {
    const RECORDS: u64 = 1_000_000;
    let (device, records) = (device(&ZEN_4), Records::<11, 64>::new());
    let sampler = op(&ZEN_4, &device);
    start(&records, &sampler, Op::OPS, PERIOD);
    let (mut kept, mut lost) = (0, 0);
    for batch in 0.. {
        // Every other batch is greater than the ring.
        let count = [50, 75][batch % 2].min(RECORDS - kept - lost);
        if count == 0 {
            break;
        }
        let first = kept + lost;
        for address in first..first + count {
            device.advance(PERIOD, 0);
            device.retire(&Record::new(address));
            assert_eq!(records.on_interrupt(&sampler, AT), Handled::Overflow);
        }
        let fits = count.min(64);
        assert!(records.read(&sampler).unwrap().map(|record| record.address.unwrap()).eq(first..first + fits));
        (kept, lost) = (kept + fits, lost + count - fits);
    }
    let statistics = records.statistics();
    assert_eq!((statistics.received, statistics.lost.ring_full, statistics.waiting), (kept, lost, 0));
    assert!(kept + lost == RECORDS && lost > RECORDS / 20);
}
