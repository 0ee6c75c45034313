//! Detection finds the unit that the processor announces: QEMU's, or the model's.

use crate::host::Place;
use crate::identity;
use crate::kernel::{place, unit};
use crate::system::{level, read};
use pmu::arch::aarch64::pmuv3::Level;

pub fn test() {
    let driver = unit::detect().expect("it has a unit");
    let facts = driver.facts();
    assert_eq!(u64::from(facts.processor), read!("midr_el1"));
    assert_eq!(facts.level, if level() == 1 { Level::One } else { Level::Two });
    let identity = identity::present().expect("the tests know it");
    let version = if place::is(Place::Model) { identity.model_version } else { identity.version };
    assert_eq!((facts.version, facts.event_counters), (version, identity.counters), "{}", identity.name);
}
