//! What is added to ArceOS on AArch64: the overflow interrupt, by its own framework.

use ax_runtime::hal;
use ax_runtime::hal::irq::{self, CpuMask, InterruptedPrivilege, IrqReturn};
use pmu::{Interrupted, Mode, Result};

use crate::glue::{self, Mine};

pub type Driver = pmu::arch::Driver<Mine>;

pub fn detect() -> Result<Driver> {
    // SAFETY: ArceOS runs at EL1 and leaves the unit alone; the interrupt has its handler.
    unsafe { pmu::arch::detect(Mine) }
}

/// Handles the interrupt that the device tree names, on all CPUs.
pub fn install_interrupt() -> Result<(), irq::IrqError> {
    let all = CpuMask::first_n(hal::cpu_num());
    irq::request_percpu_irq(hal::pmu::irq()?, all, |_| {
        let Some(at) = irq::interrupted_context() else { return IrqReturn::Unhandled };
        let mode = if at.privilege == InterruptedPrivilege::User { Mode::User } else { Mode::Kernel };
        let is_mine = glue::on_overflow(Interrupted::new(at.pc as u64, mode));
        if is_mine { IrqReturn::Handled } else { IrqReturn::Unhandled }
    })
    .map(drop)
}
