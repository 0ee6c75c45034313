//! AArch64: the unit is used at the level at which firmware runs applications, EL2 or EL1.

use core::arch::{asm, global_asm};
use core::fmt::{Display, Write};
use core::ops::Range;

use check::{Stopped, Work};
use pmu::{Mode, Result, Unit};

use uefi::Status;
use uefi::proto::unsafe_protocol;

use crate::Mine;
use crate::firmware::Handler;

pub type Driver = pmu::arch::Driver<Mine>;

/// The mode of what is sampled. It is told apart from user programs only, of which there are none.
pub const MODE: Mode = Mode::Kernel;

/// The unit's interrupt as Arm's Server Base System Architecture assigns it: number 23, which is PPI 7 (EDK II, MadtParser.h,
/// ARM_PPI_ID_PERFORMANCE_MONITORS_INTERRUPT).
pub const SOURCE: usize = 23;
/// Where ELR is in the context that the handler gets, in words (UEFI specification, "EFI_DEBUG_SUPPORT_PROTOCOL",
/// EFI_SYSTEM_CONTEXT_AARCH64): after X0 to X30, SP, and 32 registers of two words.
pub const ADDRESS: usize = 32 + 2 * 32;

pub fn detect() -> Result<Driver> {
    // SAFETY: the user has agreed that the unit is used; its interrupt is not enabled yet, or has its handler.
    unsafe { pmu::arch::detect(Mine) }
}

pub fn detect_with_line() -> Result<Driver> {
    detect()
}

pub fn registers(unit: &Unit<Driver, 256>, out: &mut impl Write) -> core::result::Result<(), Stopped> {
    check::of_arm(unit, out)
}

/// MIDR_EL1, which names the processor, and the level.
pub fn processor() -> impl Display {
    let (part, level): (u64, u64);
    // SAFETY: EL1 and EL2 may read both.
    unsafe { asm!("mrs {}, midr_el1", "mrs {}, CurrentEL", out(reg) part, out(reg) level, options(nomem, nostack)) };
    alloc::format!("AArch64 {part:#x} at EL{}", level >> 2 & 3)
}

/// EDK II's interface to the interrupt controller (EmbeddedPkg, Protocol/HardwareInterrupt.h).
#[repr(C)]
#[unsafe_protocol("2890b3ea-053d-1643-ad0c-d64808da3ff1")]
pub struct Controller {
    register: unsafe extern "efiapi" fn(*const Self, usize, Option<Handler>) -> Status,
    enable: unsafe extern "efiapi" fn(*const Self, usize) -> Status,
    disable: unsafe extern "efiapi" fn(*const Self, usize) -> Status,
    state: unsafe extern "efiapi" fn(*const Self, usize, *mut bool) -> Status,
    end: unsafe extern "efiapi" fn(*const Self, usize) -> Status,
}

impl Controller {
    /// Installs a handler and enables its interrupt, or removes it and disables it.
    pub fn register(&self, source: usize, handler: Option<Handler>) -> Status {
        // SAFETY: the interface is the firmware's, and the handler keeps to what a handler may do.
        unsafe { (self.register)(self, source, handler) }
    }

    /// Ends an interrupt, as a handler must.
    pub fn end(&self, source: usize) {
        // SAFETY: the interface is the firmware's, and this is the handler.
        let _ = unsafe { (self.end)(self, source) };
    }
}

global_asm!(".globl check_loop", "check_loop:", "subs x0, x0, #1", "b.ne check_loop", "ret");

unsafe extern "C" {
    safe fn check_loop(times: u64);
}

pub struct Loop;

impl Work for Loop {
    fn run(&self, times: u64) {
        check_loop(times);
    }

    fn addresses(&self) -> Range<u64> {
        let start = check_loop as *const () as u64;
        start..start + 12
    }
}
