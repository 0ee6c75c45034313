//! The units of UltraSPARC I to IV+ in software, register by register.

mod counting;
#[path = "../guests.rs"]
mod guests;
mod oracle;
mod overflow;
#[path = "../sparc_registers.rs"]
mod registers;
mod strict;

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{Device, Identity};
use pmu::virt::{self, Fault, Kind, Kinds};

use registers::{instructions, pcr, pic, with};

use crate::every_device::{Edge, Family, Judged, StateOf, filled};
use crate::support::line::Line;

fn run(guest: &[u8]) -> u64 {
    crate::sparc_guest::run::<oracle::Oracle>(guest)
}

const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::TakenBranches).with(Kind::Loads).with(Kind::Stores);

fn interrupts(device: &Device<Line>) -> u64 {
    device.trigger().rises()
}

struct UltraSparc;

impl Family for UltraSparc {
    lends! { pmu::arch::sparc::ultrasparc, ticks }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[0, 1];
    const EDGE: Edge = Edge::wrapping(32);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::II, |state| state.control = 1 << 8, Err(Fault::Reserved)),
        (Identity::III, |state| state.control = 1 << 10, Err(Fault::Reserved)),
        (Identity::III, |state| state.counters[0] = 1 << 32, Err(Fault::Reserved)),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let mut full = filled(&Self::unit(identity), [Asr::Pcr, Asr::Pic].into_iter());
        full.ticks = u64::MAX;
        vec![full]
    }

    fn interrupting() -> Vec<Identity> {
        Identity::ALL[3..].to_vec()
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
