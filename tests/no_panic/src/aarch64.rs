//! The entries of Arm's driver, at EL1 and EL2.

use pmu::arch::aarch64::access::Hardware;
use pmu::arch::aarch64::pmuv3::Pmuv3;
use pmu::samples::{chain::Broken, chain::Callers, chain::Chains, chain::Frames};
use pmu::{Interrupted, Unit};

use crate::panic_on_purpose;

/// Exported, so that the compiler must reckon with others who claim it: of a unit that is never claimed it would drop
/// the whole handler.
#[unsafe(no_mangle)]
pub static UNIT: Unit<Pmuv3<Hardware>, 64> = Unit::new();

pmu::irq_entry!(Irq, |at: Interrupted| {
    panic_on_purpose(at);
    let _ = UNIT.on_overflow(at);
});

/// Exported, as the unit is.
#[unsafe(no_mangle)]
pub static CHAINS: Chains<16, 64> = Chains::new();

pmu::irq_entry!(IrqChained, framed: |at: Interrupted, frame_pointer: u64| {
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |callers| walk(frame_pointer, callers));
});

fn walk(frame_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    // SAFETY: nobody runs it.
    let read = |address: u64| Some(unsafe { (address as *const u64).read_volatile() });
    Frames::anywhere(frame_pointer).walk(callers, read)
}

/// The root: it reaches all entries.
#[unsafe(no_mangle)]
pub extern "C" fn irq_vectors(vectors: &mut [u64; 4]) {
    *vectors = [Irq::address(), Irq::address_at_el2(), IrqChained::address_of_host(), IrqChained::address_at_el2()];
}
