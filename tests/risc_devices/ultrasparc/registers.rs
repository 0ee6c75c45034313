//! The bits of the registers, who may access them, and their contents as a whole.

use pmu::Mode;
use pmu::arch::sparc::ultrasparc::Identity;
use pmu::arch::sparc::{Asr, Half};
use pmu::virt::{Device as _, Fault};

use crate::support::put::put;
use crate::ultrasparc::{device, pcr, pic, with};

/// The contents of a device.
type State = <pmu::arch::sparc::ultrasparc::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// PRIV, ST and UT are bits 0 to 2; the selectors are bits 4 to 7 and 11 to 14 on I and II, and from III on bits 4 to
/// 9 and 11 to 16.
#[test]
fn bits_that_the_unit_does_not_have_are_dropped() {
    for identity in &Identity::ALL[..3] {
        assert_eq!(pcr(&with(identity, u64::MAX, 0)), 0x78F7, "{}", identity.name());
    }
    for identity in &Identity::ALL[3..] {
        assert_eq!(pcr(&with(identity, u64::MAX, 0)), 0x1_FBF7, "{}", identity.name());
    }
}

#[test]
fn pic_holds_both_counters() {
    let device = with(&Identity::II, 0, 0x1234_5678_9ABC_DEF0);
    assert_eq!(pic(&device), 0x1234_5678_9ABC_DEF0);
    assert_eq!(Half::ALL.map(|half| device.try_read_counter(half)), [Ok(0x9ABC_DEF0), Ok(0x1234_5678)]);
}

#[test]
fn user_programs_access_pic_alone_and_only_if_they_may() {
    let device = with(&Identity::III, 0x1, 7);
    let trapped = Err(Fault::Trapped(Mode::Kernel));
    assert_eq!([Asr::Pcr, Asr::Pic].map(|at| device.read_from(Mode::User, at)), [trapped; 2]);
    assert_eq!(device.write_from(Mode::User, Asr::Pic, 9), Err(Fault::Trapped(Mode::Kernel)));
    device.try_write(Asr::Pcr, 0).unwrap();
    assert_eq!([Asr::Pcr, Asr::Pic].map(|at| device.read_from(Mode::User, at)), [trapped, Ok(7)]);
    assert_eq!(device.write_from(Mode::User, Asr::Pcr, 0), Err(Fault::Trapped(Mode::Kernel)));
}

#[test]
fn a_snapshot_makes_another_device_the_same() {
    for identity in &Identity::ALL {
        let one = with(identity, 0x27, 0x1111_1111_2222_2222);
        let other = device(identity);
        assert_eq!(other.restore(one.snapshot().as_bytes()), Ok(()));
        assert_eq!(other.state(), one.state());
        other.reset();
        assert_eq!(other.state(), State::default());
    }
}

#[test]
fn a_snapshot_with_bits_that_the_unit_does_not_have_is_refused() {
    let refused = |identity, change: fn(&mut State)| {
        let (device, mut state) = (device(identity), State::default());
        change(&mut state);
        assert_eq!(put(&device, &state), Err(Fault::Reserved));
        assert_eq!(device.state(), State::default());
    };
    refused(&Identity::II, |state| state.control = 1 << 8);
    refused(&Identity::III, |state| state.control = 1 << 10);
    refused(&Identity::III, |state| state.counters[0] = 1 << 32);
}
