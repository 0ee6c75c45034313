//! Book3S 64's tables, each by a processor that has it.

use pmu::arch::powerpc::book3s::{Book3s, Device, Identity};
use pmu::driver::Plan;
use pmu::virt::{Kinds, Unconnected};

fn driver(identity: &Identity) -> impl Plan {
    Book3s::new(Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

#[test]
fn powers_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

/// "POWER9 Performance Monitor Unit User's Guide", its event list.
#[test]
fn an_event_names_its_counter() {
    let catalogue = Identity::POWER9.capabilities().catalogue();
    let named = catalogue.named("pm_br_mpred_cmpl").unwrap();
    assert_eq!((named.code, named.counters.bits()), (0x4_00F6, 0b1000));
    assert_eq!(catalogue.of_code(0x2_00FE).map(|(named, _)| named.name), Some("PM_DATA_FROM_L2MISS".into()));
}
