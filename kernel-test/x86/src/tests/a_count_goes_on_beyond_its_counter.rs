//! A counter that only counts is 2^31 events or half its width from its end. Where it gets there, an interrupt lets
//! it go on in 64 bits; the count is right before, behind, and in between, while the interrupt is on its way. Where no
//! overflow interrupts, the kernel's tick calls the same handler.

use harness::Guest;
use harness::Kernel as _;
use pmu::arch::x86::{Msr, Window, netburst};
use pmu::driver::Registers;
use pmu::{CounterId, Interrupted, Pmu, Reader};

use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Modern, Unit};
use crate::guest::{Here, enter_nmi_at};

/// The counter stands so far before its end.
const BEFORE: u64 = 5000;
/// For so many instructions its interrupt is kept back.
const HELD: u64 = 3 * BEFORE;

static UNIT: Unit<0> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        goes_on(&pmu, counter);
    }
    assert_eq!(UNIT.spurious().foreign, 0, "every interrupt was the unit's");
}

fn goes_on(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter)]).expect("the counter is free");
    session.start().expect("it is stopped");
    // As if so many events had been counted.
    leave(BEFORE, pmu, counter);
    let reader = session.reader().expect("this is its CPU");
    let (overflows, interrupts) = (Here::overflows(), Here::interrupts());
    let ahead = ahead(&reader, counter);
    assert!(ahead > 1 << 30, "{counter} is ahead by {ahead}");
    Here::hold_interrupts(HELD);
    exactly(2 * BEFORE);
    assert_eq!(self::ahead(&reader, counter), ahead, "{counter}, while its interrupt is on its way");
    let overflowed = u64::from(Here::has_interrupts());
    assert_eq!((Here::overflows() - overflows, Here::interrupts() - interrupts), (overflowed, 0), "{counter}");
    if overflowed == 0 {
        Here::raise_interrupt();
    }
    exactly(HELD);
    assert_eq!(self::ahead(&reader, counter), ahead, "{counter}, behind its interrupt");
    assert_eq!((Here::overflows() - overflows, Here::interrupts() - interrupts), (overflowed, 1), "{counter}");
}

/// How much more the counter says than the host's book of it, which knows nothing of what is written there.
#[inline(never)]
fn ahead(reader: &Reader<'_, '_, Driver, 1>, counter: CounterId) -> u64 {
    let [count] = reader.read();
    count - Here::counted(counter)
}

/// Lets the counter be so many events before its end. What is written to a narrow register is signed.
fn leave(events: u64, pmu: &Pmu<Driver>, counter: CounterId) {
    let unit = pmu.description();
    let (address, mask) = match unit::modern(pmu.driver()) {
        Some(Modern::Intel(_)) if unit.fixed.contains(counter) => {
            (Msr::fixed(counter.number() - 32), unit.fixed_width.mask())
        }
        Some(Modern::Amd(driver)) => {
            (Msr::core_counter(driver.capabilities().block, counter.number()), unit.general_width.mask())
        }
        None if clocked::is_netburst() => (Some(netburst::Cccr::counter_msr(counter)), unit.general_width.mask()),
        None if !Here::has_interrupts() => (Msr::p5_counter(counter.number()), unit.general_width.mask()),
        _ => (Msr::counter(Window::Narrow, counter.number()), u32::MAX.into()),
    };
    unit::hardware().write(address.expect("it has an address"), events.wrapping_neg() & mask);
}
