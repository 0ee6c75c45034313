//! The demo on QEMU's own unit, by its registers or by calls to the firmware; and of a critical section, by the interrupt that
//! the firmware offers.

pub mod branches;

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use harness::demo::{Demo, SAMPLES, clock, program};
use harness::{Kernel, println};
use pmu::arch::riscv::hpm::sbi::Line;
use pmu::request::Generic;
use pmu::text::catalogue::EventName;
use pmu::{CounterId, Event, Request, Unit};

use crate::guest::calls::{self, Calls};
use crate::guest::unit::Own;
use crate::guest::way::Way;
use crate::guest::{code, on_overflow};
use crate::tests::On;
use crate::{csr, identity};

static UNIT: Unit<<Own as Way>::Driver, SAMPLES> = Unit::new();
/// A unit keeps the driver of its first claim, and that its interrupt: so there is one for each.
static UNITS_BY_CALLS: [Unit<<Calls as Way>::Driver, SAMPLES>; 2] = [const { Unit::new() }; 2];

fn unit_by_calls() -> &'static Unit<<Calls as Way>::Driver, SAMPLES> {
    &UNITS_BY_CALLS[usize::from(calls::line() == Line::Software)]
}

/// What the kernel runs.
pub fn run() {
    if identity::is_under_firmware() {
        on_overflow(|at| {
            _ = unit_by_calls().on_overflow(at);
            SEEN.fetch_add(WITHIN.load(Relaxed).into(), Relaxed);
        });
        show::<Calls>(unit_by_calls(), |demo| demo.run());
        let offered = if identity::is_in_vs() { &LINES[..1] } else { &LINES };
        for &(line, title) in offered {
            calls::interrupt_by(line);
            show::<Calls>(unit_by_calls(), |demo| section(demo, title));
        }
    } else {
        on_overflow(|at| _ = UNIT.on_overflow(at));
        show::<Own>(&UNIT, |demo| demo.run());
    }
}

/// Claims the unit, shows this, and releases it.
fn show<W: Way>(unit: &'static Unit<W::Driver, SAMPLES>, what: impl FnOnce(&mut Demo<'_, W::Driver>)) {
    let pmu = unit.claim(On::<W>::detect()).expect("nobody else claims it");
    let mut demo = Demo {
        processor: identity::present().name,
        unit,
        pmu: &pmu,
        program: &program::LONG,
        source: clock,
        sampled: Generic::Instructions,
        event_of,
    };
    what(&mut demo);
    pmu.release().expect("no session is open any more");
}

/// The counters that interrupt, with the event of each.
fn event_of(counter: CounterId) -> Option<Generic> {
    match counter.number() {
        3 => Some(Generic::Cycles),
        4 => Some(Generic::Instructions),
        _ => None,
    }
}

/// The interrupts that the firmware offers.
const LINES: [(Line, &str); 2] = [
    (Line::Local, "a critical section by LCOFI, which waits while interrupts are off"),
    (Line::Software, "a critical section by the software event, which does not wait"),
];

/// Is this the critical section?
static WITHIN: AtomicBool = AtomicBool::new(false);
/// How many interrupts came within the critical section.
static SEEN: AtomicU32 = AtomicU32::new(0);

/// Samples a program that spends most of its time with interrupts off.
///
/// # Panics
///
/// If the software event did not interrupt the critical section, or LCOFI did.
fn section(demo: &mut Demo<'_, <Calls as Way>::Driver>, title: &str) {
    println!("sampling {title}");
    let instructions = Generic::Instructions;
    demo.sample(EventName::new(instructions.name()), Request::new(Event::Generic(instructions)), 2003, alternate);
    let seen = SEEN.swap(0, Relaxed);
    assert_eq!(seen > 0, calls::line() == Line::Software, "{seen} interrupts within the critical section");
}

fn alternate() {
    for _ in 0..20 {
        open_part();
        csr::keep_out();
        WITHIN.store(true, Relaxed);
        critical_section();
        WITHIN.store(false, Relaxed);
        csr::let_in();
    }
}

#[inline(never)]
fn open_part() {
    code::exactly(10_000);
}

#[inline(never)]
fn critical_section() {
    code::exactly(30_000);
}
