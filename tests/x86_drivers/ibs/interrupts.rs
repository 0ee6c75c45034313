//! The interrupt: what it costs, whose it is, and when it comes late.

use super::*;

use crate::support::registers::Altered;
use pmu::Error;
use pmu::arch::x86::amd::ibs::Register;
use pmu::driver::{Access, Recorder, Registers};
use std::cell::Cell;

/// The accesses of an interrupt that finds a record.
fn accesses<S: Sampler, const W: usize>(
    sampler: &S,
    records: &Records<W, 2>,
    registers: &Recorder<&Bench, 16>,
) -> [Vec<Register>; 2] {
    registers.clear();
    assert_eq!(records.on_interrupt(sampler, AT), Handled::Overflow);
    let all = || (0..registers.len()).map(|number| registers.access(number).unwrap());
    let read = all().filter_map(|access| if let Access::Read(at, _) = access { Some(at) } else { None });
    let written = all().filter_map(|access| if let Access::Write(at, _) = access { Some(at) } else { None });
    [read.collect(), written.collect()]
}

#[test]
fn an_interrupt_reads_each_register_once_and_writes_one() {
    for (identity, has_target) in [(FAMILY_10H, false), (ZEN_2, true), (ZEN_4, true)] {
        let device = device(&identity);
        let registers = Recorder::<_, 16>::new(&device);
        let (sampler, records) = (Op::detect(&identity, &registers).unwrap(), Records::<11, 2>::new());
        start(&records, &sampler, Op::OPS, PERIOD);
        device.advance(PERIOD, 0);
        device.retire(&Record::new(1));
        let [read, written] = accesses(&sampler, &records, &registers);
        let numbers: Vec<_> = read.iter().map(|at| at.address()).collect();
        let expected = (0xC001_1033..=0xC001_1039).chain(has_target.then_some(0xC001_103B));
        assert_eq!((numbers, written), (expected.collect(), vec![Register::OpControl]));
    }
}

#[test]
fn an_interrupt_of_fetches_writes_the_control_twice_where_a_count_needs_it() {
    for (identity, writes) in [(FAMILY_10H, 1), (ZEN_2, 2), (ZEN_4, 1)] {
        let device = device(&identity);
        let registers = Recorder::<_, 16>::new(&device);
        let (sampler, records) = (Fetch::detect(&identity, &registers).unwrap(), Records::<6, 2>::new());
        start(&records, &sampler, Fetch::FETCHES, 16);
        device.advance_fetches(16);
        device.fetch(&Record::new(1));
        let [read, written] = accesses(&sampler, &records, &registers);
        assert_eq!((read.len(), written), (3, vec![Register::FetchControl; writes]));
    }
}

#[test]
fn an_interrupt_without_a_record_is_somebody_elses_and_changes_nothing() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = op(&ZEN_4, &device);
    assert_eq!(records.on_interrupt(&sampler, AT), Handled::NotMine, "it has never run");
    start(&records, &sampler, Op::OPS, PERIOD);
    device.advance(100, 0);
    assert_eq!((records.on_interrupt(&sampler, AT), device.until_tagged()), (Handled::NotMine, Some(PERIOD - 100)));
}

#[test]
fn one_interrupt_after_a_stop_is_claimed() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = op(&ZEN_4, &device);
    for is_there in [false, true] {
        start(&records, &sampler, Op::OPS, PERIOD);
        device.advance(if is_there { PERIOD } else { 1 }, 0);
        device.retire(&Record::new(1));
        records.stop(&sampler, 3).unwrap();
        let handled = [(); 3].map(|()| records.on_interrupt(&sampler, AT));
        assert_eq!(handled, [Handled::Late, Handled::NotMine, Handled::NotMine]);
    }
    let record = records.read(&sampler).unwrap().next().unwrap();
    assert_eq!((record.address, record.interrupted, record.mode, record.thread), (Some(1), None, None, 3));
}

#[test]
fn an_interrupt_that_is_late_for_long_is_somebody_elses() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let now = Cell::new(0);
    let clock = || now.get();
    for (passed, handled) in [(1 << 28, Handled::Late), ((1 << 28) + 1, Handled::NotMine)] {
        let sampler = Op::detect(&ZEN_4, Clocked(&device, &clock)).unwrap();
        start(&records, &sampler, Op::OPS, PERIOD);
        records.stop(&sampler, 0).unwrap();
        now.set(now.get() + passed);
        assert_eq!(records.on_interrupt(&sampler, AT), handled);
    }
}

/// The device with a clock.
struct Clocked<'d, F>(&'d Bench, F);

impl<F: Fn() -> u64> Registers for Clocked<'_, F> {
    type Address = Register;
    type Index = core::convert::Infallible;
    type Kernel = pmu::OneCpu;

    fn kernel(&self) -> pmu::OneCpu {
        pmu::OneCpu
    }

    fn read(&self, at: Register) -> u64 {
        self.0.read(at)
    }

    fn write(&self, at: Register, value: u64) {
        self.0.write(at, value);
    }

    fn read_counter(&self, index: core::convert::Infallible) -> u64 {
        match index {}
    }

    fn ticks(&self) -> u64 {
        self.1()
    }

    fn mask(&self) -> pmu::driver::Masked {
        self.0.mask()
    }

    fn unmask(&self, before: pmu::driver::Masked) {
        self.0.unmask(before);
    }
}

#[test]
fn a_record_has_the_time_at_which_it_was_taken_in() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = Op::detect(&ZEN_4, Clocked(&device, || 4711)).unwrap();
    start(&records, &sampler, Op::OPS, PERIOD);
    device.advance(PERIOD, 0);
    device.retire(&Record::new(1));
    assert_eq!(records.on_interrupt(&sampler, AT), Handled::Overflow);
    assert_eq!(records.read(&sampler).unwrap().next().unwrap().time, Some(4711));
}

#[test]
fn an_interrupt_before_any_access_of_a_start_or_a_stop_leaves_each_record_once() {
    for when in 0..8 {
        let (device, records) = (device(&FAMILY_10H), Records::<11, 8>::new());
        let inner = op(&FAMILY_10H, &device);
        let (accesses, handled) = (Cell::new(0), Cell::new(None));
        let amid = Altered::new(&device).before(|_, _| {
            if accesses.replace(accesses.get() + 1) == when {
                handled.set(Some(records.on_interrupt(&inner, AT)));
            }
        });
        let sampler = Op::detect(&FAMILY_10H, amid).unwrap();
        start(&records, &inner, Op::OPS, PERIOD);
        device.advance(PERIOD, 0);
        device.retire(&Record::new(1));
        accesses.set(0);
        let program = records.stop(&sampler, 0).unwrap();
        let late = handled.take();
        records.start(&sampler, program);
        device.advance(PERIOD - 1, 0);
        assert_eq!(device.until_tagged(), Some(1), "{when}: a whole period");
        device.advance(1, 0);
        device.retire(&Record::new(2));
        assert_eq!(records.on_interrupt(&inner, AT), Handled::Overflow);
        assert_eq!(addresses(&records, &inner), [1, 2], "{when}");
        // It finds the record before the stop has disabled the sampler, and nothing after.
        let expected = [Some(Handled::Overflow), Some(Handled::Overflow), Some(Handled::Late), None];
        assert!(expected.contains(&late), "{when}: {late:?}");
        assert_eq!(records.on_interrupt(&inner, AT), Handled::NotMine);
    }
}

#[test]
fn an_op_that_is_tagged_amid_a_stop_and_taken_by_its_interrupt_begins_a_period() {
    let device = device(&ZEN_4);
    let (records, inner, accesses) = (Records::<11, 8>::new(), op(&ZEN_4, &device), Cell::new(0));
    let amid = Altered::new(&device).before(|_, _| {
        // After the stop has read the count, which is a step before the period's end.
        if accesses.replace(accesses.get() + 1) == 1 {
            device.advance(1, 0);
            device.retire(&Record::new(1));
            assert_eq!(records.on_interrupt(&inner, AT), Handled::Overflow);
        }
    });
    let sampler = Op::detect(&ZEN_4, amid).unwrap();
    start(&records, &inner, Op::OPS, PERIOD);
    device.advance(PERIOD - 1, 0);
    let program = records.stop(&sampler, 0).unwrap();
    records.start(&inner, program);
    assert_eq!(device.until_tagged(), Some(PERIOD));
}

#[test]
fn a_full_ring_keeps_the_oldest_records_and_counts_the_others() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = op(&ZEN_4, &device);
    start(&records, &sampler, Op::OPS, PERIOD);
    retire(&device, &records, &sampler, 0..5 * (PERIOD + 1));
    let text = "2 received, 2 waiting, 3 lost (3 ring full, 0 outrun, 0 stopped, 0 throttled)";
    assert_eq!(records.statistics().to_string(), text);
    let reader = records.read(&sampler).unwrap();
    assert_eq!(records.read(&sampler).err(), Some(Error::ReaderTaken));
    assert!(reader.map(|record| record.address.unwrap()).eq([PERIOD, 2 * PERIOD + 1]));
}
