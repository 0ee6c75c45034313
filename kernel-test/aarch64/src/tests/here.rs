//! This kernel, as the harness's sentences need it, wherever it runs. There is a book on the model alone.

use harness::threads::Preempting;
use harness::{Call, Guest, Kernel, Need};
use pmu::arch::aarch64::pmuv3::Capabilities;
use pmu::driver::Description;
use pmu::request::{Flag, Refusal};
use pmu::{CounterId, CounterSet, Event, Interrupted, Request};

use super::clocked;
use crate::guest::place::{self, Place};
use crate::guest::threads::State;
use crate::guest::unit::{self, Driver};
use crate::guest::{Here, on_interrupt, on_overflow, on_overflow_framed, on_tick, raise_interrupt, threads};
use crate::guest::{callers, instructions, kept, leftover, position, registers, sled, user};
use crate::{identity, system};

/// Cycles, on an event counter (CPU_CYCLES).
const CYCLES: Event = Event::raw(0x0011);

impl Kernel for Here {
    harness::from_modules! { callers instructions kept sled unit user }

    type Driver = Driver;
    const LEAD: u64 = 3000;
    const PERIOD: u64 = 2500;
    const LONGEST_LOOP: u64 = 1_000_000;
    const PROGRAM: u64 = 100 * 2 * callers::SHARE;

    /// Where the machine's unit is, there is no book, no host that takes orders, and no tick.
    fn lacks(need: Need) -> Option<&'static str> {
        let is_lacking = match need {
            Need::Amid | Need::Book | Need::Orders | Need::Threads => !place::is_on_model(),
            Need::Modes | Need::Ticks => !place::is(Place::Model),
            // This place differs from EL2 in its user programs alone.
            Need::Time => place::is(Place::Vhe),
            _ => false,
        };
        is_lacking.then_some("it is shown in another place")
    }

    fn detect() -> Driver {
        unit::detect().expect("the processor has a unit")
    }

    fn registers() -> u64 {
        registers::fingerprint()
    }

    fn leave_something(unit: &Description, variant: usize) -> bool {
        [0, 0b101, 0x8000_0013].get(variant).map(|&enabled| leftover::leave(unit, enabled)).is_some()
    }

    fn read_as_program() -> Option<fn(u32) -> u64> {
        Some(user::read_counter)
    }

    fn on_overflow(handler: fn(Interrupted)) {
        on_overflow(handler);
    }

    fn note_positions() {
        on_interrupt(|frame| harness::position::note::<Self>(unit::interrupted(frame), position::of(frame)));
    }

    fn note_callers() {
        on_overflow_framed(harness::claim::note_callers::<Self>);
    }

    fn without_interrupts(_: u64, body: impl FnOnce()) {
        system::without_interrupts(body);
    }

    fn counters(unit: &Description) -> CounterSet {
        clocked::counters(unit)
    }

    fn kinds(unit: &Description) -> CounterSet {
        clocked::kinds(unit).collect()
    }

    fn few(unit: &Description) -> CounterSet {
        clocked::pair(unit).collect()
    }

    fn punctual(unit: &Description) -> CounterSet {
        clocked::punctual(unit).collect()
    }

    fn request(counter: CounterId) -> Request {
        clocked::request(counter)
    }

    fn each_impossible(_: &Description, mut tell: impl FnMut(Request, Refusal)) {
        const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
        /// Beyond an event's number.
        const NO_CODE: u64 = 1 << 16;
        /// No processor counts CHAIN by itself.
        const HALF_OF_A_PAIR: Event = Event::raw(0x1e);
        let short = |least| Refusal::PeriodTooShort { least };
        tell(INSTRUCTIONS.every(Capabilities::LEAST_IN_KERNEL - 1), short(Capabilities::LEAST_IN_KERNEL));
        tell(Request::new(CYCLES).every(Capabilities::LEAST_IN_KERNEL), short(Capabilities::LEAST_OF_OTHERS_IN_KERNEL));
        tell(INSTRUCTIONS.pinned_to(clocked::CYCLES), Refusal::CounterCannot(clocked::CYCLES));
        tell(INSTRUCTIONS.flag(Flag::AnyThread), Refusal::Flag(Flag::AnyThread));
        tell(Request::new(HALF_OF_A_PAIR), Refusal::UnknownEvent);
        tell(Request::new(Event::raw(NO_CODE | 8)), Refusal::ReservedBits(NO_CODE));
        tell(Request::new(Event::raw_with(8, 5)), Refusal::Auxiliary(5));
    }

    fn go_round(rounds: u64) {
        position::turn(rounds);
    }

    #[inline(always)]
    fn clock() -> u64 {
        unit::cycles()
    }

    fn raise_interrupt() {
        raise_interrupt();
    }

    fn tick_after(instructions: u64) {
        Self::call(Call::TickAfter, instructions, 0);
    }

    fn take_ticks() {
        on_tick(|state| harness::tick::handle(unit::interrupted(&state.frame)));
    }

    fn with_interrupts_masked(count: u64) {
        instructions::with_interrupts_masked(count);
    }

    /// Where the model is of the first version or of the last every instruction is tried, elsewhere every third.
    fn share() -> (u64, usize) {
        match identity::present().map(|identity| identity.name) {
            Some("cortex-a72" | "neoverse-n1") => (1, 3),
            Some("cortex-a76" | "neoverse-v1") => (2, 3),
            Some("cortex-a53") => (3, 3),
            _ => (1, 1),
        }
    }
}

/// Threads on the model, by the ticks of its host.
impl Preempting for Here {
    type Frame = State;

    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> State {
        State::in_kernel(body as usize as u64, [argument as u64, 0, 0])
    }

    fn in_loop() -> State {
        /// Rounds that no thread ever completes.
        const FOR_EVER: u64 = u64::MAX;
        State::in_kernel(position::entry(), [0, FOR_EVER, 0])
    }

    fn put_on_stack(state: &mut State, end: usize) {
        state.put_on_stack(end);
    }

    fn retired_by(state: &State) -> Option<u64> {
        position::of(&state.frame)
    }

    fn raise_tick() {
        on_tick(harness::threads::on_tick::<Self>);
        threads::raise_tick();
    }

    fn switches() -> u64 {
        10_000
    }
}
