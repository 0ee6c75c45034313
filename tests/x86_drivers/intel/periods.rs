//! What is left of a period and of its interrupt: after a rebind, in parts, and amid another start.

use std::cell::RefCell;

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Msr, Unattached};
use pmu::driver::Registers as _;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, Event, Handled, Interrupted, Mode, Pmu, Request, Unit};

use crate::support::registers::{Altered, Step};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const AT: Interrupted = Interrupted::new(0x1000, Mode::Kernel);

/// What happens once before the next write of the global control.
type Meddle = RefCell<Option<Box<dyn FnOnce()>>>;

type Registers = Altered<'static, Device<Unconnected>>;
type Driver = Intel<&'static Registers, Unattached>;

struct Bench {
    registers: &'static Registers,
    meddle: &'static Meddle,
    unit: &'static Unit<Driver, 16>,
    pmu: Pmu<'static, Driver>,
}

impl Bench {
    fn new() -> Self {
        let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
        let meddle: &'static Meddle = Box::leak(Box::default());
        let registers = Altered::new(device).before(|_, step| {
            if let Step::Write(Msr::GLOBAL_CONTROL, _) = step
                && let Some(meddle) = meddle.take()
            {
                meddle();
            }
        });
        let registers = registers.leaked();
        let unit: &'static Unit<Driver, 16> = Box::leak(Box::default());
        let driver = Intel::detect(&Identity::SKYLAKE, registers, Unattached).unwrap();
        Self { registers, meddle, unit, pmu: unit.claim(driver).unwrap() }
    }

    fn work(&self, instructions: u64) {
        self.registers.advance(&Work::instructions(Mode::Kernel, instructions));
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
    let value = bench.registers.read_counter(Index::of(crate::intel::counter(0)));
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
    let Bench { registers, meddle, unit, .. } = bench;
    *meddle.borrow_mut() = Some(Box::new(move || {
        registers.advance(&Work::instructions(Mode::Kernel, 1));
        assert_eq!(unit.on_overflow(AT), Handled::Overflow);
    }));
    other.start().unwrap();
    assert_eq!((shot.has_ended(0), meddle.borrow().is_none()), (true, true));
    assert_eq!(unit.on_overflow(AT), Handled::NotMine);
}
