//! Three uses of the crate, to measure the bytes of code that it adds to a kernel.
//!
//! Each use is linked as a program, from which the linker removes unused code, and the size of the rest is measured.
//! Nothing here is run.

#![no_std]

use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::intel::Intel;
use pmu::arch::x86::{Apic, Global, Lvtpc, Unattached};
use pmu::arch::{self, detect};
use pmu::driver::Driver;
use pmu::{Event, Interrupted, OneCpu, Request, Result, Unit};

static COUNTING: Unit<Intel<Hardware, Unattached, Global>, 0> = Unit::new();
static SAMPLING: Unit<Intel<Hardware, Apic<Hardware>, Global>, 64> = Unit::new();
static DETECTED: Unit<arch::Driver<OneCpu>, 64> = Unit::new();

pmu::nmi_entry!(Nmi, |at: Interrupted| _ = SAMPLING.on_overflow(at));
pmu::nmi_entry!(NmiOfDetected, |at: Interrupted| _ = DETECTED.on_overflow(at));

/// A kernel that counts: detects and claims the unit, opens, starts, reads, stops and closes a session, releases the unit.
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

/// A kernel that samples: the NMI entry and its handler, the line, the ring and its reader.
#[unsafe(no_mangle)]
pub extern "C" fn sampling(work: extern "C" fn(), set_gate: extern "C" fn(u64)) -> u64 {
    set_gate(Nmi::address());
    Intel::detect(&Cpuid, hardware(), line()).and_then(|driver| sample(&SAMPLING, driver, work)).unwrap_or(0)
}

/// The same with the driver of the detected unit.
#[unsafe(no_mangle)]
pub extern "C" fn detected(work: extern "C" fn(), set_gate: extern "C" fn(u64)) -> u64 {
    set_gate(NmiOfDetected::address());
    // SAFETY: nothing here is ever run.
    let driver = unsafe { detect(OneCpu) };
    driver.and_then(|driver| sample(&DETECTED, driver.with_line(line()), work)).unwrap_or(0)
}

fn sample<D: Driver>(unit: &'static Unit<D, 64>, driver: D, work: extern "C" fn()) -> Result<u64> {
    let pmu = unit.claim(driver)?;
    let mut session = pmu.open([Request::from(Event::CYCLES).every(100_000)])?;
    session.start()?;
    work();
    session.stop()?;
    let samples = unit.samples()?;
    let lost = samples.lost().total();
    let addresses = samples.fold(lost, |sum, sample| sum.wrapping_add(sample.address));
    drop(session);
    pmu.release()?;
    Ok(addresses)
}

fn line() -> Apic<Hardware> {
    Apic::x2apic(hardware(), Lvtpc::NMI)
}

fn hardware() -> Hardware {
    // SAFETY: nothing here is ever run.
    unsafe { Hardware::claim(OneCpu) }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
