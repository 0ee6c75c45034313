//! What is left of a period and of its interrupt: after a rebind, in parts, and amid another start.

use std::cell::RefCell;

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Msr, Unattached};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, Event, Handled, Interrupted, Mode, Pmu, Request, Unit};

use crate::support::registers;

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const AT: Interrupted = Interrupted::new(0x1000, Mode::Kernel);

/// A unit where something happens once before the next write of the global control.
struct Meddled {
    device: Device<Unconnected>,
    before_run: RefCell<Option<Box<dyn FnOnce()>>>,
}

impl Registers for &Meddled {
    type Address = Msr;
    type Index = Index;

    registers::rest_of!(device);

    fn read(&self, at: Msr) -> u64 {
        self.device.read(at)
    }

    fn write(&self, at: Msr, value: u64) {
        if at == Msr::GLOBAL_CONTROL
            && let Some(meddle) = self.before_run.take()
        {
            meddle();
        }
        self.device.write(at, value);
    }
}

type Driver = Intel<&'static Meddled, Unattached>;

struct Bench {
    registers: &'static Meddled,
    unit: &'static Unit<Driver, 16>,
    pmu: Pmu<'static, Driver>,
}

impl Bench {
    fn new() -> Self {
        let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
        let registers: &'static Meddled = Box::leak(Box::new(Meddled { device, before_run: RefCell::default() }));
        let unit: &'static Unit<Driver, 16> = Box::leak(Box::default());
        let driver = Intel::detect(&Identity::SKYLAKE, registers, Unattached).unwrap();
        Self { registers, unit, pmu: unit.claim(driver).unwrap() }
    }

    fn work(&self, instructions: u64) {
        self.registers.device.advance(&Work::instructions(Mode::Kernel, instructions));
    }
}

#[test]
fn a_sample_of_a_request_that_its_thread_does_not_make_any_more_is_of_none() {
    let bench = Bench::new();
    let mut context = Context::<_, 2>::new(7);
    context.bind(&bench.pmu, [INSTRUCTIONS, INSTRUCTIONS.every(1000)]).unwrap();
    bench.pmu.switch_in(&mut context);
    bench.work(1000);
    assert_eq!(bench.unit.on_overflow(AT.in_thread(7)), Handled::Overflow);
    bench.pmu.switch_out(&mut context);
    let sample = bench.unit.samples().unwrap().next().unwrap();
    assert_eq!(context.request_of(&sample), Some(1));
    context.unbind().unwrap();
    context.bind(&bench.pmu, [INSTRUCTIONS]).unwrap();
    assert_eq!(context.request_of(&sample), None);
}

#[test]
fn a_period_that_is_too_long_for_its_counter_has_no_part_that_is_short() {
    let bench = Bench::new();
    let width = bench.pmu.description().general_width;
    let _session =
        bench.pmu.open([INSTRUCTIONS.every(width.longest() + 1).pinned_to(crate::intel::counter(0))]).unwrap();
    let value = bench.registers.device.read_counter(Index::of(crate::intel::counter(0)));
    let (first, most) = (width.mask() - value + 1, width.longest());
    let parts = [first, most + 1 - first];
    assert!(parts.iter().all(|part| 2 * part >= most), "{parts:?} of {most}");
}

/// The other start has run the counter again, but it has not overflowed since.
#[test]
fn a_one_shot_that_ended_amid_another_start_lets_no_interrupt_be_expected() {
    let bench = Bench::new();
    let (mut shot, mut other) =
        (bench.pmu.open([INSTRUCTIONS.once_after(1000)]).unwrap(), bench.pmu.open([INSTRUCTIONS]).unwrap());
    shot.start().unwrap();
    bench.work(999);
    let Bench { registers, unit, .. } = bench;
    *registers.before_run.borrow_mut() = Some(Box::new(move || {
        registers.device.advance(&Work::instructions(Mode::Kernel, 1));
        assert_eq!(unit.on_overflow(AT), Handled::Overflow);
    }));
    other.start().unwrap();
    assert_eq!((shot.has_ended(0), registers.before_run.borrow().is_none()), (true, true));
    assert_eq!(unit.on_overflow(AT), Handled::NotMine);
}
