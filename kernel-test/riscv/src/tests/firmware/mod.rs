//! The tests where the firmware has the unit.

use harness::Need::{self, Own};

use super::UnderFirmware;
use crate::identity::is_in_vs;

/// OpenSBI.
const OPENSBI: Need = Own(|| is_in_vs().then_some("it is of OpenSBI"));
/// The example hypervisor, beneath which the kernel is in VS.
const VS: Need = Own(|| (!is_in_vs()).then_some("it is of a guest in VS"));

harness::tests! {
    UnderFirmware:
    [] {
        code_with_interrupts_off_is_sampled_by_the_software_event_alone
    }
    [OPENSBI] {
        opensbi_starts_with_every_overflow_set
        opensbi_refuses_snapshot_memory
        opensbi_counts_a_firmware_event_elsewhere_if_the_base_is_not_0
        the_firmwares_own_events_are_counted
    }
    [VS] {
        qemu_shows_a_guest_the_machines_overflows
    }
}
