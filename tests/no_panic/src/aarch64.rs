//! The entries of Arm's driver, at EL1 and EL2.

use pmu::arch::aarch64::access::Hardware;
use pmu::arch::aarch64::pmuv3::Pmuv3;
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

/// The root: it reaches both entries.
#[unsafe(no_mangle)]
pub extern "C" fn irq_vectors(vectors: &mut [u64; 2]) {
    *vectors = [Irq::address(), Irq::address_at_el2()];
}
