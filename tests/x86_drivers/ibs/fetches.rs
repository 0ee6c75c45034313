//! The sampler of fetches.

use super::*;

use pmu::precise::{DataSource, Operation, Translation};

const PERIOD: u64 = 16;

fn fetches(device: &Bench, records: &Records<6, 16>, sampler: &impl Sampler, of: impl IntoIterator<Item = u64>) {
    for address in of {
        let is_tagged = device.until_fetch() == Some(0);
        device.fetch(&Record::new(address));
        assert_eq!(is_tagged && records.on_interrupt(sampler, AT) == Handled::Overflow, is_tagged);
    }
}

#[test]
fn the_fetch_after_each_nth_is_sampled_and_named() {
    for identity in ALL {
        for period in [PERIOD, 0x400, 0xF_FFF0] {
            let (device, records) = (device(&identity), Records::<6, 16>::new());
            let sampler = fetch(&identity, &device);
            start(&records, &sampler, Event::raw(0), period);
            for sample in 0..3 {
                device.advance_fetches(period - 10);
                fetches(&device, &records, &sampler, 0x1000 * sample..0x1000 * sample + 11);
            }
            assert_eq!(addresses(&records, &sampler), [10, 0x100A, 0x200A], "{}: {period}", identity.name());
        }
    }
}

#[test]
fn the_low_bits_of_the_count_begin_at_random_if_they_are_to() {
    for (event, expected) in [(Fetch::FETCHES, PERIOD - 5), (Event::raw(0), PERIOD)] {
        let (device, records) = (device(&ZEN_4), Records::<6, 16>::new());
        let sampler = fetch(&ZEN_4, &device);
        device.randomise(5);
        start(&records, &sampler, event, PERIOD);
        assert_eq!(device.until_fetch(), Some(expected));
    }
}

#[test]
fn what_the_hardware_knows_of_a_fetch_is_in_its_record() {
    for (source, known) in [
        (DataSource::Level1, Some(DataSource::Level1)),
        (DataSource::Level2, Some(DataSource::Level2)),
        (DataSource::Level3, Some(DataSource::Level3)),
        (DataSource::Memory, None),
    ] {
        for translation in [Translation::Level1, Translation::Level2, Translation::Missed] {
            let (device, records) = (device(&ZEN_4), Records::<6, 16>::new());
            let sampler = fetch(&ZEN_4, &device);
            start(&records, &sampler, Fetch::FETCHES, PERIOD);
            let mut fetch = Record::new(0xFFFF_FFFF_8100_0040);
            (fetch.operation, fetch.physical_address) = (Some(Operation::Fetch), Some(0x100_0040));
            (fetch.source, fetch.latency, fetch.translation) = (Some(source), Some(300), Some(translation));
            device.advance_fetches(PERIOD);
            device.fetch(&fetch);
            assert_eq!(records.on_interrupt(&sampler, AT), Handled::Overflow);
            let record = records.read(&sampler).unwrap().next().unwrap();
            fetch.source = known;
            (fetch.interrupted, fetch.mode, fetch.thread) = (Some(AT.address), Some(AT.mode), AT.thread);
            assert_eq!(record, fetch);
        }
    }
}

#[test]
fn a_filter_keeps_fetches_that_missed_the_third_level_alone() {
    let (device, records) = (device(&ZEN_4), Records::<6, 16>::new());
    let sampler = fetch(&ZEN_4, &device);
    start(&records, &sampler, Event::raw(1 << 59), PERIOD);
    for (address, source) in [(1, DataSource::Level3), (2, DataSource::Memory), (3, DataSource::Level1)] {
        device.advance_fetches(PERIOD);
        let mut fetch = Record::new(address);
        fetch.source = Some(source);
        device.fetch(&fetch);
        assert_eq!(records.on_interrupt(&sampler, AT).is_mine(), address == 2);
    }
}

#[test]
fn fetches_and_ops_are_sampled_beside_each_other_through_one_line() {
    let device = device(&ZEN_4);
    let (of_ops, ops) = (op(&ZEN_4, &device), Records::<11, 4>::new());
    let (of_fetches, fetches) = (fetch(&ZEN_4, &device), Records::<6, 4>::new());
    start(&ops, &of_ops, Op::OPS, 144);
    start(&fetches, &of_fetches, Event::raw(0), PERIOD);
    let serve = || [ops.on_interrupt(&of_ops, AT), fetches.on_interrupt(&of_fetches, AT)];
    device.advance_fetches(PERIOD);
    device.fetch(&Record::new(1));
    assert_eq!(serve(), [Handled::NotMine, Handled::Overflow]);
    device.advance(144, 0);
    device.retire(&Record::new(2));
    assert_eq!(serve(), [Handled::Overflow, Handled::NotMine]);
    device.advance_fetches(PERIOD);
    device.advance(144, 0);
    device.fetch(&Record::new(3));
    device.retire(&Record::new(4));
    assert_eq!(serve(), [Handled::Overflow; 2], "one NMI may stand for both");
    assert_eq!((addresses(&ops, &of_ops), addresses(&fetches, &of_fetches)), (vec![2, 4], vec![1, 3]));
}
