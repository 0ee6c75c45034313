//! This kernel, as the harness's sentences need it.

use harness::overflow::{on_overflow, on_overflow_framed};
use harness::{Claimed, Fingerprint, Kernel, Named as _, Need};
use pmu::arch::sparc::ultrasparc;
use pmu::driver::Description;
use pmu::request::{Flag, Refusal};
use pmu::{CounterId, CounterSet, Event, Interrupted, Mode, Request};

use crate::frame::Frame;
use crate::guest::Here;
use crate::guest::unit::{self, Driver};
use crate::guest::{callers, hold_interrupts, instructions, kept, position, sled, take_interrupts, threads, user};
use crate::identity::{self, Processor};

impl Kernel for Here {
    harness::from_modules! { callers instructions kept sled unit user }

    type Driver = Driver;
    const LEAD: u64 = 30_000;
    const PERIOD: u64 = 3000;
    const LONGEST_LOOP: u64 = 1_000_000;
    /// Its bit in SOFTINT waits.
    const LEAVES_INTERRUPTS: bool = true;
    /// What a stop reads is already kept if an interrupt has come.
    const SPARED: u64 = 40;
    const PROGRAM: u64 = 100 * callers::SHARE;

    fn lacks(need: Need) -> Option<&'static str> {
        let processor = identity::presented();
        match need {
            Need::Interrupt | Need::Amid | Need::Apart if !processor.has_interrupts() => {
                Some("the unit has no overflow interrupt, and its counters are on or off together")
            }
            Need::Pair if processor.is_t1() => {
                Some("one counter counts instructions, no loads, and is on or off with the other")
            }
            _ => None,
        }
    }

    /// A preset, and a switch of what counts.
    fn left_on() -> u64 {
        120
    }

    /// T1 and T2 count none.
    fn counts_cycles_twice() -> bool {
        matches!(identity::presented().processor, Processor::UltraSparc(_))
    }

    fn detect() -> Driver {
        unit::detect()
    }

    fn registers() -> u64 {
        Fingerprint::of(&unit::snapshot())
    }

    fn leave_something(_: &Description, variant: usize) -> bool {
        [0x0102_0304, 0x1e1e_1e51].get(variant).map(|&value| unit::leave(value)).is_some()
    }

    fn reset_clock() {
        threads::reset_clock();
    }

    fn note_positions() {
        on_overflow(|at| harness::position::note::<Self>(at, position::of(at)));
    }

    fn note_callers() {
        on_overflow_framed(harness::claim::note_callers::<Self>);
    }

    /// The trap's entry clears SOFTINT's bit before the handler halts the unit.
    fn reopens_line() -> bool {
        true
    }

    /// T2's status says which, too, but the driver believes their values.
    fn asks_each_counter(_: &Description) -> bool {
        true
    }

    fn without_interrupts(_: u64, body: impl FnOnce()) {
        hold_interrupts();
        body();
        take_interrupts();
    }

    fn counters(unit: &Description) -> CounterSet {
        /// T1's, which counts nothing else.
        const PIC1: CounterId = CounterId::new(1).unwrap();
        if identity::presented().is_t1() { PIC1.only() } else { unit.general }
    }

    fn each_impossible(_: &Description, mut tell: impl FnMut(Request, Refusal)) {
        const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
        tell(INSTRUCTIONS.flag(Flag::Edge), Refusal::Flag(Flag::Edge));
        if Self::has_interrupts() {
            let least = ultrasparc::Capabilities::LEAST_IN_KERNEL;
            tell(INSTRUCTIONS.every(least - 1), Refusal::PeriodTooShort { least });
        } else {
            tell(INSTRUCTIONS.every(1000), Refusal::NoInterrupt);
        }
    }

    fn go_round(rounds: u64) {
        position::go_round(rounds);
    }

    fn tick_after(instructions: u64) {
        threads::tick_after(instructions);
    }

    fn take_ticks() {
        harness::tick::on_frame(|frame: &mut Frame| {
            harness::tick::handle(Interrupted::new(frame.address, Mode::Kernel))
        });
    }

    /// III and IV+ have one driver: III tries every instruction, IV+ every second.
    fn share() -> (u64, usize) {
        if identity::presented().name() == "ultrasparc-iv-plus" { (2, 2) } else { (1, 1) }
    }

    fn short_period(_: &Claimed<Self>, _: CounterId) -> u64 {
        // More than eight times what an interrupt takes: no period is doubled.
        1031
    }
}
