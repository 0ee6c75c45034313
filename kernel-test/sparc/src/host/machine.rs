//! The virtual machine: enter the guest until something must happen, then make it happen.
//!
//! The guest runs in user state, from trap to trap, and is left after as many instructions as the host wants. So every
//! count is exact, and an interrupt comes at its very instruction. Privileged instructions leave it by themselves.

use core::ops::ControlFlow::{self, Break, Continue};

use harness::{Call, Fact};
use pmu::arch::sparc::Asr;
use pmu::virt::{Fault, Kind, Kinds, Snapshot, Work};
use pmu::{CounterSet, Mode};

use super::instruction::{Instruction, Source};
use super::interrupts::Interrupts;
use super::outcome::Outcome;
use super::processor::{DISABLED, Processor, SOFT_15, SOFT_TICK};
use super::stepped;
use super::unit::{Unit, Wire};
use crate::guest;
use crate::identity::Identity;
use crate::low::trap;
use crate::platform;

/// A test that retires more instructions than these hangs.
const PATIENCE: u64 = 4_000_000_000;
/// The guest is left at least so often.
const LONGEST: u64 = 1 << 32;

/// A virtual machine with a performance-monitoring unit.
pub struct Machine<'k, U: Unit> {
    processor: Processor,
    unit: U,
    identity: &'static Identity,
    interrupts: Interrupts,
    ledger: Ledger,
    mode: Mode,
    fresh: Snapshot,
    /// What the guest is stepped for.
    stepped: Kinds,
    wire: &'k Wire,
}

/// What the host knows of the guest's time; all in instructions of the guest.
#[derive(Default)]
struct Ledger {
    /// Retired so far.
    clock: u64,
    /// Those of them that the unit has not been told of yet.
    untold: u64,
    /// The clock at which the unit overflows next, if nobody writes to it.
    overflow_due: u64,
    /// When to raise an interrupt that no counter asked for.
    alarm: Option<u64>,
    /// Until when interrupts are kept back.
    release: Option<u64>,
    /// How often the unit has interrupted.
    overflows: u64,
    /// The clock at the guest's last two marks.
    marks: [u64; 2],
    /// The counters that are on.
    counting: CounterSet,
    /// How many instructions each counter has been on for.
    counted: [u64; 2],
}

impl Ledger {
    /// The host's own book of what counters have counted.
    fn book(&mut self, instructions: u64) {
        for counter in self.counting {
            self.counted[usize::from(counter.number()) & 1] += instructions;
        }
    }
}

/// The instruction is not the host's to carry out.
struct Refused;

impl From<Fault> for Refused {
    fn from(_: Fault) -> Self {
        Self
    }
}

impl<'k, U: Unit> Machine<'k, U> {
    /// A machine around `unit`, whose trigger is `wire`. It steps its guest while a counter wants any of `stepped`.
    pub fn new(unit: U, wire: &'k Wire, identity: &'static Identity, stepped: Kinds) -> Self {
        Self {
            fresh: unit.snapshot(),
            processor: Processor::default(),
            unit,
            identity,
            interrupts: Interrupts::default(),
            ledger: Ledger::default(),
            mode: Mode::Kernel,
            stepped,
            wire,
        }
    }

    /// Runs `body` as a fresh guest to its end, whatever that is.
    pub fn run(&mut self, body: fn()) -> Outcome {
        self.reset(body);
        loop {
            self.deliver();
            if self.ledger.clock >= PATIENCE {
                return Outcome::OutOfPatience(PATIENCE);
            }
            if self.is_stepped() {
                self.step()
            } else {
                self.go_on()
            }
            // An interrupt that is due comes before the instruction that left the guest.
            if self.is_interrupted() {
                continue;
            }
            if let Break(outcome) = self.handle(self.processor.trap()) {
                return outcome;
            }
        }
    }

    /// Lets the guest go on until something is due.
    fn go_on(&mut self) {
        let retired = self.processor.enter(self.quantum());
        self.retire(retired);
    }

    /// Does a counter want what only a single step tells?
    fn is_stepped(&self) -> bool {
        self.unit.wanted().intersects(self.stepped)
    }

    /// Lets the guest execute one instruction, and tells the unit what it was.
    fn step(&mut self) {
        let (from, instruction) = (self.processor.cursor(), self.processor.instruction());
        let retired = self.processor.enter(1);
        assert!(retired <= 1, "{retired} instructions in one step");
        if retired == 1 {
            let did = stepped::kinds(instruction, from, self.processor.cursor());
            let of = |work: Work, kind| if did.contains(kind) { work.with(kind, 1) } else { work };
            self.unit.advance(&Kind::ALL.into_iter().fold(Work::none(self.mode), of));
        }
        self.retire(retired);
    }

    fn reset(&mut self, body: fn()) {
        self.processor.begin_at(guest::begin, body as usize as u64);
        self.unit.restore(self.fresh.as_bytes()).expect("a unit takes back what it was");
        self.wire.take();
        self.interrupts = Interrupts::default();
        self.mode = Mode::Kernel;
        self.ledger = Ledger::default();
        self.foresee_overflow();
    }

    fn is_interrupted(&self) -> bool {
        self.asks() && self.processor.is_interruptible(15) || self.ticks() && self.processor.is_interruptible(14)
    }

    /// Is there an interrupt of level 15?
    fn asks(&self) -> bool {
        self.interrupts.is_due(self.processor.soft & SOFT_15 != 0)
    }

    /// Is there one of level 14?
    fn ticks(&self) -> bool {
        self.processor.soft & SOFT_TICK != 0
    }

    fn deliver(&mut self) {
        if self.asks() && self.processor.is_interruptible(15) {
            self.interrupts.take();
            self.processor.take(trap::OVERFLOW);
        } else if self.ticks() && self.processor.is_interruptible(14) {
            self.processor.take(trap::TICK);
        }
        self.set_mode();
    }

    /// How many instructions the guest may retire before the host wants to see it: up to what will happen next.
    fn quantum(&self) -> u64 {
        let compare = Some(self.processor.compare).filter(|compare| compare & DISABLED == 0);
        let due = [self.ledger.alarm, self.ledger.release, compare, Some(self.ledger.overflow_due)];
        let next = due.into_iter().flatten().filter(|&due| due > self.ledger.clock).min();
        next.map_or(LONGEST, |next| (next - self.ledger.clock).min(LONGEST))
    }

    /// From here on the guest's instructions count in the mode that it is in.
    fn set_mode(&mut self) {
        if self.processor.mode() != self.mode {
            self.tell_unit();
            self.mode = self.processor.mode();
            self.foresee_overflow();
        }
    }

    /// These instructions of the guest have retired. The unit is told of them when it matters.
    fn retire(&mut self, instructions: u64) {
        self.ledger.clock += instructions;
        self.ledger.untold += instructions;
        if self.ledger.clock >= self.ledger.overflow_due {
            self.tell_unit();
        }
        self.settle();
    }

    /// Retires an instruction with this effect on the unit; if that is a fault, it does not retire.
    fn retire_with<T>(&mut self, effect: impl FnOnce(&U) -> Result<T, Fault>) -> Result<T, Fault> {
        let (before, untold) = (self.unit.snapshot(), self.ledger.untold);
        self.ledger.untold += 1;
        self.tell_unit();
        let result = effect(&self.unit);
        if result.is_err() {
            self.unit.restore(before.as_bytes()).expect("a unit takes back what it was");
            self.ledger.untold = untold;
            self.ledger.counted = self.ledger.counted.map(|counted| counted.saturating_sub(untold + 1));
            self.wire.take();
            return result;
        }
        self.ledger.clock += 1;
        self.foresee_overflow();
        self.settle();
        result
    }

    fn settle(&mut self) {
        if self.wire.take() {
            self.processor.soft |= SOFT_15;
            self.ledger.overflows += 1;
        }
        if self.ledger.clock >= self.ledger.overflow_due {
            self.foresee_overflow();
        }
        if self.ledger.alarm.is_some_and(|alarm| alarm <= self.ledger.clock) {
            self.ledger.alarm = None;
            self.processor.soft |= SOFT_15;
        }
        if self.ledger.release.is_some_and(|release| release <= self.ledger.clock) {
            self.ledger.release = None;
            self.interrupts.release();
        }
        if self.processor.compare <= self.ledger.clock {
            self.processor.compare = DISABLED;
            self.processor.soft |= SOFT_TICK;
        }
    }

    fn tell_unit(&mut self) {
        self.unit.advance(&Work::instructions(self.mode, self.ledger.untold));
        self.ledger.book(self.ledger.untold);
        self.ledger.untold = 0;
    }

    /// How many instructions a counter has been on for.
    fn counted(&mut self, counter: u64) -> u64 {
        self.tell_unit();
        self.ledger.counted.get(counter as usize).copied().unwrap_or(0)
    }

    /// The unit has changed: asks it anew when it will overflow, and which counters are on.
    fn foresee_overflow(&mut self) {
        self.tell_unit();
        let steps = self.unit.until_overflow(&Work::instructions(self.mode, 1));
        self.ledger.counting = self.unit.counting(self.mode);
        self.ledger.overflow_due = self.ledger.clock + steps.unwrap_or(LONGEST).min(LONGEST);
    }

    fn handle(&mut self, trap: u64) -> ControlFlow<Outcome> {
        match trap {
            trap::TICK => Continue(()),
            trap::CALL => {
                self.retire(1);
                self.processor.skip();
                self.answer()
            }
            trap::MARK => {
                let [_, last] = self.ledger.marks;
                self.ledger.marks = [last, self.ledger.clock];
                self.retire(1);
                self.processor.skip();
                Continue(())
            }
            trap::LEAVE if self.mode == Mode::User => {
                self.retire(1);
                self.processor.take(trap);
                self.set_mode();
                Continue(())
            }
            trap::ILLEGAL | trap::PRIVILEGED | trap::PRIVILEGED_ACTION => match self.carry_out() {
                Ok(()) => Continue(()),
                Err(Refused) => self.refuse(trap),
            },
            trap => Break(self.grief(trap)),
        }
    }

    /// The instruction is nothing that the host would carry out: the guest hears of it, unless it is its kernel, which has
    /// no handler for that.
    fn refuse(&mut self, trap: u64) -> ControlFlow<Outcome> {
        if self.mode == Mode::Kernel && !guest::probe::is_probe(self.processor.address()) {
            return Break(self.grief(trap));
        }
        self.processor.take(trap::ILLEGAL);
        self.set_mode();
        Continue(())
    }

    fn grief(&self, trap: u64) -> Outcome {
        Outcome::Trap { trap, address: self.processor.address(), instruction: self.processor.instruction() }
    }

    fn carry_out(&mut self) -> Result<(), Refused> {
        let instruction = Instruction::decode(self.processor.instruction());
        if let Instruction::ReadState { register, number: 17 } = instruction {
            self.read_unit(register, Asr::Pic)?;
            self.processor.skip();
            return Ok(());
        }
        if self.mode == Mode::User {
            return Err(Refused);
        }
        match instruction {
            Instruction::ReadState { register, number } => self.read_state(register, number)?,
            Instruction::WriteState { number, source } => self.write_state(number, source)?,
            Instruction::ReadPrivileged { register, number } => self.read_privileged(register, number)?,
            Instruction::WritePrivileged { number, source } => self.write_privileged(number, source)?,
            Instruction::Retry => return Ok(self.leave_trap(Processor::retry)),
            Instruction::Done => return Ok(self.leave_trap(Processor::done)),
            Instruction::Restore | Instruction::Unknown => return Err(Refused),
        }
        self.processor.skip();
        Ok(())
    }

    fn leave_trap(&mut self, leave: fn(&mut Processor)) {
        self.retire(1);
        leave(&mut self.processor);
        self.set_mode();
    }

    fn read_unit(&mut self, register: usize, at: Asr) -> Result<(), Refused> {
        let mode = self.mode;
        let value = self.retire_with(|unit| unit.read(mode, at))?;
        self.processor.set_register(register, value);
        Ok(())
    }

    /// RD of what is no unit's: SOFTINT and `TICK_CMPR`.
    fn read_state(&mut self, register: usize, number: u8) -> Result<(), Refused> {
        if let Some(at) = Asr::from_number(number) {
            return self.read_unit(register, at);
        }
        let value = match number {
            22 => self.processor.soft,
            23 => self.processor.compare,
            _ => return Err(Refused),
        };
        self.retire(1);
        self.processor.set_register(register, value);
        Ok(())
    }

    /// WR: the unit's, SET_SOFTINT, CLEAR_SOFTINT, SOFTINT, `TICK_CMPR`.
    fn write_state(&mut self, number: u8, source: Source) -> Result<(), Refused> {
        let value = self.processor.value(source);
        if let Some(at) = Asr::from_number(number) {
            self.retire_with(|unit| unit.try_write(at, value))?;
            return Ok(());
        }
        let register = match number {
            20..=22 => &mut self.processor.soft,
            23 => &mut self.processor.compare,
            _ => return Err(Refused),
        };
        match number {
            20 => *register |= value,
            21 => *register &= !value,
            _ => *register = value,
        }
        self.retire(1);
        Ok(())
    }

    fn read_privileged(&mut self, register: usize, number: u8) -> Result<(), Refused> {
        const VERSION: u8 = 31;
        self.retire(1);
        let value = match number {
            0..=3 => self.processor.trapped[usize::from(number)],
            4 => self.ledger.clock,
            5 => self.processor.table,
            6 => self.processor.state,
            7 => self.processor.level,
            8 => self.processor.priority,
            VERSION => self.identity.version().bits(),
            _ => return Err(Refused),
        };
        self.processor.set_register(register, value);
        Ok(())
    }

    fn write_privileged(&mut self, number: u8, source: Source) -> Result<(), Refused> {
        let value = self.processor.value(source);
        self.retire(1);
        match number {
            0..=3 => self.processor.trapped[usize::from(number)] = value,
            5 => self.processor.table = value,
            6 => self.processor.set_state(value),
            7 => self.processor.level = value,
            8 => self.processor.priority = value,
            _ => return Err(Refused),
        }
        self.set_mode();
        Ok(())
    }

    /// `ta 0`, which has retired.
    fn answer(&mut self) -> ControlFlow<Outcome> {
        const FIRST: usize = 8;
        let [number, first, second] = [FIRST, FIRST + 1, FIRST + 2].map(|number| self.processor.register(number));
        match Call::from_number(number) {
            Some(Call::Passed) => return Break(Outcome::Passed),
            Some(Call::Failed) => return Break(Outcome::Failed(text(first, second))),
            Some(Call::Truth) => {
                let fact = Fact::from_number(first).map_or(0, |fact| self.truth(fact, second));
                self.processor.set_register(FIRST, fact);
            }
            Some(Call::InterruptAfter) if first == 0 => self.processor.soft |= SOFT_15,
            Some(Call::InterruptAfter) => self.ledger.alarm = Some(self.ledger.clock + first),
            Some(Call::HoldInterrupts) => {
                self.interrupts.hold();
                self.ledger.release = Some(self.ledger.clock + first);
            }
            Some(Call::Print) => platform::print(text(first, second)),
            _ => return Break(Outcome::Failed("the guest made a call that there is not")),
        }
        Continue(())
    }

    fn truth(&mut self, fact: Fact, counter: u64) -> u64 {
        match fact {
            // The question itself has retired.
            Fact::Retired => self.ledger.clock - 1,
            Fact::Overflows => self.ledger.overflows,
            Fact::Interrupts => self.interrupts.taken(),
            Fact::Unfed => self.unit.unfed().bits(),
            Fact::Counted => self.counted(counter),
            Fact::Stopwatch => self.ledger.marks[1] - self.ledger.marks[0],
            fact => unreachable!("no test asks here for {fact:?}"),
        }
    }
}

/// The guest's words, which lie in the host's memory too.
fn text(address: u64, length: u64) -> &'static str {
    // SAFETY: the guest is this kernel's own code and hands over a buffer that it leaves alone for as long as the host
    // reads it.
    let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, length as usize) };
    core::str::from_utf8(bytes).unwrap_or("a reason that is not text")
}
