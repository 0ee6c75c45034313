//! A Skylake in software, which executes instructions of which each tenth is a branch.

use pmu::Mode;
use pmu::arch::x86::{Unattached, intel};
use pmu::virt::{Kind, Kinds, Unconnected, Work};

pub(crate) type Device = intel::Device<Unconnected>;
pub(crate) type Driver<'d> = intel::Intel<&'d Device, Unattached>;

pub(crate) fn device() -> Device {
    Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK.with(Kind::Branches), Unconnected)
}

pub(crate) fn driver(device: &Device) -> Driver<'_> {
    Driver::detect(&intel::Identity::SKYLAKE, device, Unattached).unwrap()
}

/// So many instructions of a program.
pub(crate) fn work(instructions: u64) -> Work {
    Work::instructions(Mode::User, instructions).with(Kind::Branches, instructions / 10)
}
