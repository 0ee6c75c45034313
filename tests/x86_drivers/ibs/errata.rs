//! What the samplers do for the errata of some processors.

use super::*;

use pmu::arch::x86::amd::ibs::Register;
use pmu::branches::Branch;
use pmu::driver::{Access, Recorder};
use pmu::precise::{DataSource, Operation};

fn first_record<const W: usize>(records: &Records<W, 2>, sampler: &impl Sampler) -> Record {
    assert_eq!(records.on_interrupt(sampler, AT), Handled::Overflow);
    records.read(sampler).unwrap().next().unwrap()
}

fn sampled(identity: &Identity, of: &Record) -> Record {
    let (device, records) = (device(identity), Records::<11, 2>::new());
    let sampler = op(identity, &device);
    start(&records, &sampler, Op::OPS, PERIOD);
    device.advance(PERIOD, PERIOD);
    device.retire(of);
    first_record(&records, &sampler)
}

#[test]
fn the_period_of_a_family_10h_is_cleared_before_it_is_disabled() {
    for (identity, is_first) in [(FAMILY_10H, true), (ZEN_4, false)] {
        let device = device(&identity);
        let (records, sampler) =
            (Records::<11, 2>::new(), Op::detect(&identity, Recorder::<_, 8>::new(&device)).unwrap());
        start(&records, &sampler, Op::OPS, 0x1_0000);
        sampler.registers().clear();
        records.stop(&sampler, 0).unwrap();
        let at = Register::OpControl;
        let before = Access::Write(at, 1 << 19 | 1 << 17);
        let expected: Vec<_> = [Access::Read(at, 1 << 19 | 1 << 17 | 0x1000)]
            .into_iter()
            .chain(is_first.then_some(before))
            .chain([Access::Write(at, 1 << 19)])
            .collect();
        let done: Vec<_> = (0..sampler.registers().len()).filter_map(|n| sampler.registers().access(n)).collect();
        assert_eq!(done, expected, "{}", identity.name());
    }
}

#[test]
fn a_sample_amid_the_stop_of_a_family_10h_is_taken_once_and_enables_nothing() {
    let device = device(&FAMILY_10H);
    let (records, sampler) = (Records::<11, 2>::new(), op(&FAMILY_10H, &device));
    start(&records, &sampler, Op::OPS, 0x1_0000);
    // The first write of a stop, after which the processor samples at once.
    let [enable, valid] = [1 << 17, 1 << 18];
    device.try_write(Register::OpControl, 1 << 19 | valid | enable).unwrap();
    assert_eq!(records.on_interrupt(&sampler, AT), Handled::Overflow);
    assert_eq!(device.try_read(Register::OpControl), Ok(1 << 19));

    let (records, sampler) = (Records::<6, 2>::new(), fetch(&FAMILY_10H, &device));
    start(&records, &sampler, Fetch::FETCHES, 0x1_0000);
    let [enable, valid] = [1 << 48, 1 << 49];
    device.try_write(Register::FetchControl, valid | enable).unwrap();
    assert_eq!(records.on_interrupt(&sampler, AT), Handled::Overflow);
    assert_eq!(device.try_read(Register::FetchControl), Ok(0));
}

#[test]
fn the_source_of_a_prefetch_is_not_believed_on_zen_3() {
    for (identity, known) in [(ZEN_2, Some(DataSource::Memory)), (ZEN_3, None), (ZEN_4, Some(DataSource::Memory))] {
        let mut prefetch = Record::new(0x10);
        (prefetch.operation, prefetch.source) = (Some(Operation::Prefetch), Some(DataSource::Memory));
        let record = sampled(&identity, &prefetch);
        assert_eq!((record.operation, record.source), (Some(Operation::Prefetch), known), "{}", identity.name());
    }
}

#[test]
fn the_targets_of_the_first_family_15h_are_not_believed() {
    let mut op = Record::new(0x10);
    op.branch = Some(Branch::new(0x10, 0x40));
    for (identity, known) in [(FAMILY_15H, 0), (ZEN_2, 0x40)] {
        assert_eq!(sampled(&identity, &op).branch.map(|branch| branch.to), Some(known), "{}", identity.name());
    }
}

#[test]
fn a_fetch_of_address_0_has_none_on_zen_3() {
    for (identity, known) in [(ZEN_2, Some(0)), (ZEN_3, None), (ZEN_4, Some(0))] {
        let (device, records) = (device(&identity), Records::<6, 2>::new());
        let sampler = fetch(&identity, &device);
        start(&records, &sampler, Fetch::FETCHES, 16);
        device.advance_fetches(16);
        device.fetch(&Record::new(0));
        assert_eq!(first_record(&records, &sampler).address, known, "{}", identity.name());
    }
}
