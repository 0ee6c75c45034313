//! A handler knows when to wake its reader, and every overflow is accounted for.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::output::profile::Profile;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

const PERIOD: u64 = 1000;
const WATERSHED: usize = 5;

#[test]
fn a_reader_that_is_woken_beyond_the_watershed_loses_nothing() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Intel<_, _>, 8>::new();
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).unwrap();
    session.start().unwrap();
    let (mut profile, mut wakes) = (Profile::<4>::new(), 0);
    for address in 0..100 {
        device.advance(&Work::instructions(Mode::Kernel, PERIOD));
        assert_eq!(unit.on_overflow(Interrupted::new(address % 4, Mode::Kernel)), Handled::Overflow);
        if unit.waiting_samples() > WATERSHED {
            wakes += 1;
            profile.extend(unit.samples().unwrap());
        }
    }
    let statistics = unit.sample_statistics();
    assert_eq!((wakes, statistics.received, statistics.waiting, statistics.lost.total()), (16, 100, 4, 0));
    assert_eq!(profile.total() + statistics.waiting as u64, 100);
}
