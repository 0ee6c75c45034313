//! A status that says of an overflow later than the interrupt.

use std::cell::Cell;

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Msr, Unattached};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

use crate::support::registers::Altered;

/// Takes the interrupt of an overflow that the status says of only at the read after the next `reads`, and then another
/// one for which there is no overflow. Returns what the handler made of them, and the number of samples.
fn interrupt(reads: u64) -> ([Handled; 2], usize) {
    let left = Cell::new(0_u64);
    let lags = |at| at == Msr::GLOBAL_STATUS && left.replace(left.get().saturating_sub(1)) > 0;
    let registers = Altered::new(Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected))
        .reading(|device, at| if lags(at) { 0 } else { device.read(at) });
    let unit = Unit::<Intel<_, _>, 8>::new();
    let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &registers, Unattached).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    registers.advance(&Work::instructions(Mode::Kernel, 1000));
    left.set(reads);
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
