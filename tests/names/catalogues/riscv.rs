//! The RISC-V tables, each by a processor that has it.

use pmu::arch::riscv::hpm::sbi::{Host, Line, Sbi};
use pmu::arch::riscv::hpm::{Device, Hpm, Identity};
use pmu::driver::Plan as _;
use pmu::virt::{Kinds, Unconnected};
use pmu::{Event, Request};

/// The code of cycles on mcycle: a bit that mhpmevent does not have for events.
const MCYCLE: u64 = 1 << 56;
/// The code of instructions on minstret: another such bit.
const MINSTRET: u64 = 1 << 57;

pub(crate) fn driver(identity: &Identity) -> Hpm<Device<Unconnected>> {
    Hpm::new(Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

#[test]
fn the_risc_v_processors_events_are_counted_and_come_back() {
    let known = [Identity::RV64, Identity::RV64_DELEGATED, Identity::QEMU, Identity::U74];
    let others = [
        Identity::C910,
        Identity::C906,
        Identity::D1,
        Identity::BULLET07,
        Identity::BULLET0D,
        Identity::P550,
        Identity::P650,
        Identity::AX45,
        Identity::DUBHE80,
        Identity::CVA6,
        Identity::CV32E40P,
        Identity::IBEX,
    ];
    known.iter().chain(&others).for_each(|identity| crate::catalogues::check(&driver(identity)));
}

/// The firmware's own counters are from 32 on, as those of the processor are all there.
#[test]
fn the_firmwares_events_are_counted_and_come_back() {
    let host = Host::new(&Identity::RV64, Kinds::CLOCK, Unconnected);
    let announced = Identity::RV64.announced();
    crate::catalogues::check(&Sbi::detect(host, &announced, Line::Local, &[]).expect("it has the extension"));
}

/// FU740-C000 Manual: bits 7 to 0 are the class, and each bit above it is an event of its own.
#[test]
fn each_of_u74s_events_is_one_bit_above_a_class() {
    let is_fixed = |code| [MCYCLE, MINSTRET].contains(&code);
    let events = driver(&Identity::U74).catalogue().events.iter().filter(|event| !is_fixed(event.code));
    assert_eq!(events.clone().count(), 18 + 11 + 6);
    for event in events {
        let (class, bits) = (event.code & 0xFF, event.code >> 8);
        let last = [18, 11, 6][class as usize];
        assert!(bits.is_power_of_two() && bits < 1 << last, "{}: {:#x}", event.name, event.code);
    }
    let both = Request::new(Event::raw(0x2001 | 0x4001));
    assert!(driver(&Identity::U74).encode(&both).is_ok(), "several bits are counted together");
}
