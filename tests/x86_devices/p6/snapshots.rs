//! The state of a guest's unit, saved and restored on another machine.

use pmu::arch::x86::p6::Identity;
use pmu::virt::{Device as _, Fault};

use super::device;
use super::oracle::Oracle;
use crate::support::hostile::Line;
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::x86::p6::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

#[test]
fn a_snapshot_comes_back_bit_for_bit() {
    let line = Line::default();
    for identity in Identity::ALL {
        let device = device(&identity, &line);
        let full = Oracle::new(&identity).fullest();
        let mut between = full;
        between.counters = [0x7F_8000_0000, 5];
        for state in [full, between, State::default()] {
            assert_eq!(put(&device, &state), Ok(()), "{}", identity.name());
            assert_eq!(device.state(), state, "{}: no sign is extended", identity.name());
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
            assert_eq!(put(&device, &forged), Err(Fault::Reserved), "{forged:x?}");
            assert_eq!(device.state(), before);
        }
    }
}

/// Every state that differs from this one by `bit`, set in one register that lacks it.
fn with_one_more(full: State, bit: u64) -> Vec<State> {
    let mut forged = vec![full; 4];
    for number in 0..2 {
        forged[number].counters[number] |= bit;
        forged[number + 2].selects[number] |= bit;
    }
    forged.retain(|state| *state != full);
    forged
}

#[test]
fn the_second_selector_has_no_enable_bit_in_a_snapshot_either() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_III, &line);
    let with = |selects| {
        let mut state = State::default();
        state.selects = selects;
        put(&device, &state)
    };
    assert_eq!([[1 << 22, 0], [0, 1 << 22]].map(with), [Ok(()), Err(Fault::Reserved)]);
}
