//! The entries of the drivers in a kernel of 32 bits: of whichever family is found, and of those that only it has.

use pmu::arch::x86::access::Hardware;
use pmu::arch::x86::netburst::Netburst;
use pmu::arch::x86::p5::P5;
use pmu::arch::x86::p6::P6;
use pmu::arch::x86::{Apic, Detected32};
use pmu::{Interrupted, Unit};

use crate::panic_on_purpose;

type Line = Apic<Hardware>;

/// Exported, so that the compiler must reckon with others who claim it: of a unit that is never claimed it would drop
/// the whole handler.
#[unsafe(no_mangle)]
pub static UNIT_OF_ANY: Unit<Detected32<Hardware, Line>, 64> = Unit::new();
/// As the other unit, for the P6 family.
#[unsafe(no_mangle)]
pub static UNIT_OF_P6: Unit<P6<Hardware, Line>, 64> = Unit::new();
/// As the other units, for the Pentium 4.
#[unsafe(no_mangle)]
pub static UNIT_OF_NETBURST: Unit<Netburst<Hardware, Line>, 64> = Unit::new();
/// As the other units, for the Pentium, which asks the handler at a tick.
#[unsafe(no_mangle)]
pub static UNIT_OF_P5: Unit<P5<Hardware>, 64> = Unit::new();

pmu::nmi_entry!(NmiOfAny, |at: Interrupted| {
    panic_on_purpose(at);
    let _ = UNIT_OF_ANY.on_overflow(at);
});
pmu::nmi_entry!(NmiOfP6, |at: Interrupted| {
    let _ = UNIT_OF_P6.on_overflow(at);
});
pmu::nmi_entry!(NmiOfNetburst, |at: Interrupted| {
    let _ = UNIT_OF_NETBURST.on_overflow(at);
});
pmu::nmi_entry!(NmiOfP5, |at: Interrupted| {
    let _ = UNIT_OF_P5.on_overflow(at);
});

/// The root: it reaches all entries.
#[unsafe(no_mangle)]
pub extern "C" fn nmi_gates(gates: &mut [u64; 4]) {
    *gates = [NmiOfAny::address(), NmiOfP6::address(), NmiOfNetburst::address(), NmiOfP5::address()];
}
