//! The driver of UltraSPARC T1 to SPARC T3: the requests that it refuses, two counters in one register, and the strings
//! of Solaris' users.

mod detecting;
mod encoding;
mod names;
mod pairs;
#[path = "../sparc_sharing.rs"]
mod sharing;

use pmu::arch::sparc::niagara::{Device, Identity, Niagara as Sparc};
use pmu::virt::{Kind, Kinds, Strict, Unconnected};
use pmu::{CounterId, Event, Request};

type Registers = Strict<Device<Unconnected>>;

const PIC0: CounterId = CounterId::ZERO;

/// The misses of the second level.
const OTHERS: Kind = Kind::CacheMisses;

/// pic0 of T1 counts them beside the instructions of pic1.
fn other(identity: &Identity) -> Request {
    Request::new(Event::raw(if identity.capabilities().is_t1() { 7 } else { 0x320 }))
}

/// How often both counters are halted while one is started, stopped and reset: T1's by each start and stop, and from T2 on by
/// each preset.
fn halts(identity: &Identity) -> u64 {
    if identity.capabilities().is_t1() { 2 } else { 1 }
}

fn pic1() -> CounterId {
    CounterId::new(1).unwrap()
}

/// A unit whose host observes instructions, cycles and the misses of the last level.
fn device(identity: &Identity) -> Registers {
    Strict(Device::new(identity, Kinds::CLOCK.with(OTHERS), Unconnected))
}

fn driver(identity: &Identity) -> Sparc<Registers> {
    Sparc::new(device(identity), identity.capabilities())
}
