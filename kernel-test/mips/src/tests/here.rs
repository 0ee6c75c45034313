//! This kernel, as the harness's sentences need it.

use harness::{Claimed, Fingerprint, Kernel, Need};
use pmu::arch::mips::mipsxx::Model;
use pmu::driver::Description;
use pmu::request::{Generic, Refusal};
use pmu::{CounterId, Event, Interrupted, Mode, Request};

use crate::guest::Here;
use crate::guest::unit::{self, Driver};
use crate::guest::{self, instructions, kept, position, sled, threads, user};
use crate::identity;
use crate::low::Frame;
use harness::by_width;

impl Kernel for Here {
    harness::from_modules! { guest instructions kept position sled threads unit user }

    type Driver = Driver;
    const LEAD: u64 = 30_000;
    const PERIOD: u64 = 3000;
    const LONGEST_LOOP: u64 = 1 << 20;
    /// The line falls with its cause.
    const TAKES_INTERRUPTS_BACK: bool = true;
    /// A thread's start and stop depend on what the one before it has left.
    const VARIES: u64 = 8;
    const SPARED: u64 = 8;
    const ROTATES: u64 = by_width!(100, 300);
    const RESERVED: u64 = 8;
    const CLOCK_IS_EXACT: bool = true;

    fn lacks(need: Need) -> Option<&'static str> {
        match need {
            Need::Pair if !Self::counts_cycles_twice() => Some("the unit has one counter"),
            Need::Late => Some("no interrupt is late: nothing latches the line, and a stop takes it back"),
            Need::Callers => {
                Some("MIPS has no chain of frames: where a caller's address is, each function's own code decides")
            }
            _ => None,
        }
    }

    /// An open and a close keep it off for longest.
    fn left_on() -> u64 {
        700
    }

    fn counts_cycles_twice() -> bool {
        identity::presented().capabilities().counters.len() > 1
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

    /// It is the timer's too.
    fn shares_line() -> bool {
        true
    }

    fn each_impossible(unit: &Description, mut tell: impl FnMut(Request, Refusal)) {
        /// R12000's and Octeon's counters have the same events, and 20K's is alone; elsewhere the odd ones alone count these.
        const MISSES: Request = Request::new(Event::Generic(Generic::BranchMisses));
        let model = identity::presented().capabilities().model;
        if !matches!(model, Model::R12000 | Model::M20K | Model::Octeon | Model::OcteonII) {
            unit.general.lowest().into_iter().for_each(|even| {
                tell(MISSES.pinned_to(even), Refusal::CounterCannot(even));
            });
        }
    }

    fn tick_after(instructions: u64) {
        threads::tick_after(instructions as u32);
    }

    fn take_ticks() {
        harness::tick::on_frame(|frame: &mut Frame| {
            harness::tick::handle(Interrupted::new(frame.address as u64, Mode::Kernel));
        });
    }

    /// The first tries every instruction, each of the others a part.
    fn share() -> (u64, usize) {
        const SHARING: [&str; 7] = ["r10000", "r12000", "mips-5k", "mips-20k", "octeon-ii", "mips-24k", "mips-34k"];
        let place = SHARING.iter().position(|&name| name == identity::presented().name());
        if place == Some(0) { (1, 1) } else { (place.unwrap_or_default() as u64 + 1, SHARING.len()) }
    }

    fn short_period(_: &Claimed<Self>, _: CounterId) -> u64 {
        // More than eight times what an interrupt takes: no period is doubled.
        3023
    }
}
