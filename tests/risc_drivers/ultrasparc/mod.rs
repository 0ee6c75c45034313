//! The driver of UltraSPARC I to IV+: the requests that it refuses, two counters in one register, and the strings of
//! Solaris' users.

mod detecting;
mod encoding;
mod lending;
mod names;
mod pairs;
mod placing;
mod polling;

use pmu::CounterId;
use pmu::arch::sparc::ultrasparc::{Device, Identity, UltraSparc};
use pmu::virt::{Kind, Kinds, Strict, Unconnected};

type Registers = Strict<Device<Unconnected>>;

const PIC0: CounterId = CounterId::ZERO;

fn pic1() -> CounterId {
    CounterId::new(1).unwrap()
}

/// A unit whose host observes instructions, cycles and loads.
fn device(identity: &Identity) -> Registers {
    Strict(Device::new(identity, Kinds::CLOCK.with(Kind::Loads), Unconnected))
}

fn driver(identity: &Identity) -> UltraSparc<Registers> {
    UltraSparc::new(device(identity), identity.capabilities())
}
