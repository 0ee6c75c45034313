//! The state of a guest's unit, saved and restored on another machine.

use pmu::arch::x86::intel::Identity;
use pmu::virt::{Device as _, Fault};

use super::device;
use super::oracle::{ALL, Oracle};
use crate::support::hostile::{Line, Subject as _};
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::x86::intel::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// A state with every bit set that this processor's unit can hold.
fn fullest(identity: &Identity) -> State {
    let oracle = Oracle::new(identity);
    let shows = |first: u32| move |number: usize| oracle.shows(first + number as u32);
    let mut state = State::default();
    state.general = std::array::from_fn(shows(0xC1));
    state.selects = std::array::from_fn(shows(0x186));
    state.fixed = std::array::from_fn(shows(0x309));
    state.beside = [0x1A6, 0x1A7, 0x3F7].map(|at| oracle.shows(at));
    state.fixed_control = oracle.shows(0x38D);
    state.global_control = oracle.shows(0x38F);
    state.global_status = oracle.shows(0x38E);
    state.force_abort = oracle.shows(0x10F);
    state.debug_control = oracle.debug_control();
    state.ticks = u64::MAX;
    state
}

#[test]
fn a_snapshot_comes_back_bit_for_bit() {
    let line = Line::default();
    for identity in ALL {
        let device = device(&identity, &line);
        for state in [fullest(&identity), State::default()] {
            assert_eq!(put(&device, &state), Ok(()), "{}", identity.name());
            assert_eq!(device.state(), state, "{}", identity.name());
        }
    }
}

#[test]
fn one_bit_more_than_a_unit_holds_is_refused_and_changes_nothing() {
    let line = Line::default();
    for identity in ALL {
        let (device, full) = (device(&identity, &line), fullest(&identity));
        let before = device.state();
        for bit in (0..64).map(|bit| 1 << bit) {
            for forged in with_one_more(full, bit) {
                assert!(matches!(put(&device, &forged), Err(Fault::Reserved | Fault::Absent)), "{forged:x?}");
                assert_eq!(device.state(), before);
            }
        }
    }
}

/// Every state that differs from this one by `bit`, set in one register that lacks it.
fn with_one_more(full: State, bit: u64) -> Vec<State> {
    let mut forged = Vec::new();
    let mut forge = |change: &dyn Fn(&mut State) -> &mut u64| {
        let mut state = full;
        *change(&mut state) |= bit;
        forged.extend((state != full).then_some(state));
    };
    (0..10).for_each(|number| forge(&|state| &mut state.general[number]));
    (0..10).for_each(|number| forge(&|state| &mut state.selects[number]));
    (0..7).for_each(|number| forge(&|state| &mut state.fixed[number]));
    (0..3).for_each(|number| forge(&|state| &mut state.beside[number]));
    forge(&|state| &mut state.fixed_control);
    forge(&|state| &mut state.global_control);
    forge(&|state| &mut state.global_status);
    forge(&|state| &mut state.force_abort);
    forge(&|state| &mut state.debug_control);
    forged
}

#[test]
fn an_absent_counter_with_a_value_is_absent() {
    let line = Line::default();
    let device = device(&Identity::CORE_DUO, &line);
    let with = |change: fn(&mut State)| {
        let mut state = State::default();
        change(&mut state);
        put(&device, &state)
    };
    assert_eq!(with(|state| state.general[2] = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.fixed[0] = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.global_control = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.general[1] = 1 << 40), Err(Fault::Reserved));
}
