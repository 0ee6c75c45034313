//! The branches that QEMU's own hart records (Smctr, Ssctr): in machine mode, in supervisor mode by delegation, and under
//! OpenSBI, which knows nothing of them.

mod a_breakpoint_and_its_return_are_branches;
mod a_full_ring_keeps_the_newest_branches;
mod a_panic_finds_the_branches_that_led_to_it;
mod a_sample_has_the_branches_that_led_to_it;
mod an_overflow_freezes_the_branches_before_it_if_it_is_to;
pub mod code;
mod each_kind_of_branch_is_recorded_by_its_filter;
mod known_codes_branches_are_found_exactly;
mod programs_never_see_each_others_branches_nor_the_kernels;

use core::marker::PhantomData;

use harness::place::OneCpu;
use harness::{Kernel, Need, Test};
use pmu::arch::riscv::access::Records;
use pmu::arch::riscv::hpm::ctr::Ctr;
use pmu::branches::{BranchList, Branches};

use super::On;
use crate::guest::way::Way;
use crate::{csr, identity};

/// The recorder of this hart.
pub type Recorder = Ctr<Records<OneCpu>>;

/// Finds it, also in a handler: what is recorded goes on, and stays.
pub fn recorder() -> Recorder {
    // SAFETY: the kernel runs in this mode, the hart has the records, and nobody else uses them.
    Ctr::detect(unsafe { Records::claim(csr::privilege(), OneCpu) }, csr::privilege())
}

/// The branches before a panic, if the hart records them: the panic handler's first step.
pub fn before_panic() -> BranchList<32> {
    if identity::present().has_records() { recorder().last() } else { BranchList::new() }
}

const RECORDS: Need = Need::Own(|| (!identity::present().has_records()).then_some("its hart records no branches"));

/// The tests of a kernel that has its unit in this way.
pub fn of<W: Way>() -> impl Iterator<Item = &'static Test> {
    Tests::<W>::ALL.iter()
}

struct Tests<W>(PhantomData<W>);

macro_rules! tests {
    ($($name:ident $(<$way:ident>)?)*) => {
        &[$(Test { name: stringify!($name), body: $name::test$(::<$way>)?, needs: &[RECORDS], lacks: On::<W>::lacks }),*]
    };
}

impl<W: Way> Tests<W> {
    const ALL: &'static [Test] = tests! {
        known_codes_branches_are_found_exactly
        each_kind_of_branch_is_recorded_by_its_filter
        a_full_ring_keeps_the_newest_branches
        a_breakpoint_and_its_return_are_branches
        programs_never_see_each_others_branches_nor_the_kernels
        a_sample_has_the_branches_that_led_to_it<W>
        an_overflow_freezes_the_branches_before_it_if_it_is_to<W>
        a_panic_finds_the_branches_that_led_to_it
    };
}
