//! Detection finds the unit that the processor announces: QEMU's, or the model's.

use crate::host::Place;
use crate::identity;
use crate::kernel::{place, unit};
use crate::system::{has_vhe, level, read};
use pmu::arch::aarch64::pmuv3::Level;

pub fn test() {
    let driver = unit::detect().expect("it has a unit");
    let facts = driver.facts();
    assert_eq!(u64::from(facts.processor), read!("midr_el1"));
    assert_eq!(facts.level, if level() == 1 { Level::One } else { Level::Two });
    let identity = identity::present().expect("the tests know it");
    let (is_model, has_vhe) = (place::is(Place::Model), has_vhe());
    let version = if is_model { identity.model_version } else { identity.version };
    assert_eq!((facts.version, facts.event_counters), (version, identity.counters), "{}", identity.name);
    // PMUv3p1 and FEAT_VHE came with Armv8.1 (DDI 0487, A2.2.2); the model's kernel is shown no EL2's features.
    assert_eq!(has_vhe, !is_model && version >= 1, "{}", identity.name);
}
