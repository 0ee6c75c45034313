//! A unit that its kernel lets freeze at an overflow: IA32_DEBUGCTL is not the driver's.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{DebugControl, Device, Identity, Intel};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{CpuId, Event, Handled, Interrupted, Mode, Request, Unit};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

#[test]
fn every_period_is_as_long_where_overflows_freeze_the_unit_and_nobody_else_stays_frozen() {
    for identity in &Identity::ALL {
        let device = Device::new(identity, Kinds::CLOCK, Unconnected);
        device.set_debug_control(DebugControl::FREEZE_COUNTERS);
        let unit = Unit::<_, 16>::new();
        let pmu = unit.claim(Intel::new(&device, Unattached, identity.facts()), CpuId::default).unwrap();
        let mut sampled = pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        let mut counted = pmu.open([INSTRUCTIONS]).unwrap();
        counted.start().unwrap();
        sampled.start().unwrap();
        for _ in 0..3 {
            device.advance(&Work::instructions(Mode::Kernel, 1000));
            assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow, "{identity:?}");
        }
        device.advance(&Work::instructions(Mode::Kernel, 10));
        assert_eq!((sampled.read().unwrap(), counted.read().unwrap()), ([3010], [3010]), "{identity:?}");
    }
}

#[test]
fn a_stop_that_accounts_for_an_overflow_thaws_what_that_froze() {
    for identity in &Identity::ALL {
        let device = Device::new(identity, Kinds::CLOCK, Unconnected);
        device.set_debug_control(DebugControl::FREEZE_COUNTERS);
        let unit = Unit::<_, 16>::new();
        let pmu = unit.claim(Intel::new(&device, Unattached, identity.facts()), CpuId::default).unwrap();
        let mut sampled = pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        sampled.start().unwrap();
        device.advance(&Work::instructions(Mode::Kernel, 1000));
        sampled.stop().unwrap();
        sampled.start().unwrap();
        device.advance(&Work::instructions(Mode::Kernel, 10));
        assert_eq!(sampled.read().unwrap(), [10], "{identity:?}");
    }
}
