//! What somebody has left in the unit before it is claimed, and what else a claim may change.

use pmu::arch::x86::intel::FixedControl;
use pmu::arch::x86::netburst::{Cccr, Escr, EscrId};
use pmu::arch::x86::{Lvtpc, Msr, Window, amd, intel};
use pmu::arch::x86::{p5, p6};
use pmu::driver::{Description, Registers};
use pmu::{CounterId, Event, Pmu, Request};

use super::lvt;
use super::unit::{self, Driver, Modern};
use crate::identity::{self, Processor};

/// Fills every register with something of its own, and the line with one of several values; the counters count in
/// ring 3, so that nothing moves here: cycles, which do not make the host look at each instruction. Returns false if there is no such value.
pub fn leave(unit: &Description, line: usize) -> bool {
    let lines = [Lvtpc::NMI.masked(), Lvtpc::NMI, Lvtpc::vector(0x55).expect("it is a vector").masked()];
    let Some(line) = lines.get(line) else { return false };
    leave_something(unit);
    lvt::write(line.bits());
    true
}

fn leave_something(unit: &Description) {
    match &identity::presented().processor {
        Processor::Intel(_) => leave_something_of_intels(unit),
        Processor::Amd(identity) => leave_something_of_amds(&identity.capabilities()),
        Processor::Netburst(_) => leave_something_of_netbursts(unit),
        Processor::P6(_) => leave_something_of_p6s(unit),
        Processor::P5(_) => leave_something_of_p5s(unit),
    }
}

/// The counters run where nothing is; what counts when a driver is detected is somebody else's for good.
fn leave_something_of_netbursts(unit: &Description) {
    let hardware = unit::hardware();
    for counter in unit.general {
        hardware.write(Cccr::counter_msr(counter), 0x12_3456_7890 + u64::from(counter.number()));
        hardware.write(Cccr::msr(counter), (Cccr::select(3) | Cccr::OVERFLOW).bits() | Cccr::active(3).bits());
    }
    for escr in [EscrId::Fsb0, EscrId::Cru2, EscrId::Ms1] {
        hardware.write(escr.msr(), (Escr::of(0x13, 1) | Escr::T0_USER).bits());
    }
}

fn leave_something_of_p6s(unit: &Description) {
    use p6::Select;
    let hardware = unit::hardware();
    for counter in unit.general {
        let number = counter.number();
        let register = Msr::counter(Window::Narrow, number).expect("it has an address");
        hardware.write(register, u64::from(number & 1) << 31 | 0x4321);
        let kept = (Select::USER | Select::ENABLE | Select::INTERRUPT).intersection(Select::of(counter));
        hardware.write(Msr::select(number).expect("it has an address"), kept.bits() | u64::from(number) << 8 | 0x79);
    }
}

fn leave_something_of_p5s(unit: &Description) {
    let hardware = unit::hardware();
    for counter in unit.general {
        let register = Msr::p5_counter(counter.number()).expect("it has an address");
        hardware.write(register, 0x12_3456_7890 + u64::from(counter.number()));
    }
    let select = p5::Select::from_bits_retain(0x16);
    hardware.write(Msr::CESR, p5::Cesr::of_each(select).bits());
}

fn leave_something_of_intels(unit: &Description) {
    use intel::Select;
    let hardware = unit::hardware();
    for number in unit.general.into_iter().map(CounterId::number) {
        let (counter, select) = (Msr::counter(Window::Narrow, number), Msr::select(number));
        // What the narrow write can reach: every other one with all upper bits set.
        hardware.write(counter.expect("it has an address"), u64::from(number & 1) << 31 | 0x4321);
        let kept = Select::USER | Select::ENABLE | Select::INTERRUPT | Select::from_bits_retain(u64::from(number) << 8);
        hardware.write(select.expect("it has an address"), kept.bits() | 0x3c);
    }
    let mut control = 0;
    for counter in unit.fixed {
        let at = Msr::fixed(counter.number() - 32).expect("it has an address");
        hardware.write(at, 0x12_3456_7890 + u64::from(counter.number()));
        control = (FixedControl::USER | FixedControl::INTERRUPT).within(counter, control);
    }
    if unit.version >= 2 {
        hardware.write(Msr::FIXED_CONTROL, control);
        hardware.write(Msr::GLOBAL_CONTROL, unit.general.or(unit.fixed).bits());
    }
    // Before version 4 no overflow can be put back.
    if unit.version >= 4 {
        hardware.write(Msr::GLOBAL_SET, unit.general.or(unit.fixed).bits() & 0x5_0000_000a);
    }
}

fn leave_something_of_amds(capabilities: &amd::Capabilities) {
    use amd::Select;
    let hardware = unit::hardware();
    for number in capabilities.counters.into_iter().map(CounterId::number) {
        let counter = Msr::core_counter(capabilities.block, number).expect("it has an address");
        hardware.write(counter, u64::from(number & 1) << 47 | 0x1234_5678_4321);
        let select = Msr::core_select(capabilities.block, number).expect("it has an address");
        let kept = Select::USER | Select::ENABLE | Select::INTERRUPT | Select::from_bits_retain(u64::from(number) << 8);
        hardware.write(select, kept.bits() | 0x76);
    }
    if capabilities.has_global() {
        hardware.write(Msr::CORE_CONTROL, 0b10_1101);
        hardware.write(Msr::CORE_SET, 0b01_1010);
    }
}

/// Uses the registers that some events have beside their counters.
pub fn use_auxiliaries(pmu: &Pmu<'static, Driver>) {
    let Some(Modern::Intel(driver)) = unit::modern(pmu.driver()) else { return };
    for event in driver.capabilities().auxiliaries {
        let lowest = event.mask & event.mask.wrapping_neg();
        pmu.open([Request::new(Event::raw_with(event.code, lowest))]).expect("the register is free");
    }
}
