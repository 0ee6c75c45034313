//! The Pentium 4's unit in software, and a guest cannot misuse it. Its other rules are in `tests/x86_drivers/netburst`.

#[path = "../addresses.rs"]
mod addresses;
#[path = "../guests.rs"]
mod guests;
#[path = "../leaves.rs"]
mod leaves;
mod oracle;

use pmu::CounterId;
use pmu::arch::x86::Msr;
use pmu::arch::x86::netburst::{Cccr, Escr, EscrId, Identity, Share};
use pmu::virt::{Device, Fault};

use crate::every_device::{Edge, Family, Judged, StateOf};
use oracle::Oracle;

struct Netburst;

impl Family for Netburst {
    lends! { pmu::arch::x86::netburst, ticks }

    type Counter = CounterId;

    const EDGE: Edge = Edge::wrapping(40);
    /// Models after 2 have no MSR_IQ_ESCR0.
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::PENTIUM_4, |state| state.escrs[26] = 1 << 25, Ok(())),
        (Identity::PRESCOTT, |state| state.escrs[26] = 1 << 25, Err(Fault::Absent)),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        vec![Oracle::new(*identity, Share::Whole).fullest()]
    }

    fn counters(_: &Identity) -> Vec<CounterId> {
        [0, 2].into_iter().filter_map(CounterId::new).collect()
    }

    /// Event 13H is the cycles; counters 0 and 2 have it by an ESCR each.
    fn start<D: Device<Address = Msr>>(unit: &D, _: &Identity, counter: CounterId, value: u64) {
        let escr = if counter.number() == 0 { EscrId::Fsb0 } else { EscrId::Fsb1 };
        let cccr = Cccr::ENABLE | Cccr::select(6) | Cccr::active(3) | Cccr::INTERRUPT_T0;
        unit.try_write(escr.msr(), (Escr::of(0x13, 1) | Escr::T0_USER | Escr::T0_KERNEL).bits()).unwrap();
        unit.try_write(Cccr::counter_msr(counter), value).unwrap();
        unit.try_write(Cccr::msr(counter), cccr.bits()).unwrap();
    }

    fn value<D: Device<Address = Msr>>(unit: &D, counter: CounterId) -> u64 {
        unit.try_read(Cccr::counter_msr(counter)).unwrap()
    }
}

every_device! { Netburst, judged, interrupts, latches, falls }
