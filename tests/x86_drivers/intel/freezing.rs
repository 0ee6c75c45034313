//! A unit that its kernel lets freeze at an overflow: IA32_DEBUGCTL is not the driver's.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{DebugControl, Device, Identity, Intel};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

type Processor = Device<Unconnected>;
type Driver = Intel<&'static Processor, Unattached>;

/// A processor whose overflows freeze its unit, and the unit as its kernel keeps it.
fn freezing(identity: &Identity) -> (&'static Processor, &'static Unit<Driver, 16>, pmu::Pmu<'static, Driver>) {
    let device: &'static Processor = Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)));
    device.set_debug_control(DebugControl::FREEZE_COUNTERS);
    let unit: &'static Unit<Driver, 16> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Intel::new(device, Unattached, identity.capabilities())).unwrap();
    (device, unit, pmu)
}

fn work(device: &Processor, instructions: u64) {
    device.advance(&Work::instructions(Mode::Kernel, instructions));
}

#[test]
fn every_period_is_as_long_where_overflows_freeze_the_unit_and_nobody_else_stays_frozen() {
    for identity in &Identity::ALL {
        let (device, unit, pmu) = freezing(identity);
        let mut sampled = pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        let mut counted = pmu.open([INSTRUCTIONS]).unwrap();
        counted.start().unwrap();
        sampled.start().unwrap();
        for _ in 0..3 {
            work(device, 1000);
            assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow, "{identity:?}");
        }
        work(device, 10);
        assert_eq!((sampled.read().unwrap(), counted.read().unwrap()), ([3010], [3010]), "{identity:?}");
    }
}

#[test]
fn a_stop_that_accounts_for_an_overflow_thaws_what_that_froze() {
    for identity in &Identity::ALL {
        let (device, _, pmu) = freezing(identity);
        let mut sampled = pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        sampled.start().unwrap();
        work(device, 1000);
        sampled.stop().unwrap();
        sampled.start().unwrap();
        work(device, 10);
        assert_eq!(sampled.read().unwrap(), [1010], "{identity:?}");
    }
}
