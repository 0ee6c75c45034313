//! What the core's registers are, and what the driver does with them.

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Freeze, Identity, Mmcr0, Privilege};
use pmu::driver::Registers as _;
use pmu::{CounterId, Event, Request};

use super::Unit;
use crate::unit::{driver, hardware};
use crate::work;

/// By its version. MSR\[HV\] is 0: it has no hypervisor state.
pub fn the_core_is_detected_as_its_identity(_: Unit) {
    let (found, known) = (*driver().capabilities(), Identity::MICROWATT.capabilities());
    assert_eq!((found.pvr, found.model, found.privilege), (known.pvr, known.model, Privilege::Supervisor));
    assert_eq!((found.counters, found.usable, found.control), (known.counters, known.usable, known.control));
}

/// IBM's codes of its own processors' events, and what is never reported to the unit: misses resolved, on PMC2.
pub fn what_the_core_cannot_do_is_refused(pmu: Unit) {
    for code in [0x02, 0x2_00FE, 0x3_00FC] {
        assert!(pmu.open([Event::raw(code)]).is_err(), "{code:#x}");
    }
    assert!(pmu.open([Event::BRANCHES]).is_err());
    assert!(pmu.open([Request::new(Event::INSTRUCTIONS).every(10)]).is_err());
}

/// The bits that the unit drops, and no other of those that the identity has. The unit is frozen meanwhile, and neither alerts nor
/// watches the time base, which would end TRIGGER.
pub fn registers_keep_what_the_identity_says(_: Unit) {
    let kept = |at: Spr, value: u64| {
        let before = hardware().read(at);
        hardware().write(at, value);
        let kept = hardware().read(at);
        hardware().write(at, before);
        kept
    };
    let control = Identity::MICROWATT.capabilities().control;
    let moving = Mmcr0::ALERT | Mmcr0::ALERTED | Mmcr0::TIME_BASE;
    assert_eq!(kept(Spr::MMCR0, (control & !moving).bits()), (control & !moving).bits());
    let absent = Mmcr0::BRANCH_HISTORY | Mmcr0::EVENT_BRANCH;
    assert_eq!(kept(Spr::MMCR0, (Mmcr0::FREEZE | absent).bits()), Mmcr0::FREEZE.bits());
    assert_eq!([Spr::MMCR1, Spr::MMCR2, Spr::SIAR, Spr::SDAR, Spr::SIER].map(|at| kept(at, u64::MAX)), [u64::MAX; 5]);
    assert_eq!(kept(Spr::MMCRA, u64::MAX), !1, "SAMPLE_ENABLE");
    let first = Spr::pmc(CounterId::ZERO);
    assert_eq!(kept(first, u64::MAX), 0xFFFF_FFFF);
}

/// FCnP and FCnM1 freeze in states that this kernel is not in. FCnM0 is not looked at, and neither are FCnH and FCnP1: the
/// description tests FCnM1 twice, and has no hypervisor state.
pub fn in_supervisor_state_its_own_freeze_alone_stops_a_counter(_: Unit) {
    const CYCLES: u64 = 0xF0 << 24;
    let first = CounterId::ZERO;
    let selectors = [Spr::MMCR1, Spr::MMCR2];
    let before = selectors.map(|at| hardware().read(at));
    let counts_under = |freeze: Freeze| {
        hardware().write(Spr::MMCR1, CYCLES);
        hardware().write(Spr::MMCR2, freeze.of(first));
        hardware().write(Spr::pmc(first), 0);
        hardware().write(Spr::MMCR0, 0);
        work::turns(2);
        hardware().write(Spr::MMCR0, Mmcr0::FREEZE.bits());
        hardware().read(Spr::pmc(first)) > 0
    };
    let ignored = [Freeze::UNMARKED, Freeze::HYPERVISOR, Freeze::HYPERVISORS_PROBLEM, Freeze::PROBLEM, Freeze::MARKED];
    assert_eq!(ignored.map(counts_under), [true; 5]);
    assert!(!counts_under(Freeze::SUPERVISOR));
    hardware().write(Spr::pmc(first), 0);
    selectors.into_iter().zip(before).for_each(|(at, value)| hardware().write(at, value));
}

/// As they were before the claim: zero, and not frozen.
pub fn a_release_restores_every_register(pmu: Unit) {
    pmu.release().expect("nothing is open");
    let counters = (0..6).filter_map(CounterId::new).map(Spr::pmc);
    for at in [Spr::MMCR0, Spr::MMCR1, Spr::MMCR2, Spr::MMCRA].into_iter().chain(counters) {
        let expected = if at == Spr::MMCR0 { Mmcr0::FREEZE.bits() } else { 0 };
        assert_eq!(hardware().read(at), expected, "{at:?}");
    }
}
