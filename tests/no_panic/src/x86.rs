//! The entries of x86's drivers, and the handlers of drivers that have no entry of their own.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::arch::x86::access::{Hardware, Ibs};
use pmu::arch::x86::amd::{Amd, ibs};
use pmu::arch::x86::intel::Intel;
use pmu::arch::x86::{Apic, Detected, Detected32, Global, Single};
use pmu::precise::Records;
use pmu::samples::{chain::Chains, chain::Frames};
use pmu::{Interrupted, Unit};

use crate::elsewhere::{self, Handler};
use crate::panic_on_purpose;

type Line = Apic<Hardware>;
type OfIntel = Unit<Intel<Hardware, Line>, 64>;
type OfAmd = Unit<Amd<Hardware, Line>, 64>;
type OfGlobal = Unit<Intel<Hardware, Line, Global>, 64>;
type OfSingle = Unit<Amd<Hardware, Line, Single>, 64>;
type OfEither = Unit<Detected<Hardware, Line>, 64>;
type OfAny = Unit<Detected32<Hardware, Line>, 64>;

/// Exported, so that the compiler must reckon with others who claim it: of a unit that is never claimed it would drop
/// the whole handler.
#[unsafe(no_mangle)]
pub static UNIT_OF_INTEL: OfIntel = Unit::new();
/// As the other unit, for AMD's.
#[unsafe(no_mangle)]
pub static UNIT_OF_AMD: OfAmd = Unit::new();
/// As the other units, for whichever it turns out to be.
#[unsafe(no_mangle)]
pub static UNIT_OF_EITHER: OfEither = Unit::new();
/// As the other units, for whichever it turns out to be in a kernel of 32 bits.
#[unsafe(no_mangle)]
pub static UNIT_OF_ANY: OfAny = Unit::new();
/// As the other units, for a driver that knows its generation.
#[unsafe(no_mangle)]
pub static UNIT_OF_GLOBAL: OfGlobal = Unit::new();
/// As the other units, for a driver of the other generation.
#[unsafe(no_mangle)]
pub static UNIT_OF_SINGLE: OfSingle = Unit::new();

/// Whose samples come with their callers.
#[unsafe(no_mangle)]
pub static UNIT_CHAINED: OfIntel = Unit::new();
/// Its chains.
#[unsafe(no_mangle)]
pub static CHAINS: Chains<16, 64> = Chains::new();
/// A stack of which the compiler knows nothing.
#[unsafe(no_mangle)]
pub static STACK: [AtomicU64; 512] = [const { AtomicU64::new(0) }; 512];
pmu::nmi_entry!(NmiOfIntel, |at: Interrupted| {
    panic_on_purpose(at);
    let _ = UNIT_OF_INTEL.on_overflow(at);
});
pmu::nmi_entry!(NmiOfAmd, |at: Interrupted| {
    let _ = UNIT_OF_AMD.on_overflow(at);
});
pmu::nmi_entry!(NmiOfEither, |at: Interrupted| {
    let _ = UNIT_OF_EITHER.on_overflow(at);
});
pmu::nmi_entry!(NmiOfAny, |at: Interrupted| {
    let _ = UNIT_OF_ANY.on_overflow(at);
});
pmu::nmi_entry!(NmiOfGlobal, |at: Interrupted| {
    let _ = UNIT_OF_GLOBAL.on_overflow(at);
});
pmu::nmi_entry!(NmiOfSingle, |at: Interrupted| {
    let _ = UNIT_OF_SINGLE.on_overflow(at);
});

pmu::nmi_entry!(NmiChained, framed: |at: Interrupted, frame_pointer: u64| {
    let frames = Frames::new(frame_pointer, 0..8 * STACK.len() as u64);
    let read = |address: u64| STACK.get((address / 8) as usize).map(|word| word.load(Relaxed));
    let _ = UNIT_CHAINED.on_overflow_chained(at, &CHAINS, |callers| frames.walk(callers, read));
});

/// What the sampler of ops has recorded.
#[unsafe(no_mangle)]
pub static OPS: Records<11, 64> = Records::new();
/// What the sampler of fetches has recorded.
#[unsafe(no_mangle)]
pub static FETCHES: Records<6, 64> = Records::new();

extern "C" fn on_op(sampler: &ibs::Op<Ibs>, at: &Interrupted) -> bool {
    OPS.on_interrupt(sampler, *at).is_mine()
}

extern "C" fn on_fetch(sampler: &ibs::Fetch<Ibs>, at: &Interrupted) -> bool {
    FETCHES.on_interrupt(sampler, *at).is_mine()
}

/// The handlers of what samples beside the unit, which detects it once.
#[derive(Debug)]
#[repr(C)]
pub struct Samplers {
    ops: extern "C" fn(&ibs::Op<Ibs>, &Interrupted) -> bool,
    fetches: extern "C" fn(&ibs::Fetch<Ibs>, &Interrupted) -> bool,
}

/// The root: it reaches all entries and handlers.
#[unsafe(no_mangle)]
pub extern "C" fn nmi_gates(
    gates: &mut [u64; 7],
    handlers: &mut [Option<Handler>; elsewhere::HANDLERS],
    samplers: &mut Option<Samplers>,
) {
    *samplers = Some(Samplers { ops: on_op, fetches: on_fetch });
    *gates = [
        NmiOfIntel::address(),
        NmiOfAmd::address(),
        NmiOfEither::address(),
        NmiOfAny::address(),
        NmiOfGlobal::address(),
        NmiOfSingle::address(),
        NmiChained::address(),
    ];
    elsewhere::put(handlers);
}
