//! Each instruction is looked at while a counter wants to know what only that tells, and no longer.

use pmu::virt::Kind;

use super::programs::{self, COUNTING, STOPPED};
use crate::guest::unit::{self, Unit};
use crate::guest::{events, truth};

/// OS, the one mode; in [`COUNTING`] there is USR too.
const KERNEL_ONLY: u64 = COUNTING & !(1 << 16);

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    for (program, is_observed) in [(COUNTING, false), (KERNEL_ONLY, false), (STOPPED, false)] {
        programs::set(program).expect("every unit counts instructions");
        assert_eq!(truth::is_observed(), is_observed, "{program:#x}");
    }
    let pmu = unit::claim(&UNIT);
    let branches = events::of(Kind::Branches).expect("every processor counts branches");
    let (_, is_observed) = pmu.count([branches], truth::is_observed).expect("branches can be counted");
    assert!(is_observed);
    assert!(!truth::is_observed());
}
