//! The report over the devices: each line that the model answers has the model's value, and there are more than ten.

use std::cell::Cell;
use std::ops::Range;

use check::{Line, Refused, Stopped, Work, begin, check, end, model, of_arm, of_x86, read};
use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{self, Amd};
use pmu::arch::x86::intel::{self, Intel};
use pmu::driver::Driver;
use pmu::virt::{self, Device, Kinds, Trigger, Unconnected};
use pmu::{Interrupted, Mode, Unit};

/// Where the loop is.
const ADDRESSES: Range<u64> = 0x1000..0x1008;

/// The line of the overflow interrupt.
#[derive(Default)]
struct Wire(Cell<bool>);

impl Trigger for Wire {
    fn interrupt(&self) {
        self.0.set(true);
    }
}

/// A device that is told of a loop, and whose interrupts go to the unit.
struct Loop<'d, D: Driver, T> {
    device: &'d T,
    unit: &'d Unit<D, 64>,
    /// Whether the device interrupts.
    interrupts: fn(&T) -> bool,
    /// Whether its handler is installed.
    handled: Cell<bool>,
    /// Of so many instructions the device is not told of one.
    drops: u64,
}

impl<D: Driver, T: Device> Work for Loop<'_, D, T> {
    fn run(&self, times: u64) {
        let mut rest = 2 * times + 3;
        rest -= rest / self.drops;
        while rest > 0 {
            let one = virt::Work::instructions(Mode::Kernel, 1);
            let step = self.device.until_overflow(&one).map_or(rest, |next| next.min(rest));
            self.device.advance(&virt::Work::instructions(Mode::Kernel, step));
            rest -= step;
            if (self.interrupts)(self.device) && self.handled.get() {
                let _ = self.unit.on_overflow(Interrupted::new(ADDRESSES.start, Mode::Kernel));
            }
        }
    }

    fn addresses(&self) -> Range<u64> {
        ADDRESSES
    }
}

/// No instruction is dropped.
const NEVER: u64 = u64::MAX;

/// Returns the report of a unit over its device.
fn report<D: Driver, T: Device>(
    driver: D,
    device: &T,
    drops: u64,
    interrupts: fn(&T) -> bool,
    registers: impl FnOnce(&Unit<D, 64>, &mut String) -> Result<(), Stopped>,
) -> String {
    let unit = Unit::new();
    let pmu = unit.claim(driver).unwrap();
    let work = Loop { device, unit: &unit, interrupts, handled: Cell::new(false), drops };
    let mut text = String::new();
    begin(&mut text).unwrap();
    check(&unit, &work, &mut text).unwrap();
    registers(&unit, &mut text).unwrap();
    work.handled.set(true);
    check::interrupts(&unit, &work, &mut text).unwrap();
    end(&mut text).unwrap();
    pmu.release().unwrap();
    text
}

fn of_pmuv3(identity: &pmuv3::Identity, drops: u64) -> String {
    let device = pmuv3::Device::new(identity, Kinds::CLOCK, Unconnected);
    report(Pmuv3::detect(&device).unwrap(), &device, drops, pmuv3::Device::is_asserted, of_arm)
}

fn of_intel(identity: &intel::Identity) -> String {
    let device = intel::Device::new(identity, Kinds::CLOCK, Wire::default());
    let driver: Intel<_, _> = Intel::detect(identity, &device, Unattached).unwrap();
    report(driver, &device, NEVER, |device| device.trigger().0.take(), of_x86)
}

fn of_amd(identity: &amd::Identity) -> String {
    let device = amd::Device::new(identity, Kinds::CLOCK, Wire::default());
    let driver: Amd<_, _> = Amd::detect(identity, &device, Unattached).unwrap();
    report(driver, &device, NEVER, |device| device.trigger().0.take(), of_x86)
}

/// The lines whose value is not the model's.
fn differing(text: &str) -> Vec<Line<'_>> {
    let differs = |line: &Line<'_>| model(line.name).is_some_and(|value| value != line.value);
    read(text).unwrap().filter(differs).collect()
}

/// How many lines the model answers.
fn answered(text: &str) -> usize {
    read(text).unwrap().filter(|line| model(line.name).is_some()).count()
}

#[test]
fn every_device_answers_as_the_model() {
    let arm = pmuv3::Identity::ALL.iter().map(|identity| of_pmuv3(identity, NEVER));
    let intel = intel::Identity::ALL.iter().map(of_intel);
    let amd = amd::Identity::ALL.iter().map(of_amd);
    for text in arm.chain(intel).chain(amd) {
        assert_eq!(differing(&text), [], "{text}");
        assert!(answered(&text) > 10, "{text}");
    }
}

#[test]
fn an_event_that_is_dropped_is_a_difference_on_each_counter_of_instructions() {
    let text = of_pmuv3(&pmuv3::Identity::CORTEX_A57, 64);
    let differing = differing(&text);
    assert!(differing.iter().all(|line| line.name.ends_with("instructions in a loop of 2000")), "{text}");
    assert_eq!(differing.len(), 6, "{text}");
}

#[test]
fn a_report_is_found_amid_a_console() {
    let text = of_pmuv3(&pmuv3::Identity::CORTEX_A57, NEVER);
    let console = format!("UEFI firmware: booting\r\n{}and: on", text.replace('\n', "\r\n"));
    assert!(read(&console).unwrap().eq(read(&text).unwrap()));
}

#[test]
fn a_report_that_is_broken_off_is_refused() {
    let text = of_pmuv3(&pmuv3::Identity::CORTEX_A57, NEVER);
    assert_eq!(read(text.trim_end().strip_suffix("end: whole").unwrap()).err(), Some(Refused::BrokenOff));
    assert_eq!(read("unit: none").err(), Some(Refused::NoReport));
}
