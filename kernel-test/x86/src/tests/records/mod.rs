//! The branches that the presented processor records: the driver's real instructions, above the crate's own recorder, which the
//! host tells of each branch that it has decoded.

mod a_full_recorder_keeps_the_newest_branches;
mod a_handler_finds_the_branches_that_led_to_it;
mod a_sample_has_the_branches_that_led_to_it;
mod a_software_interrupt_and_its_return_are_branches;
mod an_overflow_freezes_the_branches_before_it_if_it_is_to;
mod code;
mod each_kind_of_branch_is_recorded_by_its_filter;
mod known_codes_branches_are_found_exactly;
mod programs_never_see_each_others_branches_nor_the_kernels;

use harness::Need::{self, Interrupt, Own};
use harness::place::OneCpu;
use harness::{Kernel, Test};
use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::lbr::{Capabilities, Lbr};

use super::processor;
use crate::guest::{Here, unit};

/// The recorder of this processor's branches.
type Recorder = Lbr<Hardware<OneCpu>>;

/// Finds it, also in a handler: what is recorded goes on, and stays.
fn recorder() -> Recorder {
    Recorder::detect(&Cpuid, unit::hardware()).expect("the presented processor records branches")
}

macro_rules! tests {
    ($($needs:tt { $($name:ident)* })*) => {
        /// The tests of recorders.
        pub fn all() -> impl Iterator<Item = &'static Test> {
            const ALL: &[Test] =
                &[$($(Test { name: stringify!($name), body: $name::test, needs: &$needs, lacks: Here::lacks },)*)*];
            ALL.iter()
        }
    };
}

tests! {
    [RECORDS] {
        known_codes_branches_are_found_exactly
        a_full_recorder_keeps_the_newest_branches
    }
    [RECORDS, FILTERS] {
        each_kind_of_branch_is_recorded_by_its_filter
        a_software_interrupt_and_its_return_are_branches
        programs_never_see_each_others_branches_nor_the_kernels
        a_handler_finds_the_branches_that_led_to_it
    }
    [RECORDS, Interrupt] {
        a_sample_has_the_branches_that_led_to_it
        an_overflow_freezes_the_branches_before_it_if_it_is_to
    }
}

/// The processor records branches.
const RECORDS: Need = Own(|| processor().recorder().is_none().then_some("its processor records no branches"));
/// The recorder leaves out what it is told to, whichever kinds there are.
const FILTERS: Need = Own(|| {
    let cannot = [Capabilities::CORE_2, Capabilities::NEHALEM].map(Some).contains(&processor().recorder());
    cannot.then_some("its recorder cannot leave every kind out")
});
