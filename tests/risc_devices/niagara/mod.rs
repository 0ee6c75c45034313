//! The units of UltraSPARC T1 to SPARC T3 in software, register by register, as OpenSPARC's designs have them.

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
use pmu::arch::sparc::niagara::{Device, Identity};
use pmu::virt::{self, Device as _, Fault, Kind, Kinds, Work};

use crate::every_device::{Edge, Family, Judged, StateOf};
use crate::support::line::Line;

fn run(guest: &[u8]) -> u64 {
    crate::sparc_guest::run::<oracle::Oracle>(guest)
}

/// A device with these registers.
fn with(identity: &Identity, pcr: u64, pic: u64) -> Device<Line> {
    let kinds = [Kind::Branches, Kind::TakenBranches, Kind::Loads, Kind::Stores, Kind::CacheMisses];
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

fn instructions(device: &Device<Line>, mode: Mode, count: u64) {
    device.advance(&Work::instructions(mode, count));
}

struct Niagara;

fn is_t1(identity: &Identity) -> bool {
    identity.name() == Identity::T1.name()
}

/// T1 interrupts once at each wrap, and T2 for as long as OV and TOE are set: their lines have sentences of their own.
impl Family for Niagara {
    lends! { pmu::arch::sparc::niagara, ticks }

    /// pic0 of T1 counts no instructions.
    type Counter = u8;

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let mut full = StateOf::<Self>::default();
        full.control = if is_t1(identity) { 0x377 } else { 0xFFFF_FFFF };
        (full.counters, full.ticks) = ([0xFFFF_FFFF; 2], u64::MAX);
        vec![full]
    }

    fn judged() -> Vec<Judged<Self>> {
        let wrong: [Judged<Self>; 3] = [
            (Identity::T1, |state| state.control = 1 << 3, Err(Fault::Reserved)),
            (Identity::T2, |state| state.control = 1 << 62, Err(Fault::Reserved)),
            (Identity::T2, |state| state.counters[0] = 1 << 32, Err(Fault::Reserved)),
        ];
        wrong.into()
    }

    fn counters(identity: &Identity) -> Vec<u8> {
        if is_t1(identity) { vec![1] } else { vec![0, 1] }
    }

    fn edge(identity: &Identity, _: u8) -> Edge {
        if is_t1(identity) { Edge::wrapping(32) } else { Edge::early(32) }
    }

    /// On T2, instructions and TOE of this counter, and no overflow, beside what the other has.
    fn start<D: virt::Device<Address = Asr>>(unit: &D, identity: &Identity, number: u8, value: u64) {
        let [pcr, pic] = [Asr::Pcr, Asr::Pic].map(|at| unit.try_read(at).unwrap());
        let others = pic & 0xFFFF_FFFF << (32 - 32 * number);
        let own = [0x2FD << 6 | 1 << 4, 0x2FD << 19 | 1 << 5][usize::from(number)];
        unit.try_write(Asr::Pic, others | value << (32 * number)).unwrap();
        unit.try_write(Asr::Pcr, if is_t1(identity) { 0x4 } else { pcr & !(1 << 18 | 1 << 31) | own | 0x4 }).unwrap();
    }

    fn value<D: virt::Device<Address = Asr>>(unit: &D, number: u8) -> u64 {
        unit.try_read(Asr::Pic).unwrap() >> (32 * number) & 0xFFFF_FFFF
    }
}

every_device! { Niagara, judged, interrupts, latches }
