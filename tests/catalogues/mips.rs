//! The MIPS tables, each by a processor that has it.

use pmu::arch::mips::mipsxx::{Core, Device, Identity, Mipsxx};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Request};

fn driver(identity: &Identity) -> Mipsxx<Device<Unconnected>> {
    Mipsxx::new(Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

#[test]
fn the_mips_cores_events_are_counted_and_come_back() {
    Identity::ALL.iter().for_each(|identity| crate::check(&driver(identity)));
}

/// libperfex(3C), the table of events: 0 to 15 are one counter's, 16 to 31 the other's.
#[test]
fn r10000_has_libperfex_32_events_each_on_its_counter() {
    for core in [Core::R10000V2, Core::R10000, Core::R12000] {
        let mut codes: Vec<_> = core.catalogue().events.iter().map(|event| event.code).collect();
        codes.sort_unstable();
        assert_eq!(codes, (0..32).collect::<Vec<u64>>(), "{core:?}");
    }
    let driver = driver(&Identity::R10000);
    for code in 0..32 {
        let counters = pmu::counters_for(&driver, &Request::new(Event::raw(code)));
        assert_eq!(counters, CounterSet::from_bits(if code < 16 { 1 } else { 2 }), "{code}");
    }
}
