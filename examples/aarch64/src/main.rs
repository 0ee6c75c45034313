//! A kernel for AArch64 that measures itself: what is in this file and in `tour.rs` is what a kernel's author copies.
//!
//! ```sh
//! rustup target add aarch64-unknown-none-softfloat
//! cargo test   # in this folder: boots it in QEMU
//! ```

#![no_std]
#![no_main]

mod boot;
mod gic;
#[path = "../../common/threads.rs"]
mod threads;
#[path = "../../common/tour.rs"]
mod tour;

use core::arch::asm;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::arch::aarch64::pmuv3::Capabilities;
use pmu::{CpuId, Error, Event, Interrupted, Kernel, Pmu, Result, Unit};

use boot::println;

const CPUS: usize = 2;

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

/// The handler of every interrupt; the vector in `boot.rs` branches to [`Irq`].
fn on_interrupt(at: Interrupted) {
    let interrupt = gic::acknowledge();
    if interrupt == Capabilities::INTERRUPT {
        let at = at.in_thread(tour::RUNNING.load(Relaxed));
        let _ = this_unit().map(|unit| unit.on_overflow(at));
    }
    if interrupt != gic::NONE {
        gic::end(interrupt);
    }
}
pmu::irq_entry!(pub Irq, on_interrupt);

/// Each CPU calls this when it comes online: the interrupt is its own, and so is the unit.
fn come_online() -> Result<Pmu<'static, Driver>> {
    gic::enable(boot::cpu(), Capabilities::INTERRUPT);
    boot::unmask_interrupts();
    match this_unit()?.reclaim() {
        Err(Error::NotClaimed) => this_unit()?.claim(detect()?), // for the first time
        again => again,
    }
}

fn detect() -> Result<Driver> {
    // SAFETY: the kernel runs at EL1; nobody else programs the unit; the interrupt has its handler.
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
            asm!("2: subs {0}, {0}, #1", "b.ne 2b", inout(reg) instructions / 2 => _, options(nomem, nostack));
        }
    }
}

/// Where each CPU begins: the first one at boot, the second one when it is woken.
extern "C" fn main(cpu: u32) -> ! {
    let outcome = if cpu == 0 { first() } else { another() };
    match outcome {
        Ok(()) if cpu == 0 => boot::exit(33),
        Ok(()) => boot::sleep(),
        Err(error) => panic!("CPU {cpu}: {error}"),
    }
}

fn first() -> Result<()> {
    come_online()?;
    tour::run(this_unit()?, &Loop)?;
    go_offline()?;
    for boots in 1..=2 {
        while !boot::wake() {}
        while BOOTS.load(Relaxed) < boots {
            core::hint::spin_loop();
        }
    }
    println!("example: done");
    Ok(())
}

/// How often the second CPU has come and gone.
static BOOTS: AtomicU32 = AtomicU32::new(0);

fn another() -> Result<()> {
    let ([instructions], ()) = come_online()?.count([Event::INSTRUCTIONS], || tour::Work::run(&Loop, 1000))?;
    assert!(instructions >= 1000, "{instructions}"); // QEMU's units count what all CPUs execute
    go_offline()?;
    println!("cpu 1: came online, counted, went offline");
    BOOTS.fetch_add(1, Relaxed);
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
