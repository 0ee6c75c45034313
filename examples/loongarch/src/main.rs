//! A kernel for LoongArch that measures itself: what is in this file and in `tour.rs` is what a kernel's author copies.
//!
//! ```sh
//! cargo test   # in this folder: boots it in QEMU
//! ```
//!
//! QEMU has no unit for LoongArch. The kernel says so, and then goes the same way over a unit in software.

#![no_std]
#![no_main]

mod boot;
mod software;
#[path = "../../common/threads.rs"]
mod threads;
#[path = "../../common/tour.rs"]
mod tour;

use core::arch::asm;
use core::panic::PanicInfo;
use core::sync::atomic::Ordering::Relaxed;

use pmu::arch::loongarch::la64::Capabilities;
use pmu::{CpuId, Error, Interrupted, Kernel, Pmu, Result, Unit};

use boot::println;
use software::SOFTWARE;

const CPUS: usize = 1;

/// The driver of this processor's unit.
type Driver = pmu::arch::Driver<Mine>;

/// A unit for each CPU, with room for 512 samples.
static UNITS: [Unit<Driver, 512>; CPUS] = [const { Unit::new() }; CPUS];

/// What this kernel lends to the crate.
#[derive(Clone, Copy)]
struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }
}

/// The unit of this CPU, for threads and for interrupts.
fn this_unit() -> Result<&'static Unit<Driver, 512>> {
    let cpu = Mine.cpu();
    UNITS.get(cpu.0 as usize).ok_or(Error::NoSuchCpu(cpu))
}

/// The handler of every interrupt. The line falls as the driver presets the counter.
fn on_interrupt(number: u8, at: Interrupted) {
    let at = at.in_thread(tour::RUNNING.load(Relaxed));
    if number != Capabilities::INTERRUPT || !this_unit().is_ok_and(|unit| unit.on_overflow(at).is_mine()) {
        panic!("unexpected interrupt {number}");
    }
}

/// Each CPU calls this when it comes online: the interrupt is its own, and so is the unit.
fn come_online() -> Result<Pmu<'static, Driver>> {
    boot::enable_interrupt(Capabilities::INTERRUPT);
    match this_unit()?.reclaim() {
        Err(Error::NotClaimed) => this_unit()?.claim(detect()?), // for the first time
        again => again,
    }
}

fn detect() -> Result<Driver> {
    // SAFETY: the kernel runs at PLV0; nobody else programs the unit; the interrupt has its handler.
    unsafe { pmu::arch::detect(Mine) }
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
        unsafe {
            asm!("2: addi.d {0}, {0}, -1", "bnez {0}, 2b", inout(reg) instructions / 2 => _, options(nomem, nostack));
        }
    }
}

/// Where the CPU begins.
extern "C" fn main() -> ! {
    match measure() {
        Ok(()) => boot::turn_off(),
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
            SOFTWARE.claim()?;
            tour::run(&SOFTWARE.unit, &SOFTWARE)?;
            SOFTWARE.unit.here()?.release()?;
        }
    }
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
    boot::fail()
}
