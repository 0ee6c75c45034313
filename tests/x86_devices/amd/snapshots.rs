//! The state of a guest's unit, saved and restored on another machine.

use pmu::arch::x86::amd::Identity;
use pmu::arch::x86::amd::Svm;
use pmu::virt::{Device as _, Fault};

use super::device;
use super::oracle::Oracle;
use crate::support::hostile::Line;
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::x86::amd::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

#[test]
fn a_snapshot_comes_back_bit_for_bit() {
    let line = Line::default();
    for identity in Identity::ALL {
        let device = device(&identity, &line);
        let full = Oracle::new(&identity).fullest();
        let mut of_guest = full;
        of_guest.svm = Svm::Guest;
        for state in [full, of_guest, State::default()] {
            assert_eq!(put(&device, &state), Ok(()), "{}", identity.name());
            assert_eq!(device.state(), state, "{}", identity.name());
        }
    }
}

#[test]
fn one_bit_more_than_a_unit_holds_is_refused_and_changes_nothing() {
    let line = Line::default();
    for identity in Identity::ALL {
        let (device, full) = (device(&identity, &line), Oracle::new(&identity).fullest());
        let before = device.state();
        for forged in (0..64).flat_map(|bit| with_one_more(full, 1 << bit)) {
            assert!(matches!(put(&device, &forged), Err(Fault::Reserved | Fault::Absent)), "{forged:x?}");
            assert_eq!(device.state(), before);
        }
    }
}

/// Every state that differs from this one by `bit`, set in one register that lacks it.
fn with_one_more(full: State, bit: u64) -> Vec<State> {
    let mut forged = vec![full; 14];
    for number in 0..6 {
        forged[number].counters[number] |= bit;
        forged[number + 6].selects[number] |= bit;
    }
    forged[12].control |= bit;
    forged[13].status |= bit;
    forged.retain(|state| *state != full);
    forged
}

#[test]
fn an_absent_counter_with_a_value_is_absent() {
    let line = Line::default();
    let device = device(&Identity::K8, &line);
    let with = |change: fn(&mut State)| {
        let mut state = State::default();
        change(&mut state);
        put(&device, &state)
    };
    assert_eq!(with(|state| state.counters[4] = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.control = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.counters[1] = 1 << 48), Err(Fault::Reserved));
    assert_eq!(with(|state| state.selects[1] = 1 << 32), Err(Fault::Reserved));
}
