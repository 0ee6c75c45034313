//! The units of RISC-V in software, and hostile guests of theirs: what they find is what the oracle finds.

mod guest;
#[path = "../guests.rs"]
mod guests;

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Identity, Privilege};
use pmu::virt::{Device, Fault};

use guest::run;

use crate::every_device::{Edge, Family, Judged, StateOf, filled};

/// The interrupt's bit in mip and mie (Sscofpmf).
const LCOFI: u64 = 1 << 13;

struct Hpm;

impl Family for Hpm {
    lends! { pmu::arch::riscv::hpm, ticks; is_asserted }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[3, 4];
    const EDGE: Edge = Edge::wrapping(64);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::RV64_PLAIN, |state| state.counters[31] = (1 << 48) - 1, Ok(())),
        (Identity::RV64_PLAIN, |state| state.counters[31] = 1 << 48, Err(Fault::Reserved)),
        (Identity::U74, |state| state.counters[4] = (1 << 40) - 1, Ok(())),
        (Identity::U74, |state| state.counters[4] = 1 << 40, Err(Fault::Reserved)),
    ];

    /// A supervisor does not have all of its unit: the rest is machine mode's.
    fn identities() -> Vec<Identity> {
        let all = Identity::ALL.into_iter();
        all.filter(|identity| identity.privilege() == Privilege::Machine).collect()
    }

    /// An overflow cannot be written on Andes'.
    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let mut full = filled(&Self::unit(identity), (0..0x1000).filter_map(Csr::from_number));
        (full.overflowed, full.ticks) = (full.interrupting, u64::MAX);
        vec![full]
    }

    fn interrupting() -> Vec<Identity> {
        vec![Identity::RV64, Identity::RV32]
    }

    /// Event 2 is the instructions, in all modes.
    fn start<D: Device<Address = Csr>>(unit: &D, _: &Identity, number: u8, value: u64) {
        let [counter, select] = [Csr::counter(number), Csr::select(number)].map(Option::unwrap);
        let is_narrow = unit.try_read(counter.high()).is_ok();
        unit.try_write(Csr::MIP.clearing(), LCOFI).unwrap();
        unit.try_write(counter, if is_narrow { value & 0xFFFF_FFFF } else { value }).unwrap();
        unit.try_write(select, 2).unwrap();
        if is_narrow {
            unit.try_write(counter.high(), value >> 32).unwrap();
            unit.try_write(select.high(), 0).unwrap();
        }
        unit.try_write(Csr::MIE.setting(), LCOFI).unwrap();
    }

    fn value<D: Device<Address = Csr>>(unit: &D, number: u8) -> u64 {
        let counter = Csr::counter(number).unwrap();
        unit.try_read(counter).unwrap() | unit.try_read(counter.high()).map_or(0, |high| high << 32)
    }
}

every_device! { Hpm, judged, interrupts, latches, levels }
