//! How many bytes of code does the crate bring into a kernel?
//!
//! Two uses of it, each the root of a program of its own: the linker drops what a root does not
//! reach, and what is left is weighed. Nothing here is ever run.

#![no_std]

use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::intel::Intel;
use pmu::arch::x86::{Apic, Lvtpc, Unattached};
use pmu::{Event, Interrupted, OneCpu, Request, Result, Unit};

static COUNTING: Unit<Intel<Hardware, Unattached>, 0> = Unit::new();
static SAMPLING: Unit<Intel<Hardware, Apic<Hardware>>, 64> = Unit::new();

pmu::nmi_entry!(Nmi, |at: Interrupted| _ = SAMPLING.on_overflow(at));

/// A kernel that counts: find the unit, claim it, open, start, read, stop, close, give it back.
#[unsafe(no_mangle)]
pub extern "C" fn counting(work: extern "C" fn()) -> u64 {
    count(work).unwrap_or(0)
}

fn count(work: extern "C" fn()) -> Result<u64> {
    let pmu = COUNTING.claim(Intel::detect(&Cpuid, hardware(), Unattached)?)?;
    let ([instructions, cycles], ()) = pmu.count([Event::INSTRUCTIONS, Event::CYCLES], || work())?;
    pmu.release()?;
    Ok(instructions + cycles)
}

/// A kernel that samples too: the NMI entry and its handler, the line, the ring and its reader.
#[unsafe(no_mangle)]
pub extern "C" fn sampling(work: extern "C" fn(), set_gate: extern "C" fn(u64)) -> u64 {
    set_gate(Nmi::address());
    sample(work).unwrap_or(0)
}

fn sample(work: extern "C" fn()) -> Result<u64> {
    let line = Apic::x2apic(hardware(), Lvtpc::NMI);
    let pmu = SAMPLING.claim(Intel::detect(&Cpuid, hardware(), line)?)?;
    let mut session = pmu.open([Request::from(Event::CYCLES).every(100_000)])?;
    session.start()?;
    work();
    session.stop()?;
    let samples = SAMPLING.samples()?;
    let lost = samples.lost().total();
    let addresses = samples.fold(lost, |sum, sample| sum.wrapping_add(sample.address));
    drop(session);
    pmu.release()?;
    Ok(addresses)
}

fn hardware() -> Hardware {
    // SAFETY: nothing here is ever run.
    unsafe { Hardware::claim(OneCpu) }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
