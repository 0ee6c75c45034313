//! The registers of each processor, and their bits.

use pmu::Error;
use pmu::arch::powerpc::book3s::Identity;
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::virt::{Device as _, Fault};

use super::oracle::Oracle;
use super::{FC, at, pmc, read, unit};

/// The processors that have a register.
fn having(number: u16) -> Vec<&'static str> {
    let has = |identity: &&Identity| unit(identity).try_read(at(number)).is_ok();
    Identity::ALL.iter().filter(has).map(Identity::name).collect()
}

#[test]
fn registers_came_one_by_one() {
    assert_eq!(having(795).len(), 10);
    assert_eq!(having(793), ["POWER4", "PowerPC 970"], "PMC7");
    assert_eq!(having(785), ["POWER8", "POWER9", "Microwatt", "POWER10"], "MMCR2");
    assert_eq!(having(784), ["POWER8", "POWER9", "Microwatt", "POWER10"], "SIER");
    assert_eq!((having(754), having(753)), (vec!["POWER10"], vec!["POWER10"]), "MMCR3 and SIER3");
}

#[test]
fn bits_that_a_register_does_not_have_are_dropped_and_the_others_kept() {
    for (processor, identity) in Identity::ALL.iter().enumerate() {
        let oracle = Oracle::new(processor);
        for at in (736..800).filter_map(Spr::from_number).filter(|at| at.number() & 16 != 0) {
            let unit = unit(identity);
            let kept = unit.try_write(at, !(1 << 26)).map(|()| read(&unit, at) | 1 << 26);
            let bits = oracle.bits(at.number()).map(|bits| bits | 1 << 26);
            assert_eq!(kept.ok(), bits, "{} {at:?}", identity.name());
        }
    }
}

#[test]
fn the_classic_units_registers_are_not_this_units() {
    let unit = unit(&Identity::POWER9);
    assert_eq!(unit.try_read(at(952)), Err(Fault::Absent));
    assert_eq!(unit.try_write(at(952), 0), Err(Fault::Absent));
}

#[test]
fn counters_are_read_the_fast_way_and_nothing_else_is() {
    let unit = unit(&Identity::POWER9);
    assert_eq!((unit.try_read_counter(pmc(6)), unit.try_read_counter(pmc(7))), (Ok(0), Err(Fault::Absent)));
    assert_eq!(unit.try_read_counter(at(795)), Err(Fault::Absent));
}

#[test]
fn after_a_reset_all_counters_are_frozen() {
    let unit = unit(&Identity::POWER8);
    unit.try_write(at(798), 7).unwrap();
    unit.reset();
    assert_eq!((read(&unit, at(795)), read(&unit, at(798))), (FC, 0));
}

#[test]
fn a_guest_may_have_the_processor_that_it_runs_on() {
    let found =
        |pvr| Identity::of_processor(Pvr::from_bits(pvr)).map(|identity| (identity.name(), identity.pvr().bits()));
    assert_eq!(found(0x004B_0201), Ok(("POWER8", 0x004B_0201)));
    assert_eq!(found(0x0063_0101), Ok(("Microwatt", 0x0063_0101)));
    assert_eq!(found(0x0070_0501), Err(Error::UnknownProcessor { family: 0x70, model: 0x501 }));
}

#[test]
fn every_identity_is_of_the_next_generation() {
    let models = Identity::ALL.map(|identity| identity.capabilities().model);
    assert!(models.is_sorted());
    assert!(Identity::ALL.iter().all(|identity| identity.capabilities().model.name() == identity.name()));
}
