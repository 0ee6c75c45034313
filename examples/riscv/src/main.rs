//! A kernel for RISC-V that measures itself: what is in this file and in `tour.rs` is what a kernel's author copies.
//!
//! It runs in machine mode, on the unit that QEMU has.
//!
//! ```sh
//! rustup target add riscv64imac-unknown-none-elf
//! cargo test   # in this folder: boots it in QEMU
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

use pmu::arch::riscv::access::{Hardware, Records};
use pmu::arch::riscv::hpm::ctr::Ctr;
use pmu::arch::riscv::hpm::{Announced, Capabilities, Extensions, Hpm, Model, Privilege};
use pmu::branches::{BranchFilter, BranchKind, Branches};
use pmu::request::Refusal;
use pmu::{CpuId, Error, Interrupted, Kernel, Modes, Pmu, Result, Unit};

use boot::println;

const CPUS: usize = 1;

/// The driver of this processor's unit.
type Driver = Hpm<Hardware<Mine>>;

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

/// The handler of every interrupt. The driver clears what it serves.
fn on_interrupt(number: u32, at: Interrupted) {
    let at = at.in_thread(tour::RUNNING.load(Relaxed));
    if number != Capabilities::INTERRUPT || !this_unit().is_ok_and(|unit| unit.on_overflow(at).is_mine()) {
        panic!("unexpected interrupt {number}");
    }
}

/// Each CPU calls this when it comes online: the interrupt is its own, and so is the unit.
fn come_online() -> Result<Pmu<'static, Driver>> {
    boot::unmask_interrupts();
    match this_unit()?.reclaim() {
        Err(Error::NotClaimed) => this_unit()?.claim(detect()?), // for the first time
        again => again,
    }
}

/// What a device tree says of the processor: `riscv,isa`, and the counters of the node `pmu`. QEMU has the counters 3 to 18,
/// and raises an exception at the registers of others. Its processor has no number of its own, but the machine is
/// `riscv-virtio`.
const ANNOUNCED: (&str, u32) = ("rv64imac_sscofpmf_smcntrpmf", 0x7_FFFD);

fn detect() -> Result<Driver> {
    let (isa, counters) = ANNOUNCED;
    let announced = Announced::new(Extensions::from_isa(isa)).with_counters(counters).with_model(Model::Qemu);
    // SAFETY: the kernel runs in machine mode, on such a processor; nobody else programs the unit; the interrupt has its
    // handler.
    let hardware = unsafe { Hardware::claim(Privilege::Machine, Mine) };
    Hpm::detect(hardware, Privilege::Machine, &announced)
}

/// The recorder of this CPU's branches (`smctr` in the device tree). It may be asked for anywhere, also amid a panic.
fn recorder() -> Ctr<Records<Mine>> {
    // SAFETY: the kernel runs in machine mode, the processor has Smctr, and nobody else uses the records.
    Ctr::detect(unsafe { Records::claim(Privilege::Machine, Mine) }, Privilege::Machine)
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
            asm!("2: addi {0}, {0}, -1", "bnez {0}, 2b", inout(reg) instructions / 2 => _, options(nomem, nostack));
        }
    }
}

/// Where the first CPU begins.
extern "C" fn main() -> ! {
    match measure() {
        Ok(()) => boot::exit(33),
        Err(error) => panic!("{error}"),
    }
}

fn measure() -> Result<()> {
    // From now on the last branches are there for a panic.
    recorder().record(&BranchFilter::new(Modes::KERNEL)).unwrap_or_else(|refusal| panic!("{refusal}"));
    come_online()?;
    tour::run(this_unit()?, &Loop)?;
    go_offline()?;
    show_branches().unwrap_or_else(|refusal| panic!("{refusal}"));
    println!("example: done");
    Ok(())
}

/// Which branches some code takes, for a test of where it went: the loop's is taken three times of four.
fn show_branches() -> core::result::Result<(), Refusal> {
    let filter = BranchFilter::new(Modes::KERNEL).only(&[BranchKind::Conditional]);
    let (branches, ()) = recorder().around::<8, _>(&filter, || tour::Work::run(&Loop, 8))?;
    println!("taken: {}", branches.len());
    Ok(())
}

/// The branches that led here come first, before others displace them. The unit stops, so that no interrupt of its comes amid
/// the last words.
#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    let branches = recorder().last::<16>();
    if let Ok(unit) = this_unit() {
        unit.halt();
    }
    println!("example: {panic}\n{branches}");
    boot::exit(35)
}
