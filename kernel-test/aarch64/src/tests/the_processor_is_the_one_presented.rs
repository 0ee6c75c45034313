//! Detection finds the unit that the processor announces: QEMU's, or the model's.

use crate::guest::{place, unit};
use crate::identity;
use crate::system::{has_vhe, level};
use metal::get;
use pmu::arch::aarch64::pmuv3::Privilege;

pub fn test() {
    let driver = unit::detect().expect("it has a unit");
    let capabilities = driver.capabilities();
    assert_eq!(u64::from(capabilities.processor), get!("midr_el1"));
    assert_eq!(capabilities.privilege, if level() == 1 { Privilege::El1 } else { Privilege::El2 });
    let identity = identity::present().expect("the tests know it");
    if place::is_on_model() {
        assert_eq!((capabilities.version, capabilities.event_counters), (identity.model_version, identity.counters));
    } else {
        assert_eq!(
            (capabilities.version, capabilities.event_counters),
            (identity.version, identity.counters),
            "{}",
            identity.name
        );
        // PMUv3p1 and FEAT_VHE came with Armv8.1 (DDI 0487, A2.2.2): the tests of a host are not left out for nothing.
        assert_eq!(has_vhe(), identity.version >= 1, "{}", identity.name);
    }
}
