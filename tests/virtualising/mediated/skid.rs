//! A guest that freezes its counters at an overflow, on a host that leaves it some instructions later.

use pmu::arch::x86::intel::{DebugControl, Identity};
use pmu::virt::Device as _;
use pmu::virt::Mediated;

use crate::mediated::{counting, instructions, intel_host};

const FROZEN: u64 = 1 << 59;

/// Returns what the guest's counter and its status hold after an overflow and 5 more instructions, on a host that loads this
/// IA32_DEBUGCTL at the entry.
fn after_a_skid(loaded: DebugControl) -> (u64, u64) {
    let (processor, pmu) = intel_host(&Identity::SKYLAKE);
    let guest = counting(10);
    guest.set_debug_control(DebugControl::FREEZE_COUNTERS);
    let mut mediated = Mediated::new(pmu, guest).unwrap();
    mediated.enter().unwrap();
    processor.set_debug_control(loaded);
    processor.advance(&instructions(10));
    processor.advance(&instructions(5));
    processor.set_debug_control(DebugControl::empty());
    mediated.exit().unwrap();
    mediated.interrupted().unwrap();
    let state = mediated.guest().unwrap().state();
    assert_eq!(mediated.guest().unwrap().trigger().rises(), 1);
    assert_eq!(processor.state().global_status, 0, "the real unit is frozen no more");
    (state.general[0], state.global_status)
}

#[test]
fn a_guest_that_freezes_counts_nothing_behind_the_overflow_if_its_host_loads_the_bit() {
    assert_eq!(after_a_skid(DebugControl::FREEZE_COUNTERS), (0, FROZEN | 1));
}

#[test]
fn a_guest_that_freezes_counts_what_its_host_lets_pass_if_that_does_not_load_the_bit() {
    assert_eq!(after_a_skid(DebugControl::empty()), (5, FROZEN | 1));
}
