//! The units of UltraSPARC I to IV+ in software, register by register.

mod counting;
#[path = "../guests.rs"]
mod guests;
mod oracle;
mod overflow;
mod strict;
#[path = "../sparc_registers.rs"]
mod who;

use pmu::Mode;
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{Device, Identity};
use pmu::virt::{self, Device as _, Fault, Kind, Kinds, Work};

use crate::every_device::{Edge, Family, Judged, StateOf, filled};
use crate::support::line::Line;

fn run(guest: &[u8]) -> u64 {
    crate::sparc_guest::run::<oracle::Oracle>(guest)
}

/// A device with these registers.
fn with(identity: &Identity, pcr: u64, pic: u64) -> Device<Line> {
    let kinds = [Kind::TakenBranches, Kind::Loads, Kind::Stores];
    let device = Device::new(identity, kinds.into_iter().fold(Kinds::CLOCK, Kinds::with), Line::default());
    device.try_write(Asr::Pic, pic).unwrap();
    device.try_write(Asr::Pcr, pcr).unwrap();
    device
}

fn pic(device: &Device<Line>) -> u64 {
    device.try_read(Asr::Pic).unwrap()
}

fn pcr(device: &Device<Line>) -> u64 {
    device.try_read(Asr::Pcr).unwrap()
}

fn interrupts(device: &Device<Line>) -> u64 {
    device.trigger().rises()
}

fn instructions(device: &Device<Line>, mode: Mode, count: u64) {
    device.advance(&Work::instructions(mode, count));
}

struct UltraSparc;

impl Family for UltraSparc {
    lends! { pmu::arch::sparc::ultrasparc, ticks }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[0, 1];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let mut full = filled(&Self::unit(identity), [Asr::Pcr, Asr::Pic].into_iter());
        full.ticks = u64::MAX;
        vec![full]
    }

    fn judged() -> Vec<Judged<Self>> {
        let wrong: [Judged<Self>; 3] = [
            (Identity::II, |state| state.control = 1 << 8, Err(Fault::Reserved)),
            (Identity::III, |state| state.control = 1 << 10, Err(Fault::Reserved)),
            (Identity::III, |state| state.counters[0] = 1 << 32, Err(Fault::Reserved)),
        ];
        wrong.into()
    }

    fn interrupting() -> Vec<Identity> {
        Identity::ALL[3..].to_vec()
    }

    fn edge(_: &Identity, _: u8) -> Edge {
        Edge::wrapping(32)
    }

    /// Instructions on this counter. The other, before it is started, is parked on its event of software.
    fn start<D: virt::Device<Address = Asr>>(unit: &D, _: &Identity, number: u8, value: u64) {
        let [pcr, pic] = [Asr::Pcr, Asr::Pic].map(|at| unit.try_read(at).unwrap());
        let others = pic & 0xFFFF_FFFF << (32 - 32 * number);
        let before = if pcr == 0 { 0x14 << 4 | 0x1C << 11 } else { pcr };
        let shift = [4, 11][usize::from(number)];
        unit.try_write(Asr::Pic, others | value << (32 * number)).unwrap();
        unit.try_write(Asr::Pcr, before & !(0x3F << shift) | 1 << shift | 0x4).unwrap();
    }

    fn value<D: virt::Device<Address = Asr>>(unit: &D, number: u8) -> u64 {
        unit.try_read(Asr::Pic).unwrap() >> (32 * number) & 0xFFFF_FFFF
    }
}

every_device! { UltraSparc, judged, interrupts, latches, pulses }
