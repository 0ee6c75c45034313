//! What a sentence needs of the kernel that shows it.

use pmu::driver::{Description, Driver, Overflow};
use pmu::output::profile::Symbol;
use pmu::request::Refusal;
use pmu::samples::{chain::Broken, chain::Callers};
use pmu::{CounterId, CounterSet, Event, Interrupted, Pmu, Request, Unit};

use crate::call::Call;
use crate::guest::Guest;
use crate::need::Need;
use crate::overflow;

/// Samples that a unit has room for.
pub const ROOM: usize = 1024;
/// Samples that the small unit has room for: so few that a test can overrun it.
pub const LITTLE_ROOM: usize = 32;

/// The unit of a kernel `K`, claimed.
pub type Claimed<K> = Pmu<'static, <K as Kernel>::Driver>;

/// A test kernel above the host that knows what really happened.
///
/// The host keeps a book of the instructions that retire while a counter is on. It knows nothing of
/// presets, wraps and late interrupts, so whatever the driver makes of those must come to the same number.
pub trait Kernel: Guest {
    /// What drives the unit.
    type Driver: Driver + 'static;

    /// More instructions than the longest operation that a test interrupts.
    const LEAD: u64;
    /// A period that is longer than an interrupt's own instructions, and than a start's or a stop's.
    const PERIOD: u64;
    /// The fewest instructions that [`exactly`](Self::exactly) can be asked for.
    const FEWEST: u64;
    /// The longest loop that is worth its time.
    const LONGEST_LOOP: u64;
    /// May the unit, when it is stopped, take an interrupt back that has not come yet?
    const TAKES_INTERRUPTS_BACK: bool = false;
    /// Does the interrupt of an overflow that a switch of threads has accounted for come as soon as the next thread runs?
    const LEAVES_INTERRUPTS: bool = false;
    /// By so many instructions do the driver's start and stop differ from one time to the next.
    const VARIES: u64 = 0;
    /// So many instructions at the most does an interrupt spare to the operation that it interrupts, which uses what the
    /// interrupt has worked out.
    const SPARED: u64 = 0;
    /// The most instructions of a set's turn between a reading of the clock and the start or the stop of the counters.
    const ROTATES: u64 = 100;
    /// More than the instructions between a load that reserves and the conditional store, where an interrupt gives the
    /// reservation up.
    const RESERVED: u64 = 0;
    /// Does the host step, so that a test which lasts leaves some of its cases out?
    const STEPS: bool = false;
    /// Does the driver's clock advance by one an instruction?
    const CLOCK_IS_EXACT: bool = false;

    /// Why what needs this is not shown on the presented processor; `None` if it is there.
    fn lacks(need: Need) -> Option<&'static str>;

    /// So many more instructions than a handler's entry may an operation leave a counter on for that ends its one period
    /// meanwhile: it keeps the interrupt off here, or works out what the unit's registers shall hold.
    fn left_on() -> u64 {
        0
    }

    /// Where there is no global control, a session's counter counts how another one is started and stopped after it: so
    /// many instructions at the most, twice. It is not done for one whose period has ended.
    fn started_after() -> u64 {
        20
    }

    /// Does an overflow interrupt? If not, the unit refuses every period.
    fn has_interrupts() -> bool {
        Self::lacks(Need::Interrupt).is_none()
    }
    /// The request with this period; where no overflow interrupts, it only counts.
    fn sampled(request: Request, period: u64) -> Request {
        if Self::has_interrupts() { request.every(period) } else { request }
    }
    /// How many such periods end in so many events.
    fn periods(events: u64, period: u64) -> u64 {
        if Self::has_interrupts() { events / period } else { 0 }
    }
    /// Can cycles be counted by two counters at once?
    fn counts_cycles_twice() -> bool {
        true
    }
    /// The unit. It is a new one in each test.
    fn unit() -> &'static Unit<Self::Driver, ROOM>;
    /// The same with room for few samples, for tests that use this one instead.
    fn small_unit() -> &'static Unit<Self::Driver, LITTLE_ROOM>;
    /// Finds the processor's unit, of which there is no doubt.
    fn detect() -> Self::Driver;
    /// A number that stays the same as long as the unit's registers do; no counter runs.
    fn registers() -> u64;
    /// Writes something of the test's own into every register of the unit, which is stopped. Returns false if there
    /// is no variant with this number, from 0.
    fn leave_something(unit: &Description, variant: usize) -> bool;
    /// Sets the clock that the driver reads back to 0, as a sleep may.
    fn reset_clock() {
        if Self::has_book() {
            Self::call(Call::ResetClock, 0, 0);
        }
    }
    /// The instruction by which a program reads the counter with this number, if its answer is the unit's here.
    fn read_as_program() -> Option<fn(u32) -> u64> {
        None
    }
    /// Uses what else a claim may change, beside the counters.
    fn use_the_rest(_pmu: &Claimed<Self>) {}

    /// Calls `handler` at each overflow interrupt, through the crate's own entry, from now on.
    fn on_overflow(handler: fn(Interrupted)) {
        overflow::on_overflow(handler);
    }
    /// Calls [`position::note`](crate::position::note) at each overflow interrupt from now on, with how many instructions of
    /// the [loop](Self::go_round) had retired; `None` if the interrupt came at another place.
    fn note_positions();
    /// Calls [`claim::note_callers`](crate::claim::note_callers) at each overflow interrupt from now on, with the place where
    /// the interrupted code keeps its callers.
    fn note_callers() {
        without_callers()
    }
    /// Does the line of overflows mask itself until the interrupt's handler has opened it again? If not, two overflows may
    /// come as one interrupt, and an interrupt may find that another one has seen to its overflow.
    fn masks_line() -> bool {
        true
    }
    /// May an operation open the line again while an interrupt is on its way whose overflow it has accounted for? Then
    /// another counter may overflow as that interrupt is taken, and interrupt once more. The handler accounts for the
    /// overflow the first time, and the second time it finds nothing and does not claim the interrupt.
    fn reopens_line() -> bool {
        false
    }
    /// Does the handler ask each counter that is in use whether it has overflowed, so that its length depends on them?
    fn asks_each_counter(unit: &Description) -> bool {
        unit.overflow != Overflow::Identified
    }
    /// Has another device the same line, so that each of its interrupts is somebody else's to the unit?
    fn shares_line() -> bool {
        false
    }
    /// Does what `body` does without an overflow interrupt; those that are due come afterwards. It is not longer than
    /// so many instructions.
    fn without_interrupts(at_most: u64, body: impl FnOnce());

    /// The counters that can count one event an instruction.
    fn counters(unit: &Description) -> CounterSet {
        unit.general
    }
    /// Some of them, of each kind.
    fn kinds(unit: &Description) -> CounterSet {
        Self::counters(unit)
    }
    /// One of each kind, for tests that take their time.
    fn few(unit: &Description) -> CounterSet {
        Self::kinds(unit)
    }
    /// Some of each kind whose overflow interrupts at its very instruction.
    fn punctual(unit: &Description) -> CounterSet {
        Self::kinds(unit)
    }
    /// Those whose counts are exact beside others, whatever code is counted.
    fn exact(unit: &Description) -> CounterSet {
        Self::counters(unit)
    }
    /// Counts one event an instruction on this counter.
    fn request(counter: CounterId) -> Request {
        Request::new(Event::INSTRUCTIONS).pinned_to(counter)
    }
    /// The same where the driver lets a period be shortest, on this counter or, if it does not matter there, on any.
    fn densest_request(counter: CounterId) -> Request {
        Self::request(counter)
    }
    /// Tells of requests that no unit of this kind can do, and what is wrong with each.
    fn each_impossible(unit: &Description, tell: impl FnMut(Request, Refusal));

    /// Retires so many instructions.
    fn exactly(instructions: u64);
    /// Goes round a loop of three instructions so often at the least.
    fn go_round(rounds: u64);
    /// The instructions of the [row](Self::run_row).
    const ROW: u64;
    /// Retires a row of instructions `rounds` times, at least once.
    fn run_row(rounds: u64);
    /// Which instruction of the row is at this address, from 0; `None` if it is none of them.
    fn place_in_row(address: u64) -> Option<u64>;
    /// How many instructions from one place of the row to the next time at the other.
    fn distance_in_row(from: u64, to: u64) -> u64 {
        (to + Self::ROW - from) % Self::ROW
    }
    /// Instructions of the program whose functions call each other.
    const PROGRAM: u64 = 0;
    /// Runs that program.
    fn run_callers() {
        without_callers()
    }
    /// The program's functions, in the order of their addresses: `outermost` calls `left` and `right`, and these `spin`.
    fn symbols() -> [Symbol<'static>; 4] {
        without_callers()
    }
    /// Finds who called the code that was interrupted, which keeps its callers there.
    ///
    /// # Errors
    /// The stack makes no sense.
    fn walk(_place: u64, _callers: &mut Callers<'_>) -> Result<(), Broken> {
        without_callers()
    }
    /// Runs this as a user program.
    fn run_program(body: extern "C" fn());
    /// Fills every register of the processor, and sees that each keeps its value for a moment.
    fn keep_registers();

    /// A clock that advances by one an instruction, and is not the driver's.
    fn clock() -> u64 {
        Self::retired()
    }
    /// Raises the overflow interrupt, though no counter overflows.
    fn raise_interrupt() {
        Self::interrupt_after(0);
    }

    /// Orders the tick, which operations keep off, in place of any other: when so many instructions more have retired, or as
    /// soon as interrupts are on after that. With 0 no tick comes any more.
    fn tick_after(instructions: u64);
    /// Calls [`tick::handle`](crate::tick::handle) at each tick, and turns interrupts on.
    fn take_ticks();
    /// Retires so many with interrupts off, and turns them on again.
    fn with_interrupts_masked(instructions: u64) {
        Self::without_interrupts(instructions, || Self::exactly(instructions));
    }
    /// Is this the instruction before which the first interrupt comes when they are turned on?
    fn is_where_interrupts_come(address: u64) -> bool;

    /// Where a test tries many instructions one by one: the first that it tries here, and in which steps it goes on.
    ///
    /// Processors with one driver share them, since it takes the same path on each; one of them tries them all.
    fn share() -> (u64, usize) {
        (1, 1)
    }
    /// Which of so many instructions or delays, numbered from 1, a test tries one by one: all if they are few, otherwise
    /// this processor's share.
    fn tried(instructions: u64) -> impl Iterator<Item = u64> {
        let (first, step) = if instructions < 100 { (1, 1) } else { Self::share() };
        (first..=instructions).step_by(step)
    }
    /// The same where each of them is tried with work of its own: fewer where the host steps.
    fn few_tried(instructions: u64) -> impl Iterator<Item = u64> {
        Self::tried(instructions).step_by(if Self::STEPS { 41 } else { 1 })
    }
    /// Samples that this kernel takes of the million that all processors take together.
    fn samples() -> u64 {
        20_000
    }
    /// The period of those samples on this counter.
    fn short_period(_pmu: &Claimed<Self>, _counter: CounterId) -> u64 {
        2003
    }
}

/// A kernel whose instruction set has no chain of frames leaves the sentences about callers out.
fn without_callers() -> ! {
    unreachable!("no sentence about callers is shown")
}
