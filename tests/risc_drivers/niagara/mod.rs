//! The driver of UltraSPARC T1 to SPARC T3: the requests that it refuses, two counters in one register, and the strings
//! of Solaris' users.

mod detecting;
mod encoding;
mod lending;
mod names;
mod pairs;
mod placing;

use pmu::CounterId;
use pmu::arch::sparc::niagara::{Device, Identity, Niagara};
use pmu::virt::{Kind, Kinds, Strict, Unconnected};

type Registers = Strict<Device<Unconnected>>;

const PIC0: CounterId = CounterId::ZERO;

fn pic1() -> CounterId {
    CounterId::new(1).unwrap()
}

/// A unit whose host observes instructions, cycles and the misses of the last level.
fn device(identity: &Identity) -> Registers {
    Strict(Device::new(identity, Kinds::CLOCK.with(Kind::CacheMisses), Unconnected))
}

fn driver(identity: &Identity) -> Niagara<Registers> {
    Niagara::new(device(identity), identity.capabilities())
}
