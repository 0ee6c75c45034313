//! Can the overflow interrupt panic? This library links only if it cannot.
//!
//! It is a kernel reduced to its NMI entries: one for each way to the local APIC, one for each family, and one for a
//! family that was found out. Its panic handler calls a function that nobody defines: a linker that drops what the
//! entries do not reach misses that function if, and only if, a panic can be reached. `cargo xtask test --only proofs`
//! links it, and walks through what was linked.

#![no_std]

mod powerpc;

use pmu::arch::x86::access::{Hardware, MappedLine};
use pmu::arch::x86::amd::Amd;
use pmu::arch::x86::intel::Intel;
use pmu::arch::x86::{Detected, X2Apic, XApic};
use pmu::{Interrupted, Unit};

type InRegisters = Unit<Intel<Hardware, X2Apic<Hardware>>, 64>;
type InMemory = Unit<Intel<Hardware, XApic<MappedLine>>, 64>;
type OfAmd = Unit<Amd<Hardware, XApic<MappedLine>>, 64>;
type OfEither = Unit<Detected<Hardware, XApic<MappedLine>>, 64>;

/// Exported, so that the compiler must reckon with others who claim it: of a unit that is never claimed it would drop
/// the whole handler.
#[unsafe(no_mangle)]
pub static UNIT_IN_REGISTERS: InRegisters = Unit::new();
/// As the other unit, for an APIC in memory.
#[unsafe(no_mangle)]
pub static UNIT_IN_MEMORY: InMemory = Unit::new();
/// As the other units, for AMD's.
#[unsafe(no_mangle)]
pub static UNIT_OF_AMD: OfAmd = Unit::new();
/// As the other units, for whichever it turns out to be.
#[unsafe(no_mangle)]
pub static UNIT_OF_EITHER: OfEither = Unit::new();

pmu::nmi_entry!(NmiInRegisters, |at: Interrupted| {
    panic_on_purpose(at);
    let _ = UNIT_IN_REGISTERS.on_overflow(at);
});
pmu::nmi_entry!(NmiInMemory, |at: Interrupted| {
    let _ = UNIT_IN_MEMORY.on_overflow(at);
});
pmu::nmi_entry!(NmiOfAmd, |at: Interrupted| {
    let _ = UNIT_OF_AMD.on_overflow(at);
});
pmu::nmi_entry!(NmiOfEither, |at: Interrupted| {
    let _ = UNIT_OF_EITHER.on_overflow(at);
});

/// What a handler without an entry of its own is: whether the interrupt was its unit's.
type Handler = extern "C" fn(&Interrupted) -> bool;

/// The root: it reaches all entries and handlers.
#[unsafe(no_mangle)]
pub extern "C" fn nmi_gates(gates: &mut [u64; 4], handlers: &mut [Option<Handler>; 3]) {
    *gates = [NmiInRegisters::address(), NmiInMemory::address(), NmiOfAmd::address(), NmiOfEither::address()];
    *handlers = [Some(powerpc::on_book3s), Some(powerpc::on_classic), Some(powerpc::on_embedded)];
}

#[cfg(not(feature = "bad"))]
fn panic_on_purpose(_: Interrupted) {}

/// The negative control.
#[cfg(feature = "bad")]
fn panic_on_purpose(at: Interrupted) {
    assert_ne!(at.address, 5);
}

unsafe extern "C" {
    fn a_panic_is_reachable_from_the_interrupt() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: it is never executed; what is linked with it is thrown away.
    unsafe { a_panic_is_reachable_from_the_interrupt() }
}
