//! The entries of PowerPC's drivers, each compiled for the processors that have such a unit.

#[cfg(target_pointer_width = "32")]
use pmu::arch::powerpc::access::Embedded as MonitorRegisters;
use pmu::arch::powerpc::access::Hardware;
#[cfg(target_pointer_width = "64")]
use pmu::arch::powerpc::book3s::Book3s;
#[cfg(target_pointer_width = "32")]
use pmu::arch::powerpc::{classic::Classic, embedded::Embedded};
use pmu::{Interrupted, Unit};

use crate::panic_on_purpose;

/// Exported, so that the compiler must reckon with others who claim it: of a unit that is never claimed it would drop
/// the whole handler.
#[cfg(target_pointer_width = "64")]
#[unsafe(no_mangle)]
pub static UNIT: Unit<Book3s<Hardware>, 64> = Unit::new();
/// The same for the classic processors.
#[cfg(target_pointer_width = "32")]
#[unsafe(no_mangle)]
pub static UNIT: Unit<Classic<Hardware>, 64> = Unit::new();
/// As the other unit, for e300 and e500.
#[cfg(target_pointer_width = "32")]
#[unsafe(no_mangle)]
pub static UNIT_OF_EMBEDDED: Unit<Embedded<MonitorRegisters>, 64> = Unit::new();

fn on_overflow(at: Interrupted) {
    panic_on_purpose(at);
    let _ = UNIT.on_overflow(at);
    #[cfg(target_pointer_width = "32")]
    let _ = UNIT_OF_EMBEDDED.on_overflow(at);
}

pmu::pmi_entry!(Pmi, on_overflow, stack: Sprg0, scratch: Sprg1);

/// The root: it reaches the entry.
#[unsafe(no_mangle)]
pub extern "C" fn pmi_vector(vector: &mut u64) {
    *vector = Pmi::address();
}
