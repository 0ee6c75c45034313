//! A kernel for RISC-V under a firmware that measures itself: what is in this file and in `tour.rs` is what a kernel's author
//! copies.
//!
//! It runs in supervisor mode under the OpenSBI that QEMU brings, and counts by calls to it. First overflows interrupt by
//! LCOFI, which waits while interrupts are off; then by the firmware's software event, which does not.
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

use pmu::arch::riscv::access::Firmware;
use pmu::arch::riscv::hpm::sbi::{Line, Sbi};
use pmu::arch::riscv::hpm::{Announced, Capabilities, Extensions, Model};
use pmu::output::report::ProfileReport;
use pmu::output::{profile::Profile, profile::Symbol};
use pmu::{CpuId, Event, Interrupted, Kernel, Request, Result, Unit};

use boot::println;

/// The driver of this processor's unit.
type Driver = Sbi<Firmware<Mine>>;

/// The unit, with room for 512 samples; and the same unit by the other interrupt, one after the other.
static UNIT: Unit<Driver, 512> = Unit::new();
static UNIT_BY_EVENT: Unit<Driver, 512> = Unit::new();

/// What this kernel lends to the crate.
#[derive(Clone, Copy)]
struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }
}

/// The handler of every interrupt. The driver clears what it serves.
fn on_interrupt(number: u32, at: Interrupted) {
    let at = at.in_thread(tour::RUNNING.load(Relaxed));
    if number != Capabilities::INTERRUPT || !UNIT.on_overflow(at).is_mine() {
        panic!("unexpected interrupt {number}");
    }
}

/// The handler of the software event.
fn on_overflow(at: Interrupted) {
    if !UNIT_BY_EVENT.on_overflow(at).is_mine() {
        panic!("unexpected software event");
    }
}
pmu::event_entry!(pub OverflowEvent, on_overflow);

/// What a device tree says of the processor: `riscv,isa`. What counters there are the firmware says. QEMU's processor has no
/// number of its own, but the machine is `riscv-virtio`.
const ISA: &str = "rv64imac_sscofpmf_smcntrpmf";

fn detect(line: Line) -> Result<Driver> {
    let announced = Announced::new(Extensions::from_isa(ISA)).with_model(Model::Qemu);
    // SAFETY: the kernel runs in supervisor mode under a firmware that lets it read the counters; nobody else programs
    // the unit; both interrupts have their handlers.
    let firmware = unsafe { Firmware::claim(Mine) };
    Sbi::detect(firmware, &announced, line, &[])
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

/// Where the hart begins.
extern "C" fn main() -> ! {
    match measure() {
        Ok(()) => boot::exit(33),
        Err(error) => panic!("{error}"),
    }
}

fn measure() -> Result<()> {
    boot::unmask_interrupts();
    let pmu = UNIT.claim(detect(Line::Local)?)?;
    tour::run(&UNIT, &Loop)?;
    count_firmware()?;
    println!("by LCOFI, which waits while interrupts are off:");
    assert_eq!(profile_section(&UNIT)?, 0, "the critical section was interrupted");
    pmu.release()?;
    boot::register_event().unwrap_or_else(|error| panic!("the firmware has no software events: {error}"));
    let pmu = UNIT_BY_EVENT.claim(detect(Line::Software)?)?;
    println!("by the software event, which does not:");
    assert!(profile_section(&UNIT_BY_EVENT)? > 130, "14,000 instructions, 20 times, are sampled every 2003");
    pmu.release()?;
    println!("example: done");
    Ok(())
}

/// Counts what the firmware has done: every setting of the timer.
fn count_firmware() -> Result<()> {
    /// SBI_PMU_FW_SET_TIMER: type 15, event 5.
    const SET_TIMER: Event = Event::raw(0xF_0005);
    let ([timers], ()) = UNIT.here()?.count([SET_TIMER], || (0..7).for_each(|_| boot::set_timer()))?;
    println!("firmware: the timer was set {timers} times");
    assert_eq!(timers, 7);
    Ok(())
}

/// Samples two functions, one of which runs with interrupts off. Returns how many samples that one has.
fn profile_section(unit: &'static Unit<Driver, 512>) -> Result<u64> {
    let mut session = unit.here()?.open([Request::new(Event::INSTRUCTIONS).every(2003)])?;
    session.start()?;
    for _ in 0..20 {
        open_part();
        boot::with_interrupts_off(critical_section);
    }
    session.stop()?;
    let mut profile = Profile::<256>::new();
    let mut samples = unit.samples()?;
    profile.extend(samples.by_ref());
    let mut symbols = [("open_part", open_part as fn()), ("critical_section", critical_section)]
        .map(|(name, function)| Symbol { name, start: function as usize as u64 });
    symbols.sort_unstable_by_key(|symbol| symbol.start);
    println!("{}lost: {}", ProfileReport::by_symbol(&profile, &symbols[..]), samples.lost());
    let start = critical_section as fn() as usize as u64;
    Ok(profile
        .hits()
        .iter()
        .filter(|hit| (start..start + SECTION).contains(&hit.place.address))
        .map(|hit| hit.samples)
        .sum())
}

/// The bytes of the critical section, at most.
const SECTION: u64 = 16;

#[inline(never)]
fn open_part() {
    tour::Work::run(&Loop, 10_000);
}

#[inline(never)]
fn critical_section() {
    tour::Work::run(&Loop, 14_000);
}

/// The unit stops, so that no interrupt of its comes amid the last words.
#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    for unit in [&UNIT, &UNIT_BY_EVENT] {
        unit.halt();
    }
    println!("example: {panic}");
    boot::exit(35)
}
