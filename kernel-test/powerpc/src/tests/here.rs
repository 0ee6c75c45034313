//! This kernel, as the harness's sentences need it, in either world. QEMU's own unit has no book.

use harness::{Claimed, Fingerprint, Guest, Kernel, Need, by_width};
use pmu::driver::{Description, Registers};
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Event, Interrupted, Mode, Request};

use super::clocked;
use crate::guest::Here;
use crate::guest::unit::{self, Driver};
use crate::guest::{callers, instructions, kept, position, registers, sled, threads, user};
use crate::guest::{hold_exceptions, on_overflow, on_overflow_framed, take_exceptions};
use crate::masking::{self, Masking, masking};
use crate::{family, identity};

/// All of a short operation; of a longer one as many as a second's steps or two allow, but a dozen at
/// least, which are others on each processor and counter. Who has the patience sets `STEPS` to `u64::MAX`.
fn some_of(instructions: u64) -> impl Iterator<Item = u64> {
    const FEWEST: u64 = 12;
    const STEPS: u64 = by_width!(3_000_000, 2_000_000);
    /// A session's life around the operation, which opens, starts, stops and closes.
    const AROUND: u64 = 12_000;
    let shots = (STEPS / (AROUND + 2 * instructions)).max(FEWEST);
    let stride = instructions.div_ceil(shots);
    let first = 1 + (u64::from(identity::presented().version()) >> 16) % stride;
    (first..=instructions).step_by(stride as usize)
}

impl Kernel for Here {
    harness::from_modules! { callers instructions kept sled unit user }

    type Driver = Driver;
    const LEAD: u64 = 30_000;
    const PERIOD: u64 = 3000;
    const LONGEST_LOOP: u64 = 65_536;
    /// Where the exception is a bit of the unit's (PMAO), a stop takes it back.
    const TAKES_INTERRUPTS_BACK: bool = true;
    const VARIES: u64 = 8;
    /// A stop works out what the unit's registers shall hold, which is not done where the interrupt has just done it.
    const SPARED: u64 = by_width!(1_050, 60);
    const RESERVED: u64 = 16;
    const STEPS: bool = true;
    const PROGRAM: u64 = 100 * callers::SHARE;

    /// QEMU's own unit misses instructions, and nobody raises its exception to order.
    fn lacks(need: Need) -> Option<&'static str> {
        use Need::{Amid, Book, Instructions, Line, Modes, Orders};
        let is_hosts = matches!(need, Amid | Book | Instructions | Line | Modes | Orders);
        (is_hosts && !Self::has_book()).then_some("it takes the host and the crate's device")
    }

    /// An open and a close keep it off for longest, unless that is left to the kernel. Registers of 64 bits are worked
    /// out once more.
    fn left_on() -> u64 {
        match masking() {
            Masking::Hard => by_width!(500, 700),
            Masking::Lazy => by_width!(500, 0),
        }
    }

    fn detect() -> Driver {
        unit::detect().expect("the processor has a unit")
    }

    fn registers() -> u64 {
        Fingerprint::of(&registers::snapshot())
    }

    fn leave_something(_: &Description, variant: usize) -> bool {
        [0x0102_0304, 0x1e1e_1e1e].get(variant).map(|&value| unit::leave(value)).is_some()
    }

    fn reset_clock() {
        masking::reset_clock(family::hardware().ticks());
    }

    /// On the classic processors what problem state reads of the copies for programs does not trap.
    fn read_as_program() -> Option<fn(u32) -> u64> {
        family::shows_copies().then_some(family::read_as_user)
    }

    fn on_overflow(handler: fn(Interrupted)) {
        on_overflow(handler);
    }

    fn note_positions() {
        on_overflow(|at| harness::position::note::<Self>(at, position::of(at)));
    }

    fn note_callers() {
        on_overflow_framed(harness::claim::note_callers::<Self>);
    }

    /// A classic unit's PMXE is set by whatever lets it count.
    fn reopens_line() -> bool {
        family::reopens_line()
    }

    fn without_interrupts(_: u64, body: impl FnOnce()) {
        hold_exceptions();
        body();
        take_exceptions();
    }

    fn kinds(unit: &Description) -> CounterSet {
        clocked::kinds(unit).collect()
    }

    /// Beside others QEMU's own unit counts the instructions of a reading that has branches to registers: where the code
    /// lies decides how many it misses.
    fn exact(unit: &Description) -> CounterSet {
        clocked::exact_counters(unit)
    }

    fn request(counter: CounterId) -> Request {
        clocked::request(counter)
    }

    /// On whichever counter: a raw code that the driver knows no kind of has a longer least period.
    fn densest_request(_: CounterId) -> Request {
        Request::new(Event::INSTRUCTIONS)
    }

    fn each_impossible(unit: &Description, mut tell: impl FnMut(Request, Refusal)) {
        const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
        /// It counts cycles alone, where there are six; the 970's counts instructions too.
        const PMC6: CounterId = CounterId::new(5).unwrap();
        if unit.general.len() == 6 {
            tell(INSTRUCTIONS.pinned_to(PMC6), Refusal::CounterCannot(PMC6));
        }
    }

    fn go_round(rounds: u64) {
        position::position_loop(rounds as usize);
    }

    fn tick_after(instructions: u64) {
        threads::tick_after(instructions as usize);
    }

    fn take_ticks() {
        threads::on_tick(|frame| harness::tick::handle(Interrupted::new(frame.address as u64, Mode::Kernel)));
    }

    fn with_interrupts_masked(count: u64) {
        instructions::with_interrupts_masked(count);
    }

    fn tried(instructions: u64) -> impl Iterator<Item = u64> {
        some_of(instructions)
    }

    fn samples() -> u64 {
        if Self::has_book() { 500 } else { 1_000_000 }
    }

    /// Each instruction above the host is a step; a raw code that the driver knows no kind of has a longer least period.
    fn short_period(pmu: &Claimed<Self>, counter: CounterId) -> u64 {
        // More than eight times what an interrupt takes: no period is doubled.
        const SHORT: u64 = 1_031;
        let is_short = Self::has_book() && pmu.open([clocked::request(counter).every(SHORT)]).is_ok();
        if is_short { SHORT } else { 2003 }
    }
}
