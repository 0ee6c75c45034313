//! A status that says of an overflow later than the interrupt.

use std::cell::Cell;

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Msr, Unattached};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

use crate::support::registers;

/// A unit whose status is what it was before, as often as it is told.
struct Lagging {
    device: Device<Unconnected>,
    reads: Cell<u64>,
}

impl Registers for &Lagging {
    type Address = Msr;
    type Index = Index;

    registers::rest_of!(device);

    fn read(&self, at: Msr) -> u64 {
        let left = self.reads.get();
        if at != Msr::GLOBAL_STATUS || left == 0 {
            return self.device.read(at);
        }
        self.reads.set(left - 1);
        0
    }

    fn write(&self, at: Msr, value: u64) {
        self.device.write(at, value);
    }
}

/// Takes the interrupt of an overflow that the status says of only at the read after the next `reads`, and then another
/// one for which there is no overflow. Returns what the handler made of them, and the number of samples.
fn interrupt(reads: u64) -> ([Handled; 2], usize) {
    let unit_device =
        Lagging { device: Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected), reads: Cell::new(0) };
    let unit = Unit::<Intel<_, _>, 8>::new();
    let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &unit_device, Unattached).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    unit_device.device.advance(&Work::instructions(Mode::Kernel, 1000));
    unit_device.reads.set(reads);
    let handled = [(); 2].map(|()| unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)));
    let samples = unit.samples().unwrap().count();
    (handled, samples)
}

#[test]
fn an_interrupt_looks_again_before_it_finds_no_overflow() {
    assert_eq!(interrupt(0), ([Handled::Overflow, Handled::NotMine], 1));
    assert_eq!(interrupt(1), ([Handled::Overflow, Handled::NotMine], 1), "the status came late");
    assert_eq!(interrupt(2), ([Handled::NotMine, Handled::Overflow], 1), "it came later still");
}
