//! A kernel for x86-64 that UEFI firmware loads: it leaves the firmware's services, counts a loop and samples it.
//!
//! ```sh
//! rustup target add x86_64-unknown-uefi
//! cargo test --release   # in this folder: boots it in QEMU under UEFI firmware
//! ```
//!
//! QEMU has no unit for x86, so the kernel brings one in software. With a real one, one line is another: see [`machine`].

#![no_std]
#![no_main]

#[allow(dead_code, reason = "the processor has a unit or has none")]
mod hardware;
mod software;

use software as machine; // with a unit: `use hardware as machine;`

use core::arch::asm;
use core::fmt::{self, Write};
use core::ptr::NonNull;

use pmu::arch::x86::access::Hardware;
use pmu::arch::x86::{Apic, Detected, Lvtpc, MappedLine};
use pmu::{CpuId, Event, Interrupted, Kernel, Request, Result, Unit};
use qemu_exit::QEMUExit;
use uefi::prelude::*;
use x86_64::VirtAddr;
use x86_64::instructions::port::Port;
use x86_64::registers::model_specific::{ApicBase, ApicBaseFlags};
use x86_64::structures::idt::InterruptDescriptorTable;

/// The one CPU's unit, with room for 64 samples.
static UNIT: OneCpu<Unit<Detected<machine::Registers, Line>, 64>> = OneCpu(Unit::new());
static mut INTERRUPTS: InterruptDescriptorTable = InterruptDescriptorTable::new();

/// The local APIC's entry for counters.
type Line = Apic<Hardware<Mine>>;

struct OneCpu<T>(T);

// SAFETY: one CPU uses it, whose interrupt uses nothing but the unit, which is made for that.
unsafe impl<T> Sync for OneCpu<T> {}

#[derive(Clone, Copy)]
struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }
}

pmu::nmi_entry!(Nmi, |at: Interrupted| assert!(UNIT.0.on_overflow(at).is_mine(), "nobody wants this NMI"));

#[entry]
fn main() -> Status {
    // SAFETY: nothing of the firmware's is used from here on, and its memory is left as it is.
    let map = unsafe { boot::exit_boot_services(None) };
    core::mem::forget(map);
    load_interrupts();
    let status = match measure() {
        Ok(()) => 33,
        Err(error) => {
            let _ = writeln!(Console, "kernel: {error}");
            35
        }
    };
    // SAFETY: QEMU is started with this device.
    unsafe { qemu_exit::X86::new(0xf4, 33) }.exit(status >> 1)
}

fn measure() -> Result<()> {
    let driver = Detected::detect(&machine::CPUID, machine::registers(), line())?;
    let pmu = UNIT.0.claim(driver)?;
    let _ = writeln!(Console, "kernel: {}", pmu.description());

    let ([instructions], ()) = pmu.count([Event::INSTRUCTIONS], || work(5000))?;
    let _ = writeln!(Console, "counted: {instructions} instructions");

    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)])?;
    session.start()?;
    work(50_000);
    session.stop()?;
    let mut samples = UNIT.0.samples()?;
    let (number, lost) = (samples.by_ref().count(), samples.lost());
    let _ = writeln!(Console, "sampled: {number} times, lost: {lost}");
    drop((samples, session));
    pmu.release()
}

/// A loop of two instructions.
fn work(times: u64) {
    // SAFETY: it changes a register of its own.
    unsafe { asm!("2: dec {}", "jnz 2b", inout(reg) times => _, options(nomem, nostack)) };
    machine::executed(2 * times);
}

/// The NMI has its handler. Firmware's segments are left as they are.
fn load_interrupts() {
    let table = &raw mut INTERRUPTS;
    // SAFETY: this runs once, before any interrupt of the kernel's own, and the table lies there for ever.
    unsafe {
        (*table).non_maskable_interrupt.set_handler_addr(VirtAddr::new(Nmi::address()));
        (*table).load_unsafe();
    }
}

/// An overflow raises an NMI, in the mode that the firmware has left the local APIC in.
fn line() -> Line {
    let (base, flags) = ApicBase::read();
    if flags.contains(ApicBaseFlags::X2APIC_ENABLE) {
        // SAFETY: ring 0, x2APIC mode; nobody else uses LVTPC, and the NMI has its handler.
        return Apic::x2apic(unsafe { Hardware::claim(Mine) }, Lvtpc::NMI);
    }
    let register = NonNull::new((base.start_address().as_u64() + 0x340) as *mut u32);
    // SAFETY: it is LVTPC, which firmware maps to its own address, uncached; the NMI has its handler.
    register.map_or(Apic::absent(), |at| Apic::xapic(unsafe { MappedLine::claim(at) }, Lvtpc::NMI))
}

/// The first serial port.
struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (mut data, mut status) = (Port::<u8>::new(0x3f8), Port::<u8>::new(0x3fd));
        for byte in text.bytes() {
            // SAFETY: these ports are the serial port's on every PC (PC16550D data sheet; LSR, bit 5, THRE).
            unsafe {
                while status.read() & 1 << 5 == 0 {}
                data.write(byte);
            }
        }
        Ok(())
    }
}
