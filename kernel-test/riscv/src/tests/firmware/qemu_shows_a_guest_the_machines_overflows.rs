//! In VS scountovf is not of the guest's unit: QEMU's shows the machine's overflows, which OpenSBI has set at boot, though
//! hcounteren keeps these counters from the guest. The read is not trapped, so the driver does without it.

use harness::claim::claim;

use crate::csr::get;
use crate::identity::COUNTERS;
use crate::tests::UnderFirmware as Here;

/// The counter by which the hypervisor leaves the guest (`hypervisor/riscv/src/clock.rs`).
const OF_HOST: usize = 1 << 3;

pub fn test() {
    let _pmu = claim::<Here>();
    assert_eq!(get!("scountovf") | OF_HOST, COUNTERS as usize & !7, "no counter of the guest's has overflowed");
}
