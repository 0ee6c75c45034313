//! The rules of `Strict`: what a driver must not do although the hardware permits it. The crate's drivers keep them.

use pmu::arch::powerpc::{classic as spr_units, embedded as pmr_units};
use pmu::driver::{Driver, Registers};
use pmu::virt::{Kinds, Strict, Unconnected};
use pmu::{Event, Request, Unit};

use super::classic::{FC, FIRST, MMCR0, MMCR1, MMCR2, PMC, PMXE};
use super::embedded::{CE, FC as LOCAL_FREEZE, FCU, INSTRUCTIONS, PMC0, PMGC0, PMIE, PMLCA0, PMLCB0};
use super::{pmr, spr};
use crate::support::rules::judges;

type Classic = Strict<spr_units::Device<Unconnected>>;
type Embedded = Strict<pmr_units::Device<Unconnected>>;

/// Counts instructions on PMC1.
fn classic() -> Classic {
    let unit = Strict(spr_units::Device::new(&spr_units::Identity::P7400, Kinds::CLOCK, Unconnected));
    unit.write(spr(MMCR0), FIRST);
    unit
}

const WRITTEN: Option<&str> = Some("a counter that counts is written");
const RESERVED: Option<&str> = Some("bits are set that are reserved");

#[test]
fn a_classic_counter_that_counts_is_not_written_and_one_that_rests_is() {
    let unit = classic();
    judges(&unit, &[(spr(PMC[0]), 1, WRITTEN), (spr(PMC[1]), 1, None), (spr(MMCR0), FC | FIRST, None)]);
    judges(&unit, &[(spr(PMC[0]), 1, None)]);
}

#[test]
fn what_a_classic_unit_counts_is_not_changed_while_it_counts() {
    let changed = Some("what counters count is changed while they count");
    let changes = [(MMCR0, FIRST | 2), (MMCR1, 1 << 27), (MMCR2, 1 << 31)].map(|(at, value)| (spr(at), value, changed));
    let unit = classic();
    judges(&unit, &changes);
    judges(&unit, &[(spr(MMCR0), FIRST | PMXE, None), (spr(MMCR0), FC, None), (spr(MMCR1), 1 << 27, None)]);
}

#[test]
fn a_classic_counter_is_not_made_negative_while_that_interrupts() {
    let unit = classic();
    unit.write(spr(MMCR0), FIRST | PMXE);
    let negative = "a counter is made negative while that interrupts: it does at once";
    judges(&unit, &[(spr(PMC[1]), 1 << 31, Some(negative)), (spr(PMC[1]), 0x7FFF_FFFF, None)]);
}

#[test]
fn a_reserved_bit_is_not_set() {
    judges(&classic(), &[(spr(MMCR1), 1, RESERVED), (spr(945), 1, Some("the register is no part of this unit"))]);
    judges(&embedded(), &[(pmr(PMGC0), 1, RESERVED)]);
}

/// Counts instructions on PMC0.
fn embedded() -> Embedded {
    let unit = Strict(pmr_units::Device::new(&pmr_units::Identity::E500_V2, Kinds::CLOCK, Unconnected));
    unit.write(pmr(PMLCA0), INSTRUCTIONS);
    unit
}

#[test]
fn an_embedded_counter_is_left_alone_while_it_counts_and_can_be_frozen() {
    judges(
        &embedded(),
        &[
            (pmr(PMC0), 1, WRITTEN),
            (pmr(PMLCA0), INSTRUCTIONS | FCU, Some("what a counter counts is changed while it counts")),
            (pmr(PMLCB0), 1, Some("what a counter compares with is changed while it counts")),
            (pmr(PMC0 + 1), 1, None),
            (pmr(PMLCA0), INSTRUCTIONS | LOCAL_FREEZE, None),
            (pmr(PMC0), 1, None),
        ],
    );
}

#[test]
fn an_embedded_counter_is_not_put_past_its_overflow_while_that_interrupts() {
    let unit = embedded();
    unit.write(pmr(PMLCA0 + 1), CE);
    unit.write(pmr(PMGC0), PMIE);
    let past = "a counter is put past its overflow while that interrupts: it does at once";
    judges(&unit, &[(pmr(PMC0 + 1), 1 << 31, Some(past))]);
}

/// A measurement as kernels make it, by a driver whose every write is judged.
fn measure<D: Driver>(driver: D) {
    let unit: Unit<D, 16> = Unit::new();
    let pmu = unit.claim(driver).unwrap();
    let mut first = pmu.open([Request::new(Event::CYCLES).every(5000)]).unwrap();
    first.start().unwrap();
    let mut second = pmu.open([Request::new(Event::INSTRUCTIONS)]).unwrap();
    second.start().unwrap();
    first.stop().unwrap();
    first.start().unwrap();
    pmu.suspend().unwrap();
    unit.resume().unwrap();
    second.stop().unwrap();
    drop(second);
    drop(first);
    pmu.release().unwrap();
}

#[test]
fn the_drivers_keep_to_the_rules() {
    for identity in spr_units::Identity::ALL {
        let unit = Strict(spr_units::Device::new(&identity, Kinds::CLOCK, Unconnected));
        measure(spr_units::Classic::detect(identity.pvr(), unit).unwrap());
    }
    for identity in pmr_units::Identity::ALL {
        let unit = Strict(pmr_units::Device::new(&identity, Kinds::CLOCK, Unconnected));
        measure(pmr_units::Embedded::detect(identity.pvr(), unit).unwrap());
    }
}
