//! The driver of UltraSPARC I to IV+: the requests that it refuses, two counters in one register, and the strings of
//! Solaris' users.

mod detecting;
mod encoding;
mod names;
mod pairs;
mod placing;
mod polling;
#[path = "../sparc_sharing.rs"]
mod sharing;

use pmu::arch::sparc::ultrasparc::{Device, Identity, UltraSparc as Sparc};
use pmu::virt::{Kind, Kinds, Strict, Unconnected};
use pmu::{CounterId, Event, Request};

type Registers = Strict<Device<Unconnected>>;

const PIC0: CounterId = CounterId::ZERO;

const OTHERS: Kind = Kind::Loads;

/// Reads of the data cache (DC_rd); pic0.
fn other(_: &Identity) -> Request {
    Request::new(Event::raw(0x109))
}

/// How often both counters are halted while one is started, stopped and reset: those of I and II by each start and stop, and
/// from III on by each preset.
fn halts(identity: &Identity) -> u64 {
    if identity.capabilities().interrupts() { 1 } else { 2 }
}

fn pic1() -> CounterId {
    CounterId::new(1).unwrap()
}

/// A unit whose host observes instructions, cycles and loads.
fn device(identity: &Identity) -> Registers {
    Strict(Device::new(identity, Kinds::CLOCK.with(OTHERS), Unconnected))
}

fn driver(identity: &Identity) -> Sparc<Registers> {
    Sparc::new(device(identity), identity.capabilities())
}
