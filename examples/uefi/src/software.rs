//! A processor that has no unit, with one in software: it is told what was executed, and raises its NMI.

use core::arch::asm;
use core::cell::{Cell, OnceCell};

use pmu::Mode;
use pmu::arch::x86::intel::{Device, Identity};
use pmu::driver::WithKernel;
use pmu::virt::{Device as _, Kinds, Trigger, Work};

use crate::{Mine, OneCpu};

pub const CPUID: Identity = Identity::SKYLAKE;
pub type Registers = WithKernel<&'static Device<Wire>, Mine>;

/// The line from the unit to the processor.
pub struct Wire(Cell<bool>);

impl Trigger for Wire {
    fn interrupt(&self) {
        self.0.set(true);
    }
}

static DEVICE: OneCpu<OnceCell<Device<Wire>>> = OneCpu(OnceCell::new());

fn device() -> &'static Device<Wire> {
    DEVICE.0.get_or_init(|| Device::new(&CPUID, Kinds::CLOCK, Wire(Cell::new(false))))
}

pub fn registers() -> Registers {
    WithKernel::new(device(), Mine)
}

pub fn executed(instructions: u64) {
    let one = Work::instructions(Mode::Kernel, 1);
    let mut rest = instructions;
    while rest > 0 {
        let step = device().until_overflow(&one).map_or(rest, |next| next.min(rest));
        device().advance(&Work::instructions(Mode::Kernel, step));
        rest -= step;
        if device().trigger().0.take() {
            // SAFETY: vector 2 has the entry of an NMI, which returns with every register as it was.
            unsafe { asm!("int 2") };
        }
    }
}
