//! The virtual machine: enter the guest until something must happen, then make it happen.
//!
//! The guest is problem state, stepped from instruction to instruction: a dozen instructions behind
//! the trace vector count down, and leave it where the host wants to be. So every count is exact, on
//! any of QEMU's clocks; and privileged instructions leave it by themselves.

mod calls;
mod instructions;

use core::ops::ControlFlow::{self, Break, Continue};

use pmu::virt::{Fault, Snapshot, Work};
use pmu::{CounterSet, Mode};

use super::decrementer::Decrementer;
use super::instruction::Instruction;
use super::interrupts::Interrupts;
use super::outcome::Outcome;
use super::processor::Processor;
use super::unit::{Unit, Wire};
use crate::family;
use crate::guest::{self, entry};
use crate::identity::Identity;
use crate::low::vector;
use instructions::Refused;

/// A test that retires more instructions than these hangs.
const PATIENCE: u64 = 400_000_000;

/// A virtual machine with a performance-monitoring unit.
pub struct Machine<'k, U: Unit> {
    pub(super) processor: Processor,
    pub(super) unit: U,
    pub(super) identity: &'static Identity,
    pub(super) interrupts: Interrupts,
    pub(super) decrementer: Decrementer,
    pub(super) ledger: Ledger,
    mode: Mode,
    fresh: Snapshot,
    wire: &'k Wire,
}

/// What the host knows of the guest's time; all in instructions of the guest.
#[derive(Default)]
pub(super) struct Ledger {
    /// Retired so far.
    pub clock: u64,
    /// Those of them that the unit has not been told of yet.
    untold: u64,
    /// The clock at which the unit overflows next, if nobody writes to it.
    overflow_due: u64,
    /// When to raise an exception that no counter asked for.
    pub alarm: Option<u64>,
    /// Until when exceptions are kept back.
    pub release: Option<u64>,
    /// How often counters have overflowed, if some do on the same instruction once.
    pub overflows: u64,
    /// The clock at the guest's last two marks.
    pub marks: [u64; 2],
    /// The counters that are on.
    counting: CounterSet,
    /// How many instructions each counter has been on for.
    counted: [u64; 8],
}

impl Ledger {
    /// The host's own book of what counters have counted.
    fn book(&mut self, instructions: u64) {
        for counter in self.counting {
            let book = &mut self.counted[usize::from(counter.number()) & 7];
            *book = book.wrapping_add(instructions);
        }
    }
}

impl<'k, U: Unit> Machine<'k, U> {
    /// A machine around `unit`, whose trigger is `wire`.
    pub fn new(unit: U, wire: &'k Wire, identity: &'static Identity) -> Self {
        Self {
            fresh: unit.snapshot(),
            processor: Processor::default(),
            unit,
            identity,
            interrupts: Interrupts::default(),
            decrementer: Decrementer::default(),
            ledger: Ledger::default(),
            mode: Mode::Kernel,
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
            if self.spare_a_step() {
                continue;
            }
            let vector = self.pass();
            // An exception that is due comes before the instruction that left the guest, but for one
            // that has retired.
            if vector != vector::SYSTEM_CALL && self.is_interrupted() {
                continue;
            }
            if let Break(outcome) = self.handle(vector) {
                return outcome;
            }
        }
    }

    fn reset(&mut self, body: fn()) {
        self.processor.begin_at(guest::begin_in_host, body as usize);
        self.unit.restore(self.fresh.as_bytes()).expect("a unit takes back what it was");
        self.wire.reset();
        self.interrupts = Interrupts::default();
        self.decrementer = Decrementer::default();
        self.mode = Mode::Kernel;
        self.ledger = Ledger::default();
        self.foresee_overflow();
    }

    fn is_interrupted(&self) -> bool {
        let asks = self.asks() || self.decrementer.asks(self.ledger.clock);
        asks && self.processor.is_interruptible()
    }

    /// Is there a performance monitor exception?
    fn asks(&self) -> bool {
        self.interrupts.is_due(self.wire.is_up())
    }

    /// Where the guest takes it: on book E it has said that itself.
    fn entry(&self) -> usize {
        if family::has_vectors_of_its_own() { self.processor.performance_monitor() } else { guest::exception_entry() }
    }

    fn deliver(&mut self) {
        if !self.is_interrupted() {
            return;
        }
        if self.asks() {
            self.interrupts.take();
            self.unit.taken();
            if !U::HOLDS_LINE {
                self.wire.lower();
            }
            self.processor.take(self.entry());
        } else {
            self.decrementer.take();
            self.processor.take(guest::threads::entry());
        }
        self.set_mode();
    }

    /// Into the guest and out again; returns the exception that it was left by.
    fn pass(&mut self) -> usize {
        let quantum = self.quantum();
        self.unit.set_position(self.processor.address());
        let retired = self.processor.enter(quantum);
        self.retire(retired);
        self.processor.vector()
    }

    /// How many instructions the guest may retire before the host wants to see it: up to what will
    /// happen next, and before the last of them once more, which is the one that a sample is of.
    pub(super) fn quantum(&self) -> usize {
        let due = [
            self.ledger.alarm,
            self.ledger.release,
            self.decrementer.awaited(self.ledger.clock),
            Some(self.ledger.overflow_due),
        ];
        let next = due.into_iter().flatten().min().unwrap_or_default();
        next.saturating_sub(self.ledger.clock + 1).max(1) as usize
    }

    /// From here on the guest's instructions count in the mode that it is in.
    pub(super) fn set_mode(&mut self) {
        if self.processor.mode() != self.mode {
            self.tell_unit();
            self.mode = self.processor.mode();
            self.foresee_overflow();
        }
    }

    /// These instructions of the guest have retired. The unit is told of them when it matters.
    pub(super) fn retire(&mut self, instructions: u64) {
        self.ledger.clock += instructions;
        self.ledger.untold += instructions;
        if self.ledger.clock >= self.ledger.overflow_due {
            self.tell_unit();
        }
        self.settle();
    }

    /// Retires an instruction with this effect on the unit; if that is a fault, it does not retire.
    pub(super) fn retire_with<T>(&mut self, effect: impl FnOnce(&U) -> Result<T, Fault>) -> Result<T, Fault> {
        let (before, untold, overflows) = (self.unit.snapshot(), self.ledger.untold, self.ledger.overflows);
        self.ledger.untold += 1;
        self.tell_unit();
        let result = effect(&self.unit);
        if result.is_err() {
            self.unit.restore(before.as_bytes()).expect("a unit takes back what it was");
            self.ledger.untold = untold;
            self.ledger.overflows = overflows;
            self.ledger.book((untold + 1).wrapping_neg());
            self.wire.reset();
            return result;
        }
        self.ledger.clock += 1;
        self.settle();
        result
    }

    fn settle(&mut self) {
        self.notice_overflow();
        if self.ledger.clock >= self.ledger.overflow_due {
            self.foresee_overflow();
        }
        if self.ledger.alarm.is_some_and(|alarm| alarm <= self.ledger.clock) {
            self.ledger.alarm = None;
            self.interrupts.forge();
        }
        if self.ledger.release.is_some_and(|release| release <= self.ledger.clock) {
            self.ledger.release = None;
            self.interrupts.release();
        }
    }

    fn tell_unit(&mut self) {
        let before = self.unit.negative();
        self.unit.advance(&Work::instructions(self.mode, self.ledger.untold));
        self.ledger.book(self.ledger.untold);
        self.ledger.untold = 0;
        self.ledger.overflows += u64::from(!self.unit.negative().without(before).is_empty());
    }

    /// So many instructions retire in hypervisor state: the unit sees them, and the guest's book does not.
    pub(super) fn hypervise(&mut self, instructions: u64) {
        self.tell_unit();
        self.unit.advance(&Work::instructions(Mode::Hypervisor, instructions));
        self.foresee_overflow();
    }

    /// How many instructions a counter has been on for.
    pub(super) fn counted(&mut self, counter: usize) -> u64 {
        self.tell_unit();
        self.ledger.counted.get(counter).copied().unwrap_or(0)
    }

    /// The unit has changed: asks it anew when it will overflow, and what it wants to know.
    pub(super) fn foresee_overflow(&mut self) {
        let steps = self.unit.until_overflow(&Work::instructions(self.mode, 1));
        self.ledger.counting = self.unit.counting(self.mode);
        self.ledger.overflow_due = self.ledger.clock + steps.unwrap_or(PATIENCE).min(PATIENCE);
    }

    fn notice_overflow(&mut self) {
        if self.wire.take() {
            self.foresee_overflow();
        }
    }

    fn spare_a_step(&mut self) -> bool {
        let instruction = Instruction::decode(self.processor.instruction());
        instruction.is_hosts() && self.carry_out(instruction).is_ok()
    }

    fn handle(&mut self, vector: usize) -> ControlFlow<Outcome> {
        match vector {
            vector::TRACE => Continue(()),
            vector::PROGRAM | vector::FACILITY_UNAVAILABLE => {
                let instruction = self.processor.instruction();
                match self.carry_out(Instruction::decode(instruction)) {
                    Ok(()) => Continue(()),
                    Err(Refused) => self.refuse(vector),
                }
            }
            vector::SYSTEM_CALL => {
                self.retire(1);
                self.answer()
            }
            vector => Break(self.failure(vector)),
        }
    }

    /// The instruction is nothing that the host would carry out: the guest hears of it, unless it is
    /// its kernel, which has no handler for that.
    fn refuse(&mut self, vector: usize) -> ControlFlow<Outcome> {
        if self.processor.mode() == Mode::Kernel && !guest::probe::is_probe(self.processor.address()) {
            return Break(self.failure(vector));
        }
        self.processor.take(entry::program());
        self.set_mode();
        Continue(())
    }

    fn failure(&self, vector: usize) -> Outcome {
        let (address, instruction) = (self.processor.address(), self.processor.instruction());
        Outcome::Exception { vector, address, instruction }
    }
}
