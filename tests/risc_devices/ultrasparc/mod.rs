//! The units of UltraSPARC I to IV+ in software, register by register.

mod counting;
#[path = "../sparc_guests.rs"]
mod guests;
mod oracle;
mod overflow;
mod registers;
mod strict;

use std::cell::Cell;

use pmu::Mode;
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{Device, Identity};
use pmu::virt::{Device as _, Kind, Kinds, Trigger, Work};

/// Counts the interrupts.
#[derive(Debug, Default)]
pub(crate) struct Heard(pub(crate) Cell<u32>);

impl Trigger for Heard {
    fn interrupt(&self) {
        self.0.set(self.0.get() + 1);
    }

    fn withdraw(&self) {
        panic!("SOFTINT is the kernel's to clear");
    }
}

fn device(identity: &Identity) -> Device<Heard> {
    let kinds = [Kind::TakenBranches, Kind::Loads, Kind::Stores];
    Device::new(identity, kinds.into_iter().fold(Kinds::CLOCK, Kinds::with), Heard::default())
}

/// A device with these registers.
fn with(identity: &Identity, pcr: u64, pic: u64) -> Device<Heard> {
    let device = device(identity);
    device.try_write(Asr::Pic, pic).unwrap();
    device.try_write(Asr::Pcr, pcr).unwrap();
    device
}

fn pic(device: &Device<Heard>) -> u64 {
    device.try_read(Asr::Pic).unwrap()
}

fn pcr(device: &Device<Heard>) -> u64 {
    device.try_read(Asr::Pcr).unwrap()
}

fn interrupts(device: &Device<Heard>) -> u32 {
    device.trigger().0.get()
}

fn instructions(device: &Device<Heard>, mode: Mode, count: u64) {
    device.advance(&Work::instructions(mode, count));
}
