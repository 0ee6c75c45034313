//! The units of UltraSPARC T1 to SPARC T3 in software, register by register, as OpenSPARC's designs have them.

mod counting;
#[path = "../guests.rs"]
mod guests;
mod oracle;
mod overflow;
#[path = "../sparc_registers.rs"]
mod registers;
mod strict;

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{Device, Identity};
use pmu::virt::{self, Fault, Kind, Kinds};

use registers::{instructions, pcr, pic, with};

use crate::every_device::{Edge, Family, Judged, StateOf};

fn run(guest: &[u8]) -> u64 {
    crate::sparc_guest::run::<oracle::Oracle>(guest)
}

const OBSERVED: Kinds = Kinds::CLOCK
    .with(Kind::Branches)
    .with(Kind::TakenBranches)
    .with(Kind::Loads)
    .with(Kind::Stores)
    .with(Kind::CacheMisses);

struct Niagara;

fn is_t1(identity: &Identity) -> bool {
    identity.name() == Identity::T1.name()
}

/// T1 interrupts once at each wrap, and T2 for as long as OV and TOE are set: their lines have sentences of their own.
impl Family for Niagara {
    lends! { pmu::arch::sparc::niagara, ticks }

    /// pic0 of T1 counts no instructions.
    type Counter = u8;

    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::T1, |state| state.control = 1 << 3, Err(Fault::Reserved)),
        (Identity::T2, |state| state.control = 1 << 62, Err(Fault::Reserved)),
        (Identity::T2, |state| state.counters[0] = 1 << 32, Err(Fault::Reserved)),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let mut full = StateOf::<Self>::default();
        full.control = if is_t1(identity) { 0x377 } else { 0xFFFF_FFFF };
        (full.counters, full.ticks) = ([0xFFFF_FFFF; 2], u64::MAX);
        vec![full]
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
