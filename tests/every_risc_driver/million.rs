//! A million overflows of Arm's, of MIPS' and of SPARC's units, whose test kernels take a part of them, and of LoongArch's: of
//! each there is a sample, or a loss with a cause.

use crate::aarch64::{Armv8_8, Armv9_4, CortexA57, NeoverseN1};
use crate::loongarch::{GuestOfOne, GuestOfTwo, Loongson3A5000, Loongson3C6000};
use crate::mips::{M5k, M24k, R10000, R12000};
use crate::niagara::{T1, T2};
use crate::support::effort;
use crate::ultrasparc::{UltraSparc3, UltraSparc4Plus};
use crate::{Bench, INSTRUCTIONS, Of, Processor, SAMPLES, Subject, both_ways, choose};

/// A tenth of them in a short run.
fn overflows() -> u64 {
    effort::whole_or(1_000_000, 100_000)
}

const PERIOD: u64 = 400;
/// So many at once that the ring is sometimes too small for them.
const MOST: u64 = SAMPLES as u64 * 5 / 4;

#[test]
fn a_million_overflows_of_sparcs_units_are_all_accounted_for() {
    both_ways(|| {
        let accounted = [part::<UltraSparc3>(), part::<UltraSparc4Plus>(), part::<T1>(), part::<T2>()];
        assert!(accounted.iter().sum::<u64>() >= overflows() / 2);
    });
}

#[test]
fn a_million_overflows_of_arms_units_are_all_accounted_for() {
    both_ways(|| {
        let accounted = [part::<CortexA57>(), part::<NeoverseN1>(), part::<Armv8_8>(), part::<Armv9_4>()];
        assert!(accounted.iter().sum::<u64>() >= overflows() / 2);
    });
}

#[test]
fn a_million_overflows_of_mips_units_are_all_accounted_for() {
    both_ways(|| {
        let accounted = [part::<R10000>(), part::<R12000>(), part::<M5k>(), part::<M24k>()];
        assert!(accounted.iter().sum::<u64>() >= overflows() / 2);
    });
}

#[test]
fn a_million_overflows_of_loongarchs_unit_are_all_accounted_for() {
    both_ways(|| {
        let accounted =
            [part::<Loongson3A5000>(), part::<Loongson3C6000>(), part::<GuestOfTwo>(), part::<GuestOfOne>()];
        assert!(accounted.iter().sum::<u64>() >= overflows() / 2);
    });
}

fn part<P: Processor>() -> u64 {
    choose::<P>();
    accounted::<Of<P>>()
}

/// Samples for an eighth of the overflows. Now and then a stop finds a period that has ended, whose interrupt is to come.
fn accounted<S: Subject>() -> u64 {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(PERIOD)]).expect("the unit is free");
    let mut samples = bench.unit.samples().expect("nobody else reads");
    let [mut drained, mut counted] = [0; 2];
    while counted < overflows() / 8 * PERIOD {
        session.start().expect("it is stopped");
        bench.machine.work(PERIOD * (MOST - drained % (MOST / 2)));
        bench.machine.wire.held.set(true);
        bench.machine.work(PERIOD);
        session.stop().expect("it runs");
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        drained += samples.by_ref().count() as u64;
        [counted] = session.read().expect("this is its CPU");
    }
    let lost = samples.lost();
    assert_eq!(samples.received() + lost.total(), counted / PERIOD);
    assert!(lost.ring_full > 0 && lost.stopped > 0, "{lost}");
    assert_eq!(bench.unit.spurious().foreign, 0);
    counted / PERIOD
}
