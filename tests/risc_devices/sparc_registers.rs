//! The registers that every SPARC unit has, and who may access them: each family's suite lends its identities, and what a
//! host observes.

use pmu::Mode;
use pmu::arch::sparc::{Asr, Half};
use pmu::virt::{Device as _, Fault, Work};

use super::{Device, Identity, OBSERVED};
use crate::support::line::Line;

/// A device with these registers.
pub(crate) fn with(identity: &Identity, pcr: u64, pic: u64) -> Device<Line> {
    let device = Device::new(identity, OBSERVED, Line::default());
    device.try_write(Asr::Pic, pic).unwrap();
    device.try_write(Asr::Pcr, pcr).unwrap();
    device
}

pub(crate) fn pic(device: &Device<Line>) -> u64 {
    device.try_read(Asr::Pic).unwrap()
}

pub(crate) fn pcr(device: &Device<Line>) -> u64 {
    device.try_read(Asr::Pcr).unwrap()
}

pub(crate) fn instructions(device: &Device<Line>, mode: Mode, count: u64) {
    device.advance(&Work::instructions(mode, count));
}

#[test]
fn pic_holds_both_counters() {
    for identity in &Identity::ALL {
        let device = with(identity, 0, 0x1234_5678_9ABC_DEF0);
        assert_eq!(pic(&device), 0x1234_5678_9ABC_DEF0);
        assert_eq!(Half::ALL.map(|half| device.try_read_counter(half)), [Ok(0x9ABC_DEF0), Ok(0x1234_5678)]);
    }
}

#[test]
fn user_programs_access_pic_alone_and_only_if_they_may() {
    for identity in &Identity::ALL {
        let device = with(identity, 0x1, 7);
        let trapped = Err(Fault::Trapped(Mode::Kernel));
        assert_eq!([Asr::Pcr, Asr::Pic].map(|at| device.read_from(Mode::User, at)), [trapped; 2]);
        assert_eq!(device.write_from(Mode::User, Asr::Pic, 9), Err(Fault::Trapped(Mode::Kernel)));
        device.try_write(Asr::Pcr, 0).unwrap();
        assert_eq!([Asr::Pcr, Asr::Pic].map(|at| device.read_from(Mode::User, at)), [trapped, Ok(7)]);
        assert_eq!(device.write_from(Mode::User, Asr::Pcr, 0), Err(Fault::Trapped(Mode::Kernel)));
    }
}
