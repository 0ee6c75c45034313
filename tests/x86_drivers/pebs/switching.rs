//! Stops and starts: of a thread that is switched, and with interrupts amid them.

use super::*;

use std::cell::Cell;

use pmu::arch::x86::Index;
use pmu::arch::x86::intel::pebs::Register;
use pmu::driver::{Masked, Registers};

#[test]
fn a_thread_goes_on_with_the_rest_of_its_period() {
    for identity in BOTH {
        let (device, records) = (device(&identity, Page::new()), Records::<10, 4>::new());
        let of = sampler(&identity, &device);
        start(&records, &of, EVENT, PERIOD);
        device.advance(&many(400));
        let rest = records.stop(&of, 1).unwrap();
        start(&records, &of, Event::raw(STORES), PERIOD);
        device.advance(&many(5000));
        records.stop(&of, 2).unwrap();
        records.start(&of, rest);
        assert_eq!(device.until_recorded(&one()), Some(PERIOD - 400));
        device.advance(&many(PERIOD - 400));
        retire_all(&device, &records, &of, [5]);
        assert_eq!(addresses(&records, &of), [5]);
        assert_eq!(device.until_recorded(&one()), Some(PERIOD), "the next period is whole");
    }
}

#[test]
fn a_stop_between_the_overflow_and_its_record_delays_that() {
    let (device, records) = (device(&SKYLAKE, Page::new()), Records::<10, 4>::new());
    let of = sampler(&SKYLAKE, &device);
    start(&records, &of, EVENT, PERIOD);
    device.advance(&many(PERIOD));
    let rest = records.stop(&of, 1).unwrap();
    records.start(&of, rest);
    retire_all(&device, &records, &of, 1..=4);
    assert_eq!(addresses(&records, &of), [3]);
}

#[test]
fn a_switch_takes_all_records_of_a_thread_with_its_number() {
    for identity in BOTH {
        let (device, records) = (device(&identity, Page::new()), Records::<10, 8>::new());
        let of = sampler(&identity, &device).with_threshold(6).unwrap();
        let mut program = records.encode(&of, &Request::new(EVENT).modes(Modes::USER).every(PERIOD)).unwrap();
        for thread in [1, 2] {
            records.start(&of, program);
            for address in 0..3 {
                device.advance(&many(PERIOD));
                retire_all(&device, &records, &of, [address]);
            }
            program = records.stop(&of, thread).unwrap();
        }
        let found = records.read(&of).unwrap().map(|record| (record.thread, record.address.unwrap()));
        assert!(found.eq([(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]));
    }
}

#[test]
fn a_stop_that_finds_the_memory_full_begins_the_next_period() {
    let device = device(&SKYLAKE, Page::of(&SKYLAKE, 4));
    let (of, records) = (sampler(&SKYLAKE, &device), Records::<10, 8>::new());
    start(&records, &of, EVENT, PERIOD);
    for address in 1..=5 {
        device.advance(&many(PERIOD));
        retire(&device, &one(), &Record::new(address));
    }
    let rest = records.stop(&of, 1).unwrap();
    records.start(&of, rest);
    assert_eq!(device.until_recorded(&one()), Some(PERIOD));
}

/// The registers of a device, with an interrupt before one of the accesses.
struct Interrupting<'d> {
    device: &'d Bench,
    before: Cell<Option<u32>>,
    interrupt: &'d dyn Fn(),
}

impl Interrupting<'_> {
    fn access(&self) {
        let left = self.before.get().map(|left| left.checked_sub(1));
        if left == Some(None) {
            self.before.set(None);
            (self.interrupt)();
        } else {
            self.before.set(left.flatten());
        }
    }
}

impl Registers for Interrupting<'_> {
    type Address = Register;
    type Index = Index;
    type Kernel = pmu::OneCpu;

    fn kernel(&self) -> pmu::OneCpu {
        pmu::OneCpu
    }

    fn read(&self, at: Register) -> u64 {
        self.access();
        self.device.read(at)
    }

    fn write(&self, at: Register, value: u64) {
        self.access();
        self.device.write(at, value);
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.access();
        self.device.read_counter(index)
    }

    fn ticks(&self) -> u64 {
        0
    }

    fn mask(&self) -> Masked {
        self.device.mask()
    }

    fn unmask(&self, before: Masked) {
        self.device.unmask(before);
    }
}

/// Before each access of a stop an interrupt comes, before which an instruction was recorded, and after which another one was.
#[test]
fn an_interrupt_before_any_access_of_a_stop_leaves_each_record_once() {
    for identity in BOTH {
        for when in 0..8 {
            let (device, records) = (device(&identity, Page::new()), Records::<10, 8>::new());
            let plain = sampler(&identity, &device);
            let written = Cell::new(0);
            let sample = |address| {
                device.advance(&many(PERIOD));
                let is_recorded = retire(&device, &one(), &Record::new(address)) == Outcome::Recorded;
                written.set(written.get() + u64::from(is_recorded));
            };
            let interrupt = || {
                sample(2);
                let _ = records.on_interrupt(&plain, AT);
                sample(3);
            };
            let registers = Interrupting { device: &device, before: Cell::new(None), interrupt: &interrupt };
            let of = Pebs::detect(&identity, &registers, Unattached, device.memory().0).unwrap();
            let request = Request::new(EVENT).modes(Modes::USER).every(PERIOD);
            records.start(&of, records.encode(&of, &request).unwrap());
            sample(1);
            registers.before.set(Some(when));
            let rest = records.stop(&of, 3).unwrap();
            let found: Vec<_> = records.read(&of).unwrap().map(|record| record.address.unwrap()).collect();
            assert!(found.iter().copied().eq(1..=written.get()), "{when}: {found:?} of {}", written.get());
            assert_eq!(device.until_recorded(&one()), None, "{when}: it is stopped");
            registers.before.set(None);
            records.start(&of, rest);
            assert!(device.until_recorded(&one()).is_some(), "{when}");
        }
    }
}

/// The same of a start: the interrupt finds nothing, and what is sampled after the start is recorded.
#[test]
fn an_interrupt_before_any_access_of_a_start_does_not_hinder_it() {
    for when in 0..12 {
        let (device, records) = (device(&SKYLAKE, Page::new()), Records::<10, 8>::new());
        let plain = sampler(&SKYLAKE, &device);
        let interrupt = || {
            let _ = records.on_interrupt(&plain, AT);
        };
        let registers = Interrupting { device: &device, before: Cell::new(None), interrupt: &interrupt };
        let of = Pebs::detect(&SKYLAKE, &registers, Unattached, device.memory().0).unwrap();
        let request = Request::new(EVENT).modes(Modes::USER).every(PERIOD);
        let program = records.encode(&of, &request).unwrap();
        registers.before.set(Some(when));
        records.start(&of, program);
        assert_eq!(device.until_recorded(&one()), Some(PERIOD), "{when}");
    }
}
