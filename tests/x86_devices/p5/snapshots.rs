//! The state of a guest's unit, saved and restored on another machine.

use pmu::arch::x86::p5::Identity;
use pmu::virt::{Device as _, Fault};

use super::device;
use super::oracle::fullest;
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::x86::p5::Device as pmu::virt::Device>::State;

#[test]
fn a_snapshot_comes_back_bit_for_bit() {
    for identity in Identity::ALL {
        let device = device(&identity);
        for state in [fullest(), State::default()] {
            assert_eq!(put(&device, &state), Ok(()));
            assert_eq!(device.state(), state);
        }
    }
}

#[test]
fn one_bit_more_than_a_unit_holds_is_refused_and_changes_nothing() {
    for identity in Identity::ALL {
        let device = device(&identity);
        let before = device.state();
        for bit in (0..64).map(|bit| 1 << bit) {
            let mut forged = [fullest(); 3];
            forged[0].control |= bit;
            forged[1].counters[0] |= bit;
            forged[2].counters[1] |= bit;
            for state in forged.into_iter().filter(|state| *state != fullest()) {
                assert_eq!(put(&device, &state), Err(Fault::Reserved), "{state:x?}");
                assert_eq!(device.state(), before);
            }
        }
    }
}
