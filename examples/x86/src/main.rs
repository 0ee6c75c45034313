//! A kernel for x86-64 that measures itself: what is in this file and in `tour.rs` is what a kernel's author copies.
//!
//! ```sh
//! rustup target add x86_64-unknown-none
//! cargo test   # in this folder: boots it in QEMU
//! ```
//!
//! QEMU has no unit for x86. The kernel says so, and then goes the same way over a unit in software.

#![no_std]
#![no_main]

mod boot;
mod software;
mod tables;
#[path = "../../common/threads.rs"]
mod threads;
#[path = "../../common/tour.rs"]
mod tour;

use core::arch::asm;
use core::panic::PanicInfo;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::Relaxed;

use pmu::arch::x86::access::Hardware;
use pmu::arch::x86::{Apic, Lvtpc, MappedLine};
use pmu::{CpuId, Error, Interrupted, Kernel, Pmu, Result, Unit};
use x86_64::VirtAddr;
use x86_64::registers::model_specific::{ApicBase, ApicBaseFlags};

use boot::println;
use software::SOFTWARE;

const CPUS: usize = 64;

/// The driver of this processor's unit.
type Driver = pmu::arch::Driver<Mine>;

/// A unit for each CPU, with room for 512 samples.
static UNITS: [Unit<Driver, 512>; CPUS] = [const { Unit::new() }; CPUS];

/// What this kernel lends to the crate.
#[derive(Clone, Copy)]
struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(boot::cpu())
    }
}

/// The unit of this CPU, for threads and for interrupts.
fn this_unit() -> Result<&'static Unit<Driver, 512>> {
    let cpu = Mine.cpu();
    UNITS.get(cpu.0 as usize).ok_or(Error::NoSuchCpu(cpu))
}

/// The handler of every NMI. The gate of vector 2 leads to [`Nmi`], on a stack of its own.
fn on_nmi(at: Interrupted) {
    let at = at.in_thread(tour::RUNNING.load(Relaxed));
    if !this_unit().is_ok_and(|unit| unit.on_overflow(at).is_mine()) {
        software::on_nmi(at); // or whoever else NMIs are for
    }
}
pmu::nmi_entry!(Nmi, on_nmi);

/// Each CPU calls this when it comes online, after it has loaded its interrupt table.
fn come_online() -> Result<Pmu<'static, Driver>> {
    match this_unit()?.reclaim() {
        Err(Error::NotClaimed) => this_unit()?.claim(detect()?), // for the first time
        again => again,
    }
}

fn detect() -> Result<Driver> {
    // SAFETY: the kernel runs in ring 0; nobody else programs the unit or LVTPC; the NMI has its handler.
    let driver = unsafe { pmu::arch::detect(Mine) }?;
    Ok(driver.with_line(line()))
}

/// The local APIC's entry for counters, in the mode that this machine uses.
type Line = Apic<Hardware<Mine>>;

/// An overflow raises an NMI, whichever mode the local APIC is in.
fn line() -> Line {
    let (base, flags) = ApicBase::read();
    if flags.contains(ApicBaseFlags::X2APIC_ENABLE) {
        // SAFETY: as for `detect`, and the APIC is in x2APIC mode.
        return Apic::x2apic(unsafe { Hardware::claim(Mine) }, Lvtpc::NMI);
    }
    let register = (base.start_address().as_u64() + 0x340) as *mut u32;
    // SAFETY: it is LVTPC, where the kernel has mapped it uncached; nobody else uses it; the NMI has its handler.
    NonNull::new(register).map_or(Apic::absent(), |it| Apic::xapic(unsafe { MappedLine::claim(it) }, Lvtpc::NMI))
}

/// Each CPU calls this before it goes offline. `release` is refused while sessions are open, and `revoke` is not.
fn go_offline() -> Result<()> {
    this_unit()?.here()?.release()
}

/// Instructions to measure: a loop of two.
struct Loop;

impl tour::Work for Loop {
    #[inline(always)]
    fn run(&self, instructions: u64) {
        // SAFETY: it changes a register of its own.
        unsafe { asm!("2: dec {}", "jnz 2b", inout(reg) instructions / 2 => _, options(nomem, nostack)) };
    }
}

extern "C" fn main() -> ! {
    tables::load(VirtAddr::new(Nmi::address()));
    match measure() {
        Ok(()) => boot::exit(33),
        Err(error) => panic!("{error}"),
    }
}

fn measure() -> Result<()> {
    match come_online() {
        Ok(_) => {
            tour::run(this_unit()?, &Loop)?;
            go_offline()?;
        }
        Err(error) => {
            println!("no unit here: {error}");
            SOFTWARE.claim(line())?;
            tour::run(&SOFTWARE.unit, &SOFTWARE)?;
            SOFTWARE.unit.here()?.release()?;
        }
    }
    println!("nmi stack: {} bytes used", tables::nmi_stack_used());
    println!("example: done");
    Ok(())
}

/// The unit stops, so that no interrupt of its comes amid the last words.
#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if let Ok(unit) = this_unit() {
        unit.halt();
    }
    println!("example: {panic}");
    boot::exit(35)
}
