//! The units of UltraSPARC T1 to SPARC T3 in software, register by register, as OpenSPARC's designs have them.

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
use pmu::arch::sparc::niagara::{Device, Identity};
use pmu::virt::{Device as _, Kind, Kinds, Trigger, Work};

/// Counts what is heard of the interrupt.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) interrupts: Cell<u32>,
    pub(crate) withdrawals: Cell<u32>,
}

impl Trigger for Heard {
    fn interrupt(&self) {
        self.interrupts.set(self.interrupts.get() + 1);
    }

    fn withdraw(&self) {
        self.withdrawals.set(self.withdrawals.get() + 1);
    }
}

fn device(identity: &Identity) -> Device<Heard> {
    let kinds = [Kind::Branches, Kind::TakenBranches, Kind::Loads, Kind::Stores, Kind::CacheMisses];
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

fn instructions(device: &Device<Heard>, mode: Mode, count: u64) {
    device.advance(&Work::instructions(mode, count));
}
