//! The units of MIPS in software, and hostile guests of theirs: what they find is what the oracle finds.

mod guest;
#[path = "../guests.rs"]
mod guests;

use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::{Identity, Thread};
use pmu::virt::{Device, Fault};

use guest::run;

use crate::every_device::{Edge, Family, Judged, StateOf, filled};

struct Mips;

impl Family for Mips {
    lends! { pmu::arch::mips::mipsxx, ticks exception thread; is_asserted }

    type Counter = u8;

    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::M34K, |state| state.counters[1] = (1 << 32) - 1, Ok(())),
        (Identity::M34K, |state| state.counters[1] = 1 << 32, Err(Fault::Reserved)),
    ];

    fn identities() -> Vec<Identity> {
        Identity::ALL.into_iter().chain([Identity::M5K.wide(), Identity::M74K.wide()]).collect()
    }

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let registers = (0..Cp0::COUNTERS).flat_map(|number| [Cp0::counter(number), Cp0::control(number)]);
        let mut full = filled(&Self::unit(identity), registers.flatten());
        (full.exception, full.thread) = (true, Thread { vpe: u8::MAX, tc: u8::MAX });
        full.ticks = u64::MAX;
        vec![full]
    }

    fn counters(identity: &Identity) -> Vec<u8> {
        (0..2).filter(|&number| u32::from(number) < identity.capabilities().counters.len()).collect()
    }

    fn edge(identity: &Identity, _: u8) -> Edge {
        Edge::negative(identity.capabilities().width.bits())
    }

    /// Cycles in user programs, with IE: event 0, and 1 on Octeons.
    fn start<D: Device<Address = Cp0>>(unit: &D, identity: &Identity, number: u8, value: u64) {
        let cycles = u64::from(identity.name().starts_with("octeon"));
        unit.try_write(Cp0::counter(number).unwrap(), value).unwrap();
        unit.try_write(Cp0::control(number).unwrap(), cycles << 5 | 1 << 4 | 1 << 3).unwrap();
    }

    fn value<D: Device<Address = Cp0>>(unit: &D, number: u8) -> u64 {
        unit.try_read(Cp0::counter(number).unwrap()).unwrap()
    }
}

every_device! { Mips, judged, interrupts, levels }
