//! The units of LoongArch in software, and hostile guests of theirs: what they find is what the oracle finds.

mod guest;
#[path = "../../risc_devices/guests.rs"]
mod guests;

use pmu::arch::loongarch::Register;
use pmu::arch::loongarch::la64::Identity;
use pmu::virt::{Device, Fault};

use guest::run;

use crate::every_device::{Edge, Family, Judged, StateOf, filled};

struct LoongArch;

impl Family for LoongArch {
    lends! { pmu::arch::loongarch::la64, ticks; is_asserted }

    type Counter = u8;

    const EDGE: Edge = Edge::negative(64);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::LOONGSON_3A5000, |state| state.controls[3] = 0x1F_03FF, Ok(())),
        (Identity::LOONGSON_3A5000, |state| state.controls[3] = 1 << 21, Err(Fault::Reserved)),
        (Identity::LOONGSON_3A6000.with_counters(2), |state| state.counters[2] = 1, Err(Fault::Absent)),
    ];

    fn identities() -> Vec<Identity> {
        Identity::ALL.into_iter().chain([1, 2].map(|number| Identity::LOONGSON_3A6000.with_counters(number))).collect()
    }

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let registers =
            (0..Register::COUNTERS).flat_map(|number| [Register::counter(number), Register::control(number)]);
        let mut full = filled(&Self::unit(identity), registers.flatten());
        full.ticks = u64::MAX;
        vec![full]
    }

    fn counters(identity: &Identity) -> Vec<u8> {
        (0..2).filter(|&number| u32::from(number) < identity.capabilities().counters.len()).collect()
    }

    /// Instructions in user programs, with PMIEn: event 1.
    fn start<D: Device<Address = Register>>(unit: &D, _: &Identity, number: u8, value: u64) {
        unit.try_write(Register::counter(number).unwrap(), value).unwrap();
        unit.try_write(Register::control(number).unwrap(), 1 << 20 | 1 << 19 | 1).unwrap();
    }

    fn value<D: Device<Address = Register>>(unit: &D, number: u8) -> u64 {
        unit.try_read(Register::counter(number).unwrap()).unwrap()
    }
}

every_device! { LoongArch, judged, interrupts, levels }
