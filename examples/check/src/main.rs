//! Asks the unit of a machine, and writes the report beside itself on the stick: `docs/verification.md` says how it is used.
//!
//! ```sh
//! rustup target add x86_64-unknown-uefi aarch64-unknown-uefi
//! cargo test --release   # in this folder: boots it in QEMU under UEFI firmware, on both
//! ```
//!
//! What is asked is in the crate `check`. This file has the dialogue and the stick, `firmware.rs` the interrupt, and
//! `x86_64.rs` and `aarch64.rs` what differs.

#![no_std]
#![no_main]

extern crate alloc;

mod firmware;
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
mod machine;
mod stick;

use core::fmt::Write;

use check::Stopped;
use pmu::{CpuId, Interrupted, Kernel, Unit};
use uefi::prelude::*;
use uefi::proto::console::text::Key;
use uefi::runtime::{self, ResetType};
use uefi::system;

use machine::{Driver, Loop};
use stick::Report;

/// The unit of the one processor that runs applications, with room for 256 samples.
static UNIT: Unit<Driver, 256> = Unit::new();

/// Firmware runs applications on one processor.
#[derive(Clone, Copy)]
struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }
}

/// The handler of the overflow interrupt.
fn on_overflow(address: u64) {
    let _ = UNIT.on_overflow(Interrupted::new(address, machine::MODE));
}

#[entry]
fn main() -> Status {
    match ask() {
        Some('y') => measure(),
        Some('s') => {
            measure();
            runtime::reset(ResetType::SHUTDOWN, Status::SUCCESS, None)
        }
        _ => uefi::println!("Nothing was touched."),
    }
    Status::SUCCESS
}

/// Returns the key that the user presses.
fn ask() -> Option<char> {
    uefi::println!("This programs the performance-monitoring unit of this processor for some seconds.");
    uefi::println!("If the firmware uses it, or a watchdog does, the machine may hang: switch it off then.");
    uefi::println!("y: measure, and return. s: measure, and switch off. Any other key: return.");
    system::with_stdin(|input| {
        input.reset(false).ok()?;
        let event = input.wait_for_key_event()?;
        boot::wait_for_event(&mut [event]).ok()?;
        match input.read_key().ok()?? {
            Key::Printable(key) => Some(char::from(key)),
            Key::Special(_) => None,
        }
    })
}

fn measure() {
    let filled = Report::create().map(|mut report| fill(&mut report));
    match filled {
        Ok(Ok(())) => {}
        Ok(Err(Stopped::Report)) | Err(_) => uefi::println!("The report cannot be written to the stick."),
        Ok(Err(Stopped::Unit(error))) => uefi::println!("The unit refuses: {error}"),
    }
}

fn fill(report: &mut Report) -> Result<(), Stopped> {
    check::begin(report)?;
    writeln!(report, "crate: pmu {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(report, "firmware: {} {:#x}", system::firmware_vendor(), system::firmware_revision())?;
    writeln!(report, "processor: {}", machine::processor())?;
    writeln!(report, "user program: not run, because firmware maps no page for one")?;
    match machine::detect() {
        Err(error) => writeln!(report, "unit: none: {error}")?,
        Ok(driver) => match ask_unit(driver, report) {
            Err(Stopped::Unit(error)) => writeln!(report, "refused: {error}")?,
            other => other?,
        },
    }
    check::end(report)?;
    Ok(())
}

/// Asks counters and registers, and then the interrupt.
fn ask_unit(driver: Driver, report: &mut Report) -> Result<(), Stopped> {
    let pmu = UNIT.claim(driver)?;
    let asked = check::check(&UNIT, &Loop, report).and_then(|()| machine::registers(&UNIT, report));
    pmu.release()?;
    asked?;
    sample(report)
}

/// Samples by the overflow interrupt, if the firmware has a place for its handler.
fn sample(report: &mut Report) -> Result<(), Stopped> {
    let pmu = UNIT.claim(machine::detect_with_line()?)?;
    let sampled = match firmware::Interrupt::install() {
        Err(status) => writeln!(report, "interrupt: not asked, because no handler could be installed: {status}")
            .map_err(Stopped::from),
        Ok(_installed) => check::interrupts(&UNIT, &Loop, report),
    };
    pmu.release()?;
    sampled
}
