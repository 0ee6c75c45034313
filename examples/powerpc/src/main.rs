//! A kernel for PowerPC of 64 bits that measures itself: what is in this file and in `tour.rs` is what a kernel's
//! author copies.
//!
//! ```sh
//! rustup component add rust-src --toolchain nightly
//! cargo +nightly test   # in this folder: boots it in QEMU
//! ```

#![no_std]
#![no_main]

mod boot;
#[path = "../../common/threads.rs"]
mod threads;
#[path = "../../common/tour.rs"]
mod tour;

use core::arch::asm;
use core::panic::PanicInfo;
use core::sync::atomic::Ordering::Relaxed;

use pmu::{CpuId, Error, Interrupted, Kernel, Pmu, Result, Unit};

use boot::println;

const CPUS: usize = 4;

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

/// The handler of the performance monitor's exception; the vector F00H in `boot.rs` branches to [`Pmi`].
fn on_overflow(at: Interrupted) {
    let at = at.in_thread(tour::RUNNING.load(Relaxed));
    let _ = this_unit().map(|unit| unit.on_overflow(at));
}
pmu::pmi_entry!(pub Pmi, on_overflow, stack: Sprg0, scratch: Sprg1);

/// Each CPU calls this when it comes online, after SPRG0 holds its stack for the exception.
fn come_online() -> Result<Pmu<'static, Driver>> {
    boot::unmask_interrupts();
    match this_unit()?.reclaim() {
        Err(Error::NotClaimed) => this_unit()?.claim(detect()?), // for the first time
        again => again,
    }
}

fn detect() -> Result<Driver> {
    // SAFETY: the kernel is in supervisor state; nobody else programs the unit; the exception has its handler.
    unsafe { pmu::arch::detect(Mine) }
}

/// Each CPU calls this before it goes offline. `release` is refused while sessions are open, and `revoke` is not.
fn go_offline() -> Result<()> {
    this_unit()?.here()?.release()
}

/// Instructions to measure: a loop of one.
struct Loop;

impl tour::Work for Loop {
    #[inline(always)]
    fn run(&self, instructions: u64) {
        // SAFETY: it changes the count register.
        unsafe { asm!("mtctr {}", "2: bdnz 2b", in(reg) instructions, out("ctr") _, options(nomem, nostack)) };
    }
}

extern "C" fn main() -> ! {
    if let Err(error) = measure() {
        panic!("{error}");
    }
    println!("example: done");
    boot::exit(true)
}

fn measure() -> Result<()> {
    come_online()?;
    tour::run(this_unit()?, &Loop)?;
    go_offline()
}

/// The unit stops, so that no interrupt of its comes amid the last words.
#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if let Ok(unit) = this_unit() {
        unit.halt();
    }
    println!("example: {panic}");
    boot::exit(false)
}
