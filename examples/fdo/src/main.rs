//! A kernel that is optimised by its own profile: it counts what a router of packets executes, samples it with the branches that
//! led to each sample, and prints the samples as a stream for Linux' perf. `cargo xtask demo --run fdo` makes a profile of them,
//! by which it builds the kernel again. The guide, `pmu::guide::fdo`, says what each step needs.
//!
//! It runs in machine mode on the hart that QEMU has, which records branches (Smctr).
//!
//! ```sh
//! cargo test   # in this folder: boots it in QEMU
//! ```

#![no_std]
#![no_main]

#[path = "../../riscv/src/boot.rs"]
#[allow(dead_code, unused_imports, reason = "this kernel has no threads")]
mod boot;
mod router;

use core::fmt;
use core::hint::black_box;
use core::panic::PanicInfo;

use pmu::arch::riscv::access::{Hardware, Records};
use pmu::arch::riscv::hpm::ctr::Ctr;
use pmu::arch::riscv::hpm::{Announced, Capabilities, Extensions, Hpm, Model, Privilege};
use pmu::branches::{BranchFilter, BranchLists, Branches};
use pmu::output::perf_data::{HexLines, Mapping, PerfData};
use pmu::{CpuId, Event, Interrupted, Kernel, Modes, Request, Result, Unit};

use boot::println;
use router::Router;

/// The packets that the router sends on.
const PACKETS: usize = 20_000;
/// A sample every so many instructions. It is a prime, so that samples do not keep step with the router.
const PERIOD: u64 = 2003;
/// The most branches that are kept of one packet, and of one sample.
const OF_PACKET: usize = 256;
const OF_SAMPLE: usize = 16;

/// The driver of this processor's unit.
type Driver = Hpm<Hardware<Mine>>;

static UNIT: Unit<Driver, 1024> = Unit::new();
static LISTS: BranchLists<OF_SAMPLE, 1024> = BranchLists::new();

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
    if number != Capabilities::INTERRUPT || !UNIT.on_overflow_with_branches(at, &recorder(), &LISTS).is_mine() {
        panic!("unexpected interrupt {number}");
    }
}

/// What a device tree says of the processor, as in the example `riscv`.
const ANNOUNCED: (&str, u32) = ("rv64imac_sscofpmf_smcntrpmf", 0x7_FFFD);

fn detect() -> Result<Driver> {
    let (isa, counters) = ANNOUNCED;
    let announced = Announced::new(Extensions::from_isa(isa)).with_counters(counters).with_model(Model::Qemu);
    // SAFETY: the kernel runs in machine mode, on such a processor; nobody else programs the unit; the interrupt has its
    // handler.
    let hardware = unsafe { Hardware::claim(Privilege::Machine, Mine) };
    Hpm::detect(hardware, Privilege::Machine, &announced)
}

/// The recorder of this CPU's branches (`smctr` in the device tree).
fn recorder() -> Ctr<Records<Mine>> {
    // SAFETY: the kernel runs in machine mode, the processor has Smctr, and nobody else uses the records.
    Ctr::detect(unsafe { Records::claim(Privilege::Machine, Mine) }, Privilege::Machine)
}

/// Where the first CPU begins.
extern "C" fn main() -> ! {
    match measure() {
        Ok(()) => boot::exit(33),
        Err(error) => panic!("{error}"),
    }
}

fn measure() -> Result<()> {
    let pmu = UNIT.claim(detect()?)?;
    boot::unmask_interrupts();
    let ([instructions], ()) = pmu.count([Event::INSTRUCTIONS], route)?;
    println!("instructions: {instructions}");
    println!("taken branches: {}", taken());

    let filter = BranchFilter::new(Modes::KERNEL).frozen_by_overflows();
    recorder().record(&filter).unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)])?;
    session.start()?;
    route();
    session.stop()?;
    recorder().halt();
    print_samples()
}

/// What is measured: the router sends its packets on.
fn route() {
    let mut router = Router::new();
    (0..PACKETS).for_each(|_| router.forward());
    black_box(&router);
}

/// Returns how many branches the same packets take, the call and the return of each among them: exact, because the records have
/// room for all branches of one packet.
fn taken() -> usize {
    let (mut router, recorder, filter) = (Router::new(), recorder(), BranchFilter::new(Modes::KERNEL));
    let of_packet = |_| {
        let recorded = recorder.around::<OF_PACKET, _>(&filter, || router.forward());
        let (branches, ()) = recorded.unwrap_or_else(|refusal| panic!("{refusal}"));
        assert!(branches.len() < recorder.depth(), "a packet takes {} branches or more", branches.len());
        branches.len()
    };
    (0..PACKETS).map(of_packet).sum()
}

/// Prints the samples with their branches, in lines of hexadecimal digits.
fn print_samples() -> Result<()> {
    let mut samples = LISTS.pair(UNIT.samples()?)?;
    let lost = samples.samples().lost().total() + LISTS.lost();
    assert_eq!(lost, 0, "there is room for all samples and their branches");
    let mut write = || -> core::result::Result<(), fmt::Error> {
        let mut stream = PerfData::begin_with_branches(HexLines::new(boot::Console), "instructions", PERIOD)?;
        stream.map(0, &image())?;
        samples.try_for_each(|(sample, list)| stream.branched(0, &sample, list.as_deref().unwrap_or_default()))?;
        stream.finish()?.finish()
    };
    write().expect("the console takes everything");
    Ok(())
}

unsafe extern "C" {
    static start: u8;
    static statics_begin: u8;
}

/// Where the image is, by its file's name: llvm-profgen takes the samples that are within. The offset is that of the segment in
/// the file, one page.
fn image() -> Mapping<'static> {
    let (begin, end) = (&raw const start as u64, &raw const statics_begin as u64);
    Mapping { path: "example-fdo", start: begin, size: end - begin, offset: 0x1000 }
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    println!("example: {panic}");
    boot::exit(35)
}
