//! This kernel, as the harness's sentences need it: on QEMU's own unit, where nobody keeps a book beneath, and above a
//! host that does.

use core::marker::PhantomData;
use core::sync::atomic::Ordering::Relaxed;

use harness::by_width;
use harness::threads::Preempting;
use harness::{Call, Fact, Guest, Kernel, LITTLE_ROOM, Need, ROOM, guest};
use pmu::arch::riscv::hpm::Capabilities;
use pmu::driver::Description;
use pmu::output::profile::Symbol;
use pmu::request::{Flag, Refusal};
use pmu::samples::{chain::Broken, chain::Callers};
use pmu::{CounterId, CounterSet, Event, Interrupted, Request};

use crate::board::{self, ask_host};
use crate::csr;
use crate::guest::calls::Calls;
use crate::guest::entry::Frame;
use crate::guest::unit::Own;
use crate::guest::way::Way;
use crate::guest::{INTERRUPTS, code, kept, on_interrupt, on_overflow, on_tick, position, raise_tick, user};
use crate::identity::{self, has_host, is_in_vs, is_under_firmware};

/// This kernel, which has its unit in this way.
#[derive(Debug)]
pub struct On<W>(PhantomData<W>);

/// By its registers.
pub type Here = On<Own>;
/// By calls to its firmware.
pub type UnderFirmware = On<Calls>;

impl<W: Way> Guest for On<W> {
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        ask_host(call, first, second)
    }

    fn has_book() -> bool {
        has_host()
    }

    #[inline(always)]
    fn retired() -> u64 {
        if has_host() { guest::ask::<Self>(Fact::Retired) } else { W::clock() }
    }

    /// Without a host each asks for one, and nobody else does but a test.
    fn overflows() -> u64 {
        if has_host() { guest::ask::<Self>(Fact::Overflows) } else { Self::interrupts() }
    }

    fn interrupts() -> u64 {
        INTERRUPTS.load(Relaxed) as u64
    }
}

/// The counters of QEMU that count cycles and instructions and interrupt. Each has its event.
const OF_CYCLES: CounterId = CounterId::new(3).unwrap();
const OF_INSTRUCTIONS: CounterId = CounterId::new(4).unwrap();

impl<W: Way> Kernel for On<W> {
    type Driver = W::Driver;
    const LEAD: u64 = 6000;
    const PERIOD: u64 = 2500;
    const FEWEST: u64 = code::FEWEST;
    const LONGEST_LOOP: u64 = 1_000_000;
    const ROW: u64 = code::ROW;
    const LEAVES_INTERRUPTS: bool = true;
    const PROGRAM: u64 = 100 * 2 * code::SHARE;
    const VARIES: u64 = W::VARIES;
    /// What a stop reads is already kept if an interrupt has come.
    const SPARED: u64 = 8;

    /// An open and a close keep interrupts off for longest.
    fn left_on() -> u64 {
        700
    }

    /// QEMU's counters of cycles and instructions are exact, and interrupt in time: they need no book.
    fn lacks(need: Need) -> Option<&'static str> {
        match need {
            Need::Amid | Need::Orders if !has_host() => Some("it takes a host that keeps a book and takes orders"),
            Need::Interrupt | Need::Line if !identity::present().has_interrupts() => {
                Some("its unit does not interrupt")
            }
            Need::Modes if by_width!(false, !has_host()) => {
                Some("with registers of 32 bits QEMU's counters count in every mode")
            }
            _ => None,
        }
    }

    fn unit() -> &'static pmu::Unit<W::Driver, ROOM> {
        W::units().0
    }

    fn small_unit() -> &'static pmu::Unit<W::Driver, LITTLE_ROOM> {
        W::units().1
    }

    fn detect() -> W::Driver {
        W::detect().expect("the processor has a unit")
    }

    fn registers() -> u64 {
        W::fingerprint()
    }

    fn leave_something(_: &Description, variant: usize) -> bool {
        [0, 0b101, 0x1c].get(variant).map(|&readable| W::leave(readable)).is_some()
    }

    fn reset_clock() {}

    fn read_as_program() -> Option<fn(u32) -> u64> {
        by_width!(Some(user::read), None)
    }

    fn on_overflow(handler: fn(Interrupted)) {
        on_overflow(handler);
    }

    fn note_positions() {
        on_interrupt(|frame| harness::position::note::<Self>(frame.interrupted(), position::of(frame)));
    }

    fn note_callers() {
        on_interrupt(|frame| {
            harness::claim::note_callers::<Self>(frame.interrupted(), frame.registers[8] as u64);
        });
    }

    fn without_interrupts(_: u64, body: impl FnOnce()) {
        W::without_interrupts(body);
    }

    /// mcycle and minstret do not interrupt, and have a sentence of their own. In QEMU each other counter has its event.
    fn counters(unit: &Description) -> CounterSet {
        if has_host() { unit.general } else { [OF_CYCLES, OF_INSTRUCTIONS].into_iter().collect() }
    }

    fn kinds(unit: &Description) -> CounterSet {
        Self::counters(unit)
    }

    /// Above a host all are of one kind.
    fn few(unit: &Description) -> CounterSet {
        let counters = Self::counters(unit);
        if has_host() { counters.lowest().into_iter().collect() } else { counters }
    }

    fn request(counter: CounterId) -> Request {
        let is_of_cycles = counter == OF_CYCLES && !has_host();
        Request::new(if is_of_cycles { Event::CYCLES } else { Event::INSTRUCTIONS }).pinned_to(counter)
    }

    fn densest_request(_: CounterId) -> Request {
        Self::request(OF_INSTRUCTIONS)
    }

    fn each_impossible(_: &Description, mut tell: impl FnMut(Request, Refusal)) {
        const REQUEST: Request = Request::new(Event::INSTRUCTIONS);
        /// The SBI's index of cache references.
        const NOT_OF_QEMU: u64 = 3;
        let [cycles, instructions] = W::FIXED;
        let short = |least| Refusal::PeriodTooShort { least };
        tell(REQUEST.every(Capabilities::LEAST_IN_KERNEL - 1), short(Capabilities::LEAST_IN_KERNEL));
        tell(
            Request::new(Event::CYCLES).every(Capabilities::LEAST_IN_KERNEL),
            short(Capabilities::LEAST_OF_OTHERS_IN_KERNEL),
        );
        tell(REQUEST.pinned_to(cycles), Refusal::CounterCannot(cycles));
        let cannot = if Self::has_interrupts() { Refusal::CounterCannot(instructions) } else { Refusal::NoInterrupt };
        tell(REQUEST.every(100_000).pinned_to(instructions), cannot);
        tell(REQUEST.flag(Flag::AnyThread), Refusal::Flag(Flag::AnyThread));
        if !has_host() {
            tell(Request::new(Event::raw(NOT_OF_QEMU)), Refusal::UnknownEvent);
        }
        tell(Request::new(Event::raw(W::NO_CODE | 2)), Refusal::ReservedBits(W::NO_CODE));
        tell(Request::new(Event::raw_with(2, 1 << 57)), Refusal::Auxiliary(1 << 57));
    }

    #[inline(always)]
    fn exactly(count: u64) {
        code::exactly(count);
    }

    fn go_round(rounds: u64) {
        position::turn(rounds as usize);
    }

    fn run_row(rounds: u64) {
        code::row(rounds as usize);
    }

    fn place_in_row(address: u64) -> Option<u64> {
        code::place_in_row(address)
    }

    fn run_callers() {
        code::call();
    }

    fn symbols() -> [Symbol<'static>; 4] {
        code::symbols()
    }

    fn walk(place: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
        code::walk(place, callers)
    }

    fn run_program(body: extern "C" fn()) {
        user::run(body);
    }

    fn keep_registers() {
        kept::keep();
    }

    fn raise_interrupt() {
        if has_host() {
            return Self::interrupt_after(0);
        }
        W::raise_interrupt();
    }

    fn tick_after(instructions: u64) {
        board::tick_after(instructions);
    }

    fn take_ticks() {
        on_tick(|frame| harness::tick::handle(frame.interrupted()));
    }

    fn with_interrupts_masked(count: u64) {
        code::with_interrupts_masked(count);
    }

    fn is_where_interrupts_come(address: u64) -> bool {
        code::is_where_interrupts_come(address)
    }

    /// A million on the six of them; where the firmware counts, each costs more, and in VS each read of a counter does too.
    fn samples() -> u64 {
        match (has_host() || is_in_vs(), is_under_firmware()) {
            (true, _) => 5_000,
            (_, true) => 100_000,
            _ => 200_000,
        }
    }

    /// The processors above a host take the same way through the driver, but for the accesses to its registers: in
    /// supervisor mode every second instruction is tried.
    fn share() -> (u64, usize) {
        if has_host() && !csr::is_machine() { (2, 2) } else { (1, 1) }
    }
}

impl<W: Way> Preempting for On<W> {
    type Frame = Frame;

    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> Frame {
        Frame::beginning(body as usize, [argument, 0, 0])
    }

    fn in_loop() -> Frame {
        /// Rounds that no thread ever completes.
        const FOR_EVER: usize = usize::MAX;
        Frame::beginning(position::entry(), [0, FOR_EVER, 0])
    }

    fn put_on_stack(frame: &mut Frame, end: usize) {
        frame.registers[2] = end;
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of(frame)
    }

    fn raise_tick() {
        on_tick(harness::threads::on_tick::<Self>);
        raise_tick();
    }

    fn switches() -> u64 {
        if has_host() || is_in_vs() { 1_000 } else { 10_000 }
    }
}
