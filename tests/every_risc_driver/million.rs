//! A million overflows of Arm's, of MIPS' and of SPARC's units, whose test kernels take a part of them.

use crate::aarch64::{Armv8_8, Armv9_4, CortexA57, NeoverseN1};
use crate::mips::{M5k, M24k, R10000, R12000};
use crate::niagara::{T1, T2};
use crate::ultrasparc::{UltraSparc3, UltraSparc4Plus};
use crate::{accounted::all_of, accounted::part, both_ways};

#[test]
fn a_million_overflows_of_sparcs_units_are_all_accounted_for() {
    both_ways(|| {
        all_of([part::<UltraSparc3>, part::<UltraSparc4Plus>, part::<T1>, part::<T2>]);
    });
}

#[test]
fn a_million_overflows_of_arms_units_are_all_accounted_for() {
    both_ways(|| {
        all_of([part::<CortexA57>, part::<NeoverseN1>, part::<Armv8_8>, part::<Armv9_4>]);
    });
}

#[test]
fn a_million_overflows_of_mips_units_are_all_accounted_for() {
    both_ways(|| {
        all_of([part::<R10000>, part::<R12000>, part::<M5k>, part::<M24k>]);
    });
}
