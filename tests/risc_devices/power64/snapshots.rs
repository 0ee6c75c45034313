//! The state of a guest's unit, saved and restored on another machine.

use pmu::Mode;
use pmu::arch::powerpc::book3s::Identity;
use pmu::virt::{Device as _, Fault};

use super::{FC, FCECE, INSTRUCTIONS, PMAE, PMC1CE, TRIGGER, advance, at, executing, pmc, unit, write};
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::powerpc::book3s::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

#[test]
fn a_unit_goes_on_where_its_snapshot_was_taken() {
    let unit = unit(&Identity::POWER10);
    write(&unit, at(798), INSTRUCTIONS);
    write(&unit, pmc(1), (1 << 31) - 10);
    write(&unit, at(795), PMAE | PMC1CE);
    unit.set_processor(executing(0x100));
    advance(&unit, Mode::User, 4);
    let copy = super::unit(&Identity::POWER10);
    copy.restore(unit.snapshot().as_bytes()).unwrap();
    advance(&copy, Mode::User, 6);
    assert_eq!((copy.trigger().rises.get(), copy.state().instruction), (1, 0x100));
}

fn refused(change: impl Fn(&mut State)) -> Option<Fault> {
    let mut state = State::default();
    change(&mut state);
    let unit = unit(&Identity::POWER7);
    let before = unit.state();
    let outcome = put(&unit, &state).err();
    assert_eq!(unit.state(), if outcome.is_some() { before } else { state });
    outcome
}

#[test]
fn a_register_that_is_not_there_holds_nothing() {
    assert_eq!(refused(|state| state.freezes = 1), Some(Fault::Absent));
    assert_eq!(refused(|state| state.counters[6] = 1), Some(Fault::Absent));
}

#[test]
fn a_reserved_bit_is_not_brought_along() {
    assert_eq!(refused(|state| state.control = 1 << 32), Some(Fault::Reserved));
    assert_eq!(refused(|state| state.counters = [1 << 32; 8]), Some(Fault::Reserved));
}

#[test]
fn what_would_follow_at_once_has_followed_before_a_snapshot() {
    let negative = |control| refused(|state| (state.counters[0], state.control) = (1 << 31, control));
    for control in [PMAE | PMC1CE, FCECE | PMC1CE, TRIGGER] {
        assert_eq!(negative(control), Some(Fault::Reserved), "{control:#x}");
    }
    for control in [PMAE, FCECE | PMC1CE | FC, PMC1CE] {
        assert_eq!(negative(control), None, "{control:#x}");
    }
}
