//! The entry of the firmware's software event on RISC-V, for the driver by calls.

use pmu::arch::riscv::access::Firmware;
use pmu::arch::riscv::hpm::sbi::Sbi;
use pmu::{Interrupted, Unit};

use crate::panic_on_purpose;

/// Exported, so that the compiler must reckon with others who claim it: of a unit that is never claimed it would drop
/// the whole handler.
#[unsafe(no_mangle)]
pub static UNIT: Unit<Sbi<Firmware>, 64> = Unit::new();

fn on_overflow(at: Interrupted) {
    panic_on_purpose(at);
    let _ = UNIT.on_overflow(at);
}

pmu::event_entry!(Event, on_overflow);

/// The root: it reaches the entry.
#[unsafe(no_mangle)]
pub extern "C" fn event_entry(entry: &mut usize) {
    *entry = Event::address();
}
