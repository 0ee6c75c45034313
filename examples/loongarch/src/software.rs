//! Where there is no unit: a CPU's unit in software, with the driver that a real one would have. QEMU has none for LoongArch.

use core::arch::asm;
use core::cell::{Cell, OnceCell};
use core::sync::atomic::Ordering::Relaxed;

use pmu::arch::loongarch::la64::{Device, Identity, La64};
use pmu::driver::WithKernel;
use pmu::virt::{Device as _, Kinds, Trigger, Work};
use pmu::{Interrupted, Mode, Result, Unit};

use crate::{Mine, tour};

/// The same unit as in `main.rs`, over other registers.
type Driver = La64<WithKernel<&'static Device<Wire>, Mine>>;

/// The processor that is shown: its unit, and the unit's counters in software.
pub struct Software {
    pub unit: Unit<Driver, 512>,
    device: OnceCell<Device<Wire>>,
}

// SAFETY: one CPU uses it, whose exception comes between two steps of the device.
unsafe impl Sync for Software {}

pub static SOFTWARE: Software = Software { unit: Unit::new(), device: OnceCell::new() };

/// The line from the unit to the processor.
#[derive(Default)]
pub struct Wire(Cell<bool>);

impl Trigger for Wire {
    fn interrupt(&self) {
        self.0.set(true);
    }
}

impl Software {
    /// Claims the unit, as `main.rs` claims a real one.
    pub fn claim(&'static self) -> Result<()> {
        let device = self.device.get_or_init(|| Device::new(&Identity::LOONGSON_3A6000, Kinds::CLOCK, Wire::default()));
        self.unit.claim(La64::detect(WithKernel::new(device, Mine))?)?;
        Ok(())
    }
}

/// What BREAK stands for. Software cannot raise interrupt 10: ESTAT has it read-only.
pub fn on_break(at: Interrupted) {
    let handled = SOFTWARE.unit.on_overflow(at.in_thread(tour::RUNNING.load(Relaxed)));
    assert!(handled.is_mine(), "nobody wants this BREAK");
}

/// Nothing is executed: the unit is told that it was, and raises its interrupt after the instruction that overflows.
impl tour::Work for Software {
    #[inline(always)]
    fn run(&self, instructions: u64) {
        let Some(device) = self.device.get() else { return };
        let mut rest = instructions;
        while rest > 0 {
            let step = device.until_overflow(&Work::instructions(Mode::Kernel, 1)).map_or(rest, |next| next.min(rest));
            device.advance(&Work::instructions(Mode::Kernel, step));
            rest -= step;
            if device.trigger().0.take() {
                // SAFETY: the exception's handler returns behind BREAK, with every register as it was.
                unsafe { asm!("break 0") };
            }
        }
    }
}
