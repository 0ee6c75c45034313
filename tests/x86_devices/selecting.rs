//! What the selector of a general counter makes of an event, as x86 has it since the P6 family. Each family's suite lends
//! what a counter reads that was enabled with a selector, after some work.

use pmu::Mode;
use pmu::virt::{Kind, Work};

use super::counting::counted_in;
use super::{CYCLES, INSTRUCTIONS, Identity};
use crate::support::work::{of, one_of_each_kind};

const USER: u64 = 1 << 16;
const KERNEL: u64 = 1 << 17;
const BOTH: u64 = USER | KERNEL;
const EDGE: u64 = 1 << 18;
const INVERT: u64 = 1 << 23;
const ONE: u64 = 1 << 24;
const TWO: u64 = 2 << 24;

/// What a counter reads after some of every kind of work.
pub(crate) fn counted(identity: &Identity, selector: u64) -> u64 {
    counted_in(identity, selector, &[one_of_each_kind(Mode::User)])
}

#[test]
fn a_counter_counts_in_the_modes_it_is_set_to() {
    let work = [Work::instructions(Mode::User, 3), Work::instructions(Mode::Kernel, 40)];
    for identity in Identity::ALL {
        let counts = [USER, KERNEL, BOTH, 0].map(|modes| counted_in(&identity, modes | INSTRUCTIONS, &work));
        assert_eq!(counts, [3, 40, 43, 0], "{}", identity.name());
    }
}

#[test]
fn ring_0_is_the_kernels_and_the_hypervisors_alike() {
    let work = [Work::instructions(Mode::Hypervisor, 5)];
    for identity in Identity::ALL {
        let counts = [USER, KERNEL].map(|modes| counted_in(&identity, modes | INSTRUCTIONS, &work));
        assert_eq!(counts, [0, 5], "{}", identity.name());
    }
}

#[test]
fn a_threshold_or_an_edge_is_not_guessed_at() {
    for identity in Identity::ALL {
        for refinement in [EDGE, ONE, TWO | INVERT, ONE | EDGE] {
            assert_eq!(counted(&identity, BOTH | INSTRUCTIONS | refinement), 0, "{} {refinement:#x}", identity.name());
        }
        let without = counted(&identity, BOTH | INSTRUCTIONS | INVERT);
        assert_eq!(without, of(Kind::Instructions), "{}: without a threshold", identity.name());
    }
}

#[test]
fn a_cycle_has_at_least_one_cycle_in_it() {
    for identity in Identity::ALL {
        let counts = [ONE, ONE | INVERT].map(|threshold| counted(&identity, BOTH | CYCLES | threshold));
        assert_eq!(counts, [of(Kind::Cycles), 0], "{}", identity.name());
    }
}
