//! libcpc's numbers of errors, each from something that a user asks for.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::request::{Flag, Subcode};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Event, Modes, Request, Unit};

use crate::intel::counter;

/// The number of the error that opening these requests on Nehalem returns.
fn number<const N: usize>(requests: [Request; N]) -> Option<u8> {
    let device = Device::new(&Identity::NEHALEM, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Intel<_, _>, 0>::new();
    let pmu = unit.claim(Intel::detect(&Identity::NEHALEM, &device, Unattached).unwrap()).unwrap();
    pmu.open(requests).err()?.subcode().map(Subcode::number)
}

/// 10 is that of a thread on another CPU, which every driver's tests of ownership return.
#[test]
fn each_number_is_the_answer_to_a_request() {
    let branches = Request::new(Event::BRANCHES);
    let other = |value| Request::new(Event::raw_with(0x01B7, value));
    assert_eq!(number([branches]), None);
    assert_eq!(number([Request::new(Event::raw(1 << 40))]), Some(1), "no event has this bit");
    assert_eq!(number([branches.pinned_to(counter(9))]), Some(2), "there is no counter 9");
    assert_eq!(number([branches.flag(Flag::GuestOnly)]), Some(3), "Intel has no such flag");
    assert_eq!(number([branches.every(0)]), Some(4), "a period is at least 1");
    assert_eq!(number([branches; 5]), Some(5), "there are four general counters");
    assert_eq!(number([branches.pinned_to(counter(32))]), Some(6), "a fixed counter counts one event");
    assert_eq!(number([branches.modes(Modes::NONE)]), Some(7), "it counts nowhere");
    assert_eq!(number([other(0x0101), other(0x0102)]), Some(8), "there is one register for both");
}
