//! The state of a guest's unit, saved and restored on another machine.

use pmu::Mode;
use pmu::arch::powerpc::{classic as spr_units, embedded as pmr_units};
use pmu::virt::{Device as _, Fault, Work};

use super::classic::{FC, FCECE as CLASSIC_FCECE, FIRST, MMCR0, PMC, PMC1CE, PMXE, TRIGGER};
use super::embedded::{CE, FAC, FCECE, INSTRUCTIONS, PMC0, PMGC0, PMIE, PMLCA0};
use super::{classic, embedded};
use crate::support::put::put;

/// The contents of a classic and of an embedded device.
type SprState = <spr_units::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;
type PmrState = <pmr_units::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

const NEGATIVE: u64 = 1 << 31;

#[test]
fn a_classic_unit_goes_on_where_its_snapshot_was_taken() {
    let unit = classic::unit(spr_units::Identity::P7400);
    classic::write(&unit, PMC[0], NEGATIVE - 10);
    classic::write(&unit, MMCR0, FIRST | PMC1CE | PMXE);
    unit.advance(&Work::instructions(Mode::User, 4));
    let copy = classic::unit(spr_units::Identity::P7400);
    copy.restore(unit.snapshot().as_bytes()).unwrap();
    copy.advance(&Work::instructions(Mode::User, 5));
    assert_eq!(copy.trigger().rises.get(), 0);
    copy.advance(&Work::instructions(Mode::User, 1));
    assert_eq!(copy.trigger().rises.get(), 1);
}

#[test]
fn an_embedded_unit_goes_on_where_its_snapshot_was_taken() {
    let unit = embedded::unit(pmr_units::Identity::E500_V2);
    embedded::write(&unit, PMC0 + 3, NEGATIVE - 10);
    embedded::write(&unit, PMLCA0 + 3, INSTRUCTIONS | CE);
    embedded::write(&unit, PMGC0, PMIE);
    unit.advance(&Work::instructions(Mode::User, 4));
    let copy = embedded::unit(pmr_units::Identity::E500_V2);
    copy.restore(unit.snapshot().as_bytes()).unwrap();
    copy.advance(&Work::instructions(Mode::User, 5));
    assert!(!copy.trigger().up.get());
    copy.advance(&Work::instructions(Mode::User, 1));
    assert!(copy.trigger().up.get());
}

fn classic_refusal(state: SprState) -> Option<Fault> {
    let unit = classic::unit(spr_units::Identity::P750);
    let before = unit.state();
    let outcome = put(&unit, &state).err();
    assert_eq!(unit.state(), if outcome.is_some() { before } else { state });
    outcome
}

#[test]
fn a_classic_register_holds_no_more_than_it_has() {
    let state = SprState::default();
    let with = |change: fn(&mut SprState)| {
        let mut changed = state;
        change(&mut changed);
        classic_refusal(changed)
    };
    assert_eq!(with(|state| state.counters[4] = 1), Some(Fault::Absent));
    assert_eq!(with(|state| state.extension = 1 << 31), Some(Fault::Absent));
    assert_eq!(with(|state| state.selects = 1 << 21), Some(Fault::Reserved));
    assert_eq!(with(|state| state.counters[0] = 1 << 32), Some(Fault::Reserved));
    assert_eq!(with(|state| state.datum = 1), Some(Fault::Reserved));
    assert_eq!(with(|state| state.counters[3] = 0xFFFF_FFFF), None);
}

#[test]
fn what_would_follow_at_once_has_followed_before_a_classic_snapshot() {
    let refused = |control| {
        let mut negative = SprState::default();
        (negative.counters[0], negative.control) = (NEGATIVE, control);
        classic_refusal(negative)
    };
    assert_eq!([PMXE | PMC1CE, TRIGGER].map(refused), [Some(Fault::Reserved); 2]);
    // The 750 freezes only where it interrupts.
    assert_eq!([PMXE, PMC1CE, CLASSIC_FCECE | PMC1CE, FC | PMC1CE].map(refused), [None; 4]);
}

fn embedded_refusal(state: PmrState) -> Option<Fault> {
    let unit = embedded::unit(pmr_units::Identity::E300);
    let before = unit.state();
    let outcome = put(&unit, &state).err();
    assert_eq!(unit.state(), if outcome.is_some() { before } else { state });
    outcome
}

#[test]
fn an_embedded_register_holds_no_more_than_it_has() {
    let with = |change: fn(&mut PmrState)| {
        let mut state = PmrState::default();
        change(&mut state);
        embedded_refusal(state)
    };
    assert_eq!(with(|state| state.thresholds[0] = 1), Some(Fault::Absent));
    assert_eq!(with(|state| state.locals[0] = 1), Some(Fault::Reserved));
    assert_eq!(with(|state| state.global = 1), Some(Fault::Reserved));
    assert_eq!(with(|state| state.global = PMIE), None);
}

#[test]
fn what_would_freeze_at_once_has_frozen_before_an_embedded_snapshot() {
    let refused = |global| {
        let mut past = PmrState::default();
        (past.counters[0], past.locals[0], past.global) = (NEGATIVE, CE, global);
        embedded_refusal(past)
    };
    assert_eq!([refused(FCECE), refused(FCECE | FAC), refused(PMIE)], [Some(Fault::Reserved), None, None]);
}
