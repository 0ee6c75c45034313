//! This kernel, as the harness's sentences need it.

use harness::claim::least_period;
use harness::{Claimed, Guest, Kernel, Need};
use pmu::arch::x86::intel::Capabilities;
use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::{amd, intel, netburst, p6};
use pmu::driver::Description;
use pmu::request::{Flag, Refusal};
use pmu::{CounterId, CounterSet, Event, Interrupted, Modes, Request};

use super::clocked;
use crate::guest::unit::{self, Driver};
use crate::guest::{Here, on_nmi, on_overflow, on_tick};
use crate::guest::{callers, instructions, kept, leftover, position, sled, threads, truth, user};
use crate::identity::{self, Processor};
use crate::machine_code::enable_interrupts;
use crate::width::by_width;

impl Kernel for Here {
    harness::from_modules! { callers instructions kept sled unit user }

    type Driver = Driver;
    const LEAD: u64 = by_width!(4000, 8000);
    const PERIOD: u64 = Capabilities::LEAST_OF_OTHERS_IN_KERNEL;
    const LONGEST_LOOP: u64 = 12_345_678;
    const CLOCK_IS_EXACT: bool = true;
    const PROGRAM: u64 = 100 * 2 * callers::SHARE;

    /// With registers of 32 bits an operation takes longer to notice, and an interrupt to halt the unit.
    fn left_on() -> u64 {
        by_width!(0, 200)
    }

    /// On the P6 family the counters' common enable bit is written last, also if it is set already: the second counter
    /// counts that from its own selector's write on.
    fn started_after() -> u64 {
        if matches!(identity::presented().processor, Processor::P6(_)) { 60 } else { 20 }
    }

    fn lacks(need: Need) -> Option<&'static str> {
        let has_interrupts = identity::presented().processor.has_interrupts();
        (matches!(need, Need::Interrupt) && !has_interrupts).then_some("the unit has no overflow interrupt")
    }

    /// A Pentium with MMX counts them on its first counter, the others count none.
    fn counts_cycles_twice() -> bool {
        !matches!(identity::presented().processor, Processor::P5(_))
    }

    fn detect() -> Driver {
        unit::detect().expect("the presented processor has a unit")
    }

    fn registers() -> u64 {
        truth::fingerprint()
    }

    fn leave_something(unit: &Description, variant: usize) -> bool {
        leftover::leave(unit, variant)
    }

    fn read_as_program() -> Option<fn(u32) -> u64> {
        identity::presented().processor.has_rdpmc().then_some(user::read_counter)
    }

    fn use_the_rest(pmu: &Claimed<Self>) {
        leftover::use_auxiliaries(pmu);
    }

    fn on_overflow(handler: fn(Interrupted)) {
        on_overflow(handler);
    }

    fn note_positions() {
        on_nmi(|frame| harness::position::note::<Self>(unit::interrupted(frame), position::of(frame)));
    }

    fn note_callers() {
        on_nmi(|frame| harness::claim::note_callers::<Self>(unit::interrupted(frame), frame.bp as u64));
    }

    fn masks_line() -> bool {
        identity::presented().processor.masks_line()
    }

    /// An NMI cannot be masked: the host keeps it back for so long.
    fn without_interrupts(at_most: u64, body: impl FnOnce()) {
        Self::hold_interrupts(at_most);
        body();
        instructions::exactly(at_most);
    }

    fn counters(unit: &Description) -> CounterSet {
        clocked::counters(unit)
    }

    fn kinds(unit: &Description) -> CounterSet {
        clocked::kinds(unit).collect()
    }

    fn request(counter: CounterId) -> Request {
        clocked::request(counter)
    }

    fn each_impossible(unit: &Description, mut tell: impl FnMut(Request, Refusal)) {
        /// A flag or nothing, where some processors have further bits of the event's code on either side.
        const NO_CODE: u64 = 1 << 36;
        /// The same on the Pentium 4, whose codes go on to there.
        const NO_CODE_OF_NETBURSTS: u64 = 1 << 40;
        const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
        let least = match identity::presented().processor {
            Processor::P5(_) => {
                tell(INSTRUCTIONS.every(1000), Refusal::NoInterrupt);
                tell(INSTRUCTIONS.once_after(u64::MAX), Refusal::NoInterrupt);
                tell(INSTRUCTIONS.modes(Modes::HYPERVISOR), Refusal::Modes { able: Modes::ALL });
                tell(INSTRUCTIONS.flag(Flag::Edge), Refusal::Flag(Flag::Edge));
                tell(Request::new(Event::raw(NO_CODE | 0x16)), Refusal::ReservedBits(NO_CODE));
                return tell(Request::new(Event::raw_with(0x16, 5)), Refusal::Auxiliary(5));
            }
            Processor::Intel(_) => intel::Capabilities::LEAST_IN_KERNEL,
            Processor::Amd(_) => amd::Capabilities::LEAST_IN_KERNEL,
            Processor::Netburst(_) => netburst::Capabilities::LEAST_IN_KERNEL,
            Processor::P6(_) => p6::Capabilities::LEAST_IN_KERNEL,
        };
        tell(INSTRUCTIONS.once_after(1), Refusal::PeriodTooShort { least: clocked::least() });
        tell(INSTRUCTIONS.every(least - 1), Refusal::PeriodTooShort { least });
        tell(INSTRUCTIONS.modes(Modes::HYPERVISOR), Refusal::Modes { able: Modes::ALL });
        let (code, no_code) = match &identity::presented().processor {
            // instr_retired: NBOGUSNTAG, NBOGUSTAG.
            Processor::Netburst(_) => (CounterGroup::Iq.code(0x02, 4, 0b11), NO_CODE_OF_NETBURSTS),
            _ => (0xc0, NO_CODE),
        };
        tell(Request::new(Event::raw(no_code | code)), Refusal::ReservedBits(no_code));
        tell(Request::new(Event::raw_with(code, 5)), Refusal::Auxiliary(5));
        if let Some(fixed) = unit.fixed.lowest() {
            tell(INSTRUCTIONS.flag(Flag::Edge).pinned_to(fixed), Refusal::CounterCannot(fixed));
        }
    }

    fn go_round(rounds: u64) {
        position::turn(rounds);
    }

    fn tick_after(instructions: u64) {
        threads::tick_after(instructions);
    }

    fn take_ticks() {
        on_tick(|frame| harness::tick::handle(unit::interrupted(frame)));
        enable_interrupts();
    }

    fn with_interrupts_masked(count: u64) {
        instructions::with_interrupts_masked(count);
    }

    fn share() -> (u64, usize) {
        identity::presented().share()
    }

    fn samples() -> u64 {
        20_000 / Self::share().1 as u64
    }

    fn short_period(pmu: &Claimed<Self>, counter: CounterId) -> u64 {
        match identity::presented().processor {
            // More than eight times what an interrupt takes: no period is doubled.
            Processor::Netburst(_) => least_period::<Self>(pmu, Self::request(counter)).max(1_350) + 1,
            _ => by_width!(811, 1_351),
        }
    }
}
