//! What the driver makes of CPUID is there, register by register, and what a later version adds is
//! not: fixed counters, the registers for the unit as a whole, full-width writes, two counters more.

use pmu::arch::x86::{Block, Msr, Window, amd, intel};
use pmu::driver::{Description, Overflow};
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Error, Event, Pmu, Request};

use crate::guest::msr;
use crate::guest::unit::{self, Driver, Modern, Unit};

static UNIT: Unit<0> = Unit::new();

/// The first fixed counter.
const FIXED: CounterId = CounterId::new(32).unwrap();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let unit = pmu.description();
    match unit::modern(pmu.driver()) {
        Some(Modern::Intel(driver)) => assert_intels(&unit, driver.capabilities()),
        Some(Modern::Amd(driver)) => assert_amds(&unit, driver.capabilities()),
        _ => assert_eq!(unit.version, 0, "nothing is announced"),
    }
    assert_eq!(unit.overflow == Overflow::Identified, unit.version >= 2);
    if unit.fixed.is_empty() {
        assert_none_is_fixed(&pmu);
    }
}

fn assert_none_is_fixed(pmu: &Pmu<'static, Driver>) {
    let request = Request::new(Event::INSTRUCTIONS).pinned_to(FIXED);
    let refused =
        Error::Refused { request: 0, event: request.event, name: None, reason: Refusal::NoSuchCounter(FIXED) };
    assert_eq!(pmu.open([request]).err(), Some(refused));
}

fn assert_intels(unit: &Description, capabilities: &intel::Capabilities) {
    for number in 0..Msr::GENERAL {
        let is_there = unit.general.bits() >> number & 1 == 1;
        assert_eq!(exists(Msr::select(number)), is_there, "selector {number}");
        assert_eq!(exists(Msr::counter(Window::Narrow, number)), is_there, "counter {number}");
        let is_wide = is_there && capabilities.window() == Window::Full;
        assert_eq!(exists(Msr::counter(Window::Full, number)), is_wide, "counter {number}, full width");
    }
    for number in 0..Msr::FIXED {
        let is_there = unit.fixed.bits() >> (32 + number) & 1 == 1;
        assert_eq!(exists(Msr::fixed(number)), is_there, "fixed counter {number}");
    }
    for (register, version) in [
        (Msr::FIXED_CONTROL, 2),
        (Msr::GLOBAL_STATUS, 2),
        (Msr::GLOBAL_CONTROL, 2),
        (Msr::GLOBAL_RESET, 2),
        (Msr::GLOBAL_SET, 4),
        (Msr::GLOBAL_IN_USE, 4),
    ] {
        assert_eq!(exists(Some(register)), unit.version >= version, "{register:?}");
    }
    assert_eq!(unit.fixed == CounterSet::EMPTY, unit.version == 1);
}

fn assert_amds(unit: &Description, capabilities: &amd::Capabilities) {
    for block in [Block::Legacy, Block::Core] {
        for number in 0..block.counters() {
            let is_there = block == Block::Legacy || capabilities.block == Block::Core;
            assert_eq!(exists(Msr::core_select(block, number)), is_there, "selector {number}, {block:?}");
            assert_eq!(exists(Msr::core_counter(block, number)), is_there, "counter {number}, {block:?}");
        }
    }
    for register in [Msr::CORE_STATUS, Msr::CORE_CONTROL, Msr::CORE_RESET, Msr::CORE_SET] {
        assert_eq!(exists(Some(register)), unit.version >= 2, "{register:?}");
    }
    assert_eq!((unit.general, unit.fixed), (CounterSet::first(capabilities.block.counters()), CounterSet::EMPTY));
}

/// Reading it does not fault.
fn exists(register: Option<Msr>) -> bool {
    register.is_some_and(|register| msr::read(register.address()).is_ok())
}
