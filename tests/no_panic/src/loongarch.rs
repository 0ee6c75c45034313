//! LoongArch's driver over the instructions. No test kernel assembles them yet, so that this is compiled, and not linked.

use pmu::arch::{Driver, detect};
use pmu::{Interrupted, OneCpu, Unit};

use crate::panic_on_purpose;

/// Exported, so that the compiler must reckon with others who claim it.
#[unsafe(no_mangle)]
pub static UNIT: Unit<Driver<OneCpu>, 64> = Unit::new();

#[unsafe(no_mangle)]
pub extern "C" fn on_overflow(at: &Interrupted) -> bool {
    panic_on_purpose(*at);
    UNIT.on_overflow(*at).is_mine()
}

#[unsafe(no_mangle)]
pub extern "C" fn claim() -> bool {
    // SAFETY: nobody runs it.
    unsafe { detect(OneCpu) }.is_ok_and(|driver| UNIT.claim(driver).is_ok())
}
