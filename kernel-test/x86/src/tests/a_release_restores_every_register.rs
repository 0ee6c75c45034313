//! What the unit and the line held before a claim they hold again after the release, bit for bit,
//! whatever was done in between.

use pmu::arch::Detected;
use pmu::arch::x86::intel::FixedControl;
use pmu::arch::x86::{Lvtpc, Msr, Window, amd, intel};
use pmu::{CounterId, Description, Event, Interrupted, Registers, Request};

use super::clocked;
use crate::guest::unit::{self, Unit};
use crate::guest::{enter_nmi_at, instructions, lvt, truth};
use crate::identity::{self, Processor};

static UNIT: Unit<64> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let unit = pmu.description();
    pmu.release().expect("nothing is open");
    for line in [Lvtpc::NMI.masked(), Lvtpc::NMI, Lvtpc::vector(0x55).unwrap().masked()] {
        leave_something(&unit);
        lvt::write(line.bits());
        let before = truth::fingerprint();
        use_everything();
        assert_eq!(truth::fingerprint(), before, "{line:?}");
    }
}

/// Fills every register with something of its own; the counters count in ring 3, so that nothing
/// moves here.
fn leave_something(unit: &Description) {
    match &identity::presented().processor {
        Processor::Intel(_) => leave_something_of_intels(unit),
        Processor::Amd(identity) => leave_something_of_amds(&identity.facts()),
    }
}

fn leave_something_of_intels(unit: &Description) {
    use intel::Select;
    let hardware = unit::hardware();
    for number in unit.general.into_iter().map(CounterId::number) {
        let (counter, select) = (Msr::counter(Window::Narrow, number), Msr::select(number));
        // What the narrow write can reach: every other one with all upper bits set.
        hardware.write(counter.expect("it has an address"), u64::from(number & 1) << 31 | 0x4321);
        let kept = Select::USER | Select::ENABLE | Select::INTERRUPT | Select::from_bits_retain(u64::from(number) << 8);
        hardware.write(select.expect("it has an address"), kept.bits() | 0xc4);
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

fn leave_something_of_amds(facts: &amd::Facts) {
    use amd::Select;
    let hardware = unit::hardware();
    for number in facts.counters.into_iter().map(CounterId::number) {
        let counter = Msr::core_counter(facts.block, number).expect("it has an address");
        hardware.write(counter, u64::from(number & 1) << 47 | 0x1234_5678_4321);
        let select = Msr::core_select(facts.block, number).expect("it has an address");
        let kept = Select::USER | Select::ENABLE | Select::INTERRUPT | Select::from_bits_retain(u64::from(number) << 8);
        hardware.write(select, kept.bits() | 0xc4);
    }
    if facts.has_global() {
        hardware.write(Msr::CORE_CONTROL, 0b10_1101);
        hardware.write(Msr::CORE_SET, 0b01_1010);
    }
}

/// Samples on every counter, with what stands beside it.
fn use_everything() {
    let pmu = UNIT.reclaim().expect("it was released");
    let counters = clocked::counters(&pmu.description());
    let open = |counter| pmu.open([clocked::request(counter).every(2000)]).expect("the counter is free");
    let mut sessions = [const { None }; 64];
    for (session, counter) in sessions.iter_mut().zip(counters) {
        session.insert(open(counter)).start().expect("it can start");
    }
    instructions::exactly(5500);
    drop(sessions);
    if let Detected::Intel(driver) = pmu.backend() {
        for event in driver.facts().auxiliaries {
            let lowest = event.mask & event.mask.wrapping_neg();
            pmu.open([Request::new(Event::raw_with(event.code, lowest))]).expect("the register is free");
        }
    }
    pmu.release().expect("nothing is open");
}
