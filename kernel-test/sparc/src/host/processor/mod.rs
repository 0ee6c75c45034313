//! The virtual processor: the registers that user state cannot have, and what the host does to them.
//!
//! "The SPARC Architecture Manual, Version 9", section 5.2, "Privileged Registers"; "UltraSPARC User's Manual", section
//! 6.4, "Ancillary State Registers", for the alternate globals, SOFTINT and `TICK_CMPR`.

mod instructions;

use core::mem::swap;

use harness::host::{self, Exit, Interrupt, Latch, Ledger, Machine, Refused, Trap};
use harness::world::as_guest;
use pmu::virt::{Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

use super::registers::{self, frame, register, set_register};
use super::stepped;
use super::unit::Unit;
use crate::frame::Frame;
use crate::guest;
use crate::low::{self, trap};
use instructions::Instruction;

/// PSTATE: the alternate globals; interrupts are taken; privileged; floating point.
const ALTERNATE: u64 = 1 << 0;
const ENABLE: u64 = 1 << 1;
const PRIVILEGED: u64 = 1 << 2;
const FLOATING: u64 = 1 << 4;
/// Where PSTATE is in TSTATE, and what else is there: condition codes and ASI.
const PSTATE_SHIFT: u32 = 8;
const CODES_AND_ASI: u64 = 0xffff << 24;
/// ASI_PRIMARY
const PRIMARY: u64 = 0x80 << 24;
/// The guest runs in user state, and each interrupt is taken.
const REAL: u64 = (ENABLE | FLOATING) << PSTATE_SHIFT;
/// The size of an entry in a trap table.
const ENTRY: u64 = 32;

/// The bits of SOFTINT that ask for an interrupt of level 14 by the clock, and of level 15.
const SOFT_TICK: u64 = 1;
const SOFT_15: u64 = 1 << 15;
/// In TICK_CMPR: no interrupt comes.
const DISABLED: u64 = 1 << 63;

/// Instructions between the two readings of the clock that are none of the guest's, if it was left by its own instruction
/// and if it was left by an interrupt. Found by experiment, and confirmed by every test: [`crate::tests`] has loops of a
/// known length.
const AROUND_TRAP: u64 = 11;
const AROUND_INTERRUPT: u64 = 10;
/// Instructions from the first reading of the clock to the guest's first.
const BEFORE: u64 = 9;

/// The register of a call's number and of its answer, before those of its arguments: %o0.
const NUMBER: usize = 8;

/// One virtual processor, which shares the host's memory.
#[derive(Default)]
pub struct Processor {
    /// PSTATE
    state: u64,
    /// TPC, TNPC, TSTATE and TT
    trapped: [u64; 4],
    /// TL
    level: u64,
    /// TBA
    table: u64,
    /// PIL
    priority: u64,
    /// SOFTINT, but for the bit of level 15, and for the clock's before the kernel has written to it.
    soft: u64,
    /// What the clock was when TICK read 0.
    reset: u64,
    /// The other set of globals.
    hidden: [u64; 8],
    /// What the guest is stepped for.
    stepped: Kinds,
}

impl Processor {
    /// A processor whose guest is stepped while a counter wants any of this.
    pub fn new(stepped: Kinds) -> Self {
        Self { state: PRIVILEGED | FLOATING, stepped, ..Self::default() }
    }

    /// What it takes longer to the first instruction's end if that goes back to a caller: its window is in memory, because
    /// all were flushed when the guest was left.
    fn filling() -> u64 {
        if Instruction::next() == Instruction::Restore { low::WINDOW } else { 0 }
    }

    /// Goes to the kernel's table.
    fn take_trap(&mut self, trap: u64) {
        let frame = frame();
        let state = frame.state & CODES_AND_ASI | self.state << PSTATE_SHIFT;
        self.trapped = [frame.address, frame.next, state, trap];
        self.level += 1;
        self.set_state(PRIVILEGED | FLOATING | ALTERNATE);
        let entry = self.table + trap * ENTRY;
        registers::go_to([entry, entry + 4]);
    }

    /// Goes on where this says, which is told TPC and TNPC.
    fn leave_trap(&mut self, to: fn(u64, u64) -> [u64; 2]) {
        let [address, next, state, _] = self.trapped;
        registers::go_to(to(address, next));
        frame().state = state & CODES_AND_ASI;
        self.level = 0;
        self.set_state(state >> PSTATE_SHIFT & 0xfff);
    }

    /// Sets PSTATE, which may bring the other set of globals.
    fn set_state(&mut self, state: u64) {
        if (self.state ^ state) & ALTERNATE != 0 {
            swap(&mut frame().globals, &mut self.hidden);
        }
        self.state = state;
    }
}

impl<U: Unit> host::Processor<U> for Processor {
    const PATIENCE: u64 = 4_000_000_000;
    const LATCH: Latch = Latch::UntilCleared;

    fn begin(&mut self, body: fn()) {
        *self = Self::new(self.stepped);
        let entry = guest::begin as *const () as u64;
        let mut begun = Frame { address: entry, next: entry + 4, state: PRIMARY, ..Frame::NOTHING };
        (begun.outs[0], begun.outs[6]) = (body as usize as u64, low::stack_pointer(low::guest_stack()));
        *frame() = begun;
    }

    fn enter(&mut self, instructions: u64) -> u64 {
        let low = low::low();
        // SAFETY: the guest is this kernel's own code, in the state that `begin` has made. One processor runs, and while it is
        // the host's nobody else has this memory.
        unsafe {
            (*low).frame.state = (*low).frame.state & CODES_AND_ASI | REAL;
            (&raw mut (*low).deadline).write_volatile(BEFORE + instructions + Self::filling());
            as_guest(|| low::enter_guest(low));
            let around = if (*low).trap == trap::TICK { AROUND_INTERRUPT } else { AROUND_TRAP };
            instructions_at((*low).left) - instructions_at((*low).entered) - around - (*low).windows
        }
    }

    /// Steps the guest while a counter wants what only a single step tells.
    fn go_on(host: &mut Machine<'_, Self, U>) {
        if !host.unit.wanted().intersects(host.processor.stepped) {
            return host.go_on();
        }
        let (from, instruction) = (*frame(), registers::instruction());
        let retired = <Self as host::Processor<U>>::enter(&mut host.processor, 1);
        assert!(retired <= 1, "{retired} instructions in one step");
        if retired == 1 {
            let (did, told) = (stepped::kinds(instruction, &from, frame()), host.processor.stepped);
            let is_told = |kind| did.contains(kind) && told.contains(kind);
            let of = |work: Work, kind| if is_told(kind) { work.with(kind, 1) } else { work };
            host.happen(|mode| Kind::ALL.into_iter().fold(Work::none(mode), of));
        }
        host.retire(retired);
    }

    fn exit(&self) -> Exit {
        // SAFETY: as in `enter`.
        match unsafe { (&raw const (*low::low()).trap).read_volatile() } {
            trap::TICK => Exit::Pause,
            trap::CALL => Exit::Call,
            trap::MARK => Exit::Mark,
            trap @ (trap::ILLEGAL | trap::PRIVILEGED | trap::PRIVILEGED_ACTION) => Exit::Instruction(trap),
            trap => Exit::Other(trap),
        }
    }

    fn address(&self) -> u64 {
        frame().address
    }

    fn skip(&mut self) {
        registers::skip();
    }

    fn mode(&self) -> Mode {
        if self.state & PRIVILEGED == 0 { Mode::User } else { Mode::Kernel }
    }

    fn arguments(&self) -> [u64; 3] {
        [NUMBER, NUMBER + 1, NUMBER + 2].map(register)
    }

    fn set_answer(&mut self, answer: u64) {
        set_register(NUMBER, answer);
    }

    fn accepts(&self, interrupt: Interrupt) -> bool {
        let level = if interrupt == Interrupt::Overflow { 15 } else { 14 };
        self.state & ENABLE != 0 && self.priority < level
    }

    fn ticks(&self, ledger: &Ledger) -> bool {
        ledger.ticks() || self.soft & SOFT_TICK != 0
    }

    fn take(host: &mut Machine<'_, Self, U>, trap: Trap) {
        host.processor.take_trap(match trap {
            Trap::Interrupt(Interrupt::Overflow) => trap::OVERFLOW,
            Trap::Interrupt(Interrupt::Tick) => trap::TICK,
            Trap::Call => trap::CALL,
            Trap::Refused(_) => trap::ILLEGAL,
        });
    }

    fn carry_out(host: &mut Machine<'_, Self, U>) -> Result<(), Refused> {
        instructions::carry_out(host)
    }

    fn is_probe(&self) -> bool {
        guest::probe::is_probe(frame().address)
    }

    fn counting(&self, unit: &U, mode: Mode) -> CounterSet {
        unit.counting(mode)
    }

    fn negative(_: &U) -> Option<CounterSet> {
        None
    }
}

/// How many instructions had retired when %tick read this: 16 ns each, and 10 ns a tick.
fn instructions_at(ticks: u64) -> u64 {
    (ticks * 10).div_ceil(16)
}
