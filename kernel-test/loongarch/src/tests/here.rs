//! This kernel, as the harness's sentences need it.

use harness::{Claimed, Fingerprint, Kernel, Need};
use pmu::driver::Description;
use pmu::request::Refusal;
use pmu::{CounterId, Event, Interrupted, Mode, Request};

use crate::guest::Here;
use crate::guest::unit::{self, Driver};
use crate::guest::{self, callers, instructions, kept, position, sled, threads, user};
use crate::low::Frame;

impl Kernel for Here {
    harness::from_modules! { callers guest instructions kept position sled threads unit user }

    type Driver = Driver;
    const LEAD: u64 = 30_000;
    const PERIOD: u64 = 3000;
    const LONGEST_LOOP: u64 = 1 << 20;
    /// The line falls with its cause.
    const TAKES_INTERRUPTS_BACK: bool = true;
    /// A thread's start and stop depend on what the one before it has left.
    const VARIES: u64 = 8;
    const SPARED: u64 = 8;
    const RESERVED: u64 = 8;
    const PROGRAM: u64 = 100 * 2 * callers::SHARE;

    fn lacks(need: Need) -> Option<&'static str> {
        match need {
            Need::Late => Some("no interrupt is late: nothing latches the line, and a stop takes it back"),
            _ => None,
        }
    }

    /// An open and a close keep it off for longest.
    fn left_on() -> u64 {
        700
    }

    fn detect() -> Driver {
        unit::detect()
    }

    fn registers() -> u64 {
        Fingerprint::of(&unit::snapshot())
    }

    fn leave_something(_: &Description, variant: usize) -> bool {
        [0x0102_0304, 0x1e1e_1e1e].get(variant).map(|&value| unit::leave(value)).is_some()
    }

    /// The line is a level.
    fn masks_line() -> bool {
        false
    }

    fn note_callers() {
        harness::overflow::on_overflow_framed(harness::claim::note_callers::<Self>);
    }

    fn each_impossible(_: &Description, mut tell: impl FnMut(Request, Refusal)) {
        tell(Request::new(Event::REFERENCE_CYCLES), Refusal::UnknownEvent);
        tell(Request::new(Event::raw(0x400)), Refusal::ReservedBits(0x400));
    }

    fn tick_after(instructions: u64) {
        threads::tick_after(instructions);
    }

    fn take_ticks() {
        harness::tick::on_frame(|frame: &mut Frame| {
            harness::tick::handle(Interrupted::new(frame.address, Mode::Kernel));
        });
    }

    /// It is the only processor of its kernel. A million would take a minute; the host's test has them (`tests/loongarch`).
    fn samples() -> u64 {
        100_000
    }

    fn short_period(_: &Claimed<Self>, _: CounterId) -> u64 {
        // More than eight times what an interrupt takes: no period is doubled.
        3023
    }
}
