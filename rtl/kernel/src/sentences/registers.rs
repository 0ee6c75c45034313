//! What the core's registers are, and what the driver does with them.

use core::arch::asm;

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Identity, Model};
use pmu::driver::Registers;
use pmu::{CounterId, Event, Request};

use crate::boot;
use crate::unit::{Core, registers};

/// The numbers of all counters' registers but that of `time`.
fn numbers() -> impl Iterator<Item = u8> {
    (0..Csr::COUNTERS).filter(|&number| number != 1)
}

fn select(number: u8) -> Csr {
    Csr::select(number).expect("there are 32")
}

/// By its identification, and by which counters keep how much of what is written to them; its selectors are or are not hardwired.
pub fn the_core_is_detected_as_its_identity(core: &Core) {
    assert_eq!(*core.driver().capabilities(), core.identity.capabilities());
}

/// CV32E40P's selectors have 16 bits, and Ibex' are hardwired to an event each.
pub fn a_selector_keeps_what_its_core_says(core: &Core) {
    for number in numbers().filter(|&number| number >= 3) {
        let is_there =
            CounterId::new(number).is_some_and(|counter| core.identity.capabilities().counters.contains(counter));
        let before = registers().read(select(number));
        registers().write(select(number), 0xFFFF_FFFF);
        let kept = match core.identity.capabilities().model {
            Model::Ibex if is_there => 1 << (number - 3),
            _ if is_there => 0xFFFF,
            _ => 0,
        };
        assert_eq!(registers().read(select(number)), kept, "mhpmevent{number}");
        registers().write(select(number), before);
    }
}

/// It came with Sscofpmf: a driver that wrote it here would be stopped by an exception.
pub fn mhpmevent_has_no_upper_half(_: &Core) {
    // SAFETY: reading it changes nothing; an exception goes on behind it.
    assert!(boot::is_illegal(|| unsafe { asm!("csrr {0}, 0x723", out(reg) _, options(nostack)) }));
    // SAFETY: as above.
    assert!(!boot::is_illegal(|| unsafe { asm!("csrr {0}, mhpmevent3", out(reg) _, options(nostack)) }));
}

/// Nothing interrupts, and an event is counted by the counters that have it alone.
pub fn what_the_core_cannot_do_is_refused(core: &Core) {
    core.with_unit(|pmu| {
        assert!(pmu.open([Request::new(Event::CYCLES).every(100_000)]).is_err());
        assert!(pmu.open([Event::BRANCH_MISSES]).is_err());
        assert!(pmu.open([Event::raw(1 << 15)]).is_err());
        let loads = Request::new(Event::raw(if is_ibex(core) { 1 << 2 } else { 1 << 5 }));
        let third = CounterId::new(3).expect("it is below 64");
        assert_eq!(pmu.open([loads.pinned_to(third)]).is_ok(), !is_ibex(core));
        assert!(pmu.open([loads]).is_ok());
    });
}

fn is_ibex(core: &Core) -> bool {
    core.identity.capabilities().model == Identity::IBEX.capabilities().model
}

/// As they were before the claim, whose counters were stopped then.
pub fn a_release_restores_every_register(core: &Core) {
    let all = || numbers().map(|number| (registers().read(counter(number)), selected(number)));
    registers().write(Csr::MCOUNTINHIBIT, 0xFFFF_FFFF);
    let inhibited = registers().read(Csr::MCOUNTINHIBIT);
    let mut before = [(0, 0); Csr::COUNTERS as usize];
    all().zip(&mut before).for_each(|(value, before)| *before = value);
    core.with_unit(|pmu| {
        let mut session = pmu.open([Event::INSTRUCTIONS, Event::BRANCHES]).expect("it has both");
        session.start().expect("it is at home");
        session.stop().expect("it is at home");
    });
    assert_eq!(registers().read(Csr::MCOUNTINHIBIT), inhibited);
    for (number, (value, before)) in numbers().zip(all().zip(before)) {
        assert_eq!(value, before, "counter {number} and its selector");
    }
}

fn counter(number: u8) -> Csr {
    Csr::counter(number).expect("there are 32")
}

fn selected(number: u8) -> u64 {
    if number < 3 { 0 } else { registers().read(select(number)) }
}
