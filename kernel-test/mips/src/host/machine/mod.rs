//! The virtual machine: enter the guest until something must happen, then make it happen.

mod calls;
mod instructions;

use core::ops::ControlFlow::{self, Break, Continue};

use pmu::arch::mips::mipsxx::{Device, PerfCtl};
use pmu::virt::{Device as _, Fault, Snapshot, Unconnected, Work};
use pmu::{CounterSet, Mode};

use super::instruction::Instruction;
use super::interrupts::Interrupts;
use super::outcome::Outcome;
use super::processor::{Costs, Processor};
use super::timer::Timer;
use crate::guest;
use crate::low::exception;
use instructions::Refused;

/// A test that retires more instructions than these hangs.
const PATIENCE: u64 = 2_000_000_000;

/// A virtual machine with a performance-monitoring unit.
pub struct Machine {
    processor: Processor,
    unit: Device<Unconnected>,
    interrupts: Interrupts,
    timer: Timer,
    ledger: Ledger,
    mode: Mode,
    fresh: Snapshot,
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
    /// How often counters have overflowed, if some do on the same instruction once.
    overflows: u64,
    /// The clock at the guest's last two marks.
    marks: [u64; 2],
    /// The counters that are on.
    counting: CounterSet,
    /// How many instructions each counter has been on for.
    counted: [u64; 4],
}

impl Ledger {
    /// The host's own book of what counters have counted.
    fn book(&mut self, instructions: u64) {
        for counter in self.counting {
            let book = &mut self.counted[usize::from(counter.number()) & 3];
            *book = book.wrapping_add(instructions);
        }
    }
}

impl Machine {
    /// A machine around `unit`.
    pub fn new(unit: Device<Unconnected>) -> Self {
        Self {
            fresh: unit.snapshot(),
            processor: Processor::new(Costs::calibrate()),
            unit,
            interrupts: Interrupts::default(),
            timer: Timer::default(),
            ledger: Ledger::default(),
            mode: Mode::Kernel,
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
            let retired = self.processor.enter(self.quantum());
            self.retire(retired);
            // An interrupt that is due comes before the instruction that left the guest.
            if self.is_interrupted() {
                continue;
            }
            if let Break(outcome) = self.handle(self.processor.exception()) {
                return outcome;
            }
        }
    }

    fn reset(&mut self, body: fn()) {
        self.processor.begin_at(guest::begin as *const () as usize, body as usize);
        self.unit.restore(self.fresh.as_bytes()).expect("a unit takes back what it was");
        self.interrupts = Interrupts::default();
        self.timer = Timer::default();
        self.mode = Mode::Kernel;
        self.ledger = Ledger::default();
        self.foresee_overflow();
    }

    fn is_interrupted(&self) -> bool {
        (self.asks() || self.timer.asks(self.ledger.clock)) && self.processor.is_interruptible()
    }

    /// Is the unit's line up?
    fn asks(&self) -> bool {
        self.interrupts.is_due(self.unit.is_asserted())
    }

    /// The timer has the same line.
    fn deliver(&mut self) {
        if self.is_interrupted() {
            if self.asks() {
                self.interrupts.take();
            }
            self.take(exception::INTERRUPT);
        }
    }

    fn take(&mut self, exception: usize) {
        self.processor.take(exception, guest::vector());
        self.set_mode();
    }

    /// How many instructions the guest may retire before the host wants to see it: up to what will happen next.
    fn quantum(&self) -> u64 {
        let Ledger { clock, alarm, release, overflow_due, .. } = self.ledger;
        let due = [alarm, release, self.timer.awaited(clock), Some(overflow_due)];
        due.into_iter().flatten().min().unwrap_or_default().saturating_sub(clock)
    }

    /// From here on the guest's instructions count in the mode that it is in.
    fn set_mode(&mut self) {
        self.tell_unit();
        self.mode = self.processor.mode();
        self.unit.set_exception(self.processor.is_at_exception_level());
        self.foresee_overflow();
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
    fn retire_with<T>(&mut self, effect: impl FnOnce(&Device<Unconnected>) -> Result<T, Fault>) -> Result<T, Fault> {
        let (before, untold, overflows) = (self.unit.snapshot(), self.ledger.untold, self.ledger.overflows);
        self.ledger.untold += 1;
        self.tell_unit();
        let result = effect(&self.unit);
        if result.is_err() {
            self.unit.restore(before.as_bytes()).expect("a unit takes back what it was");
            self.ledger.untold = untold;
            self.ledger.overflows = overflows;
            self.ledger.book((untold + 1).wrapping_neg());
            return result;
        }
        self.ledger.clock += 1;
        self.settle();
        result
    }

    fn settle(&mut self) {
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
        let before = self.overflowed();
        self.unit.advance(&Work::instructions(self.mode, self.ledger.untold));
        self.ledger.book(self.ledger.untold);
        self.ledger.untold = 0;
        self.ledger.overflows += u64::from(!self.overflowed().without(before).is_empty());
    }

    /// How many instructions a counter has been on for.
    fn counted(&mut self, counter: usize) -> u64 {
        self.tell_unit();
        self.ledger.counted.get(counter).copied().unwrap_or(0)
    }

    /// The unit has changed: asks it anew when it will overflow, and which counters are on.
    fn foresee_overflow(&mut self) {
        let steps = self.unit.until_overflow(&Work::instructions(self.mode, 1));
        self.ledger.counting = self.counting();
        self.ledger.overflow_due = self.ledger.clock + steps.unwrap_or(PATIENCE).min(PATIENCE);
    }

    /// The counters that are on in the guest's mode, by what stands in their controls.
    fn counting(&self) -> CounterSet {
        let wanted = match self.mode {
            Mode::User => PerfCtl::USER,
            _ if self.processor.is_at_exception_level() => PerfCtl::EXCEPTION,
            _ => PerfCtl::KERNEL,
        };
        let is_on = |control: u32| PerfCtl::from_bits_retain(control).contains(wanted);
        set(self.unit.state().controls.map(is_on))
    }

    /// The counters whose top bit is set.
    fn overflowed(&self) -> CounterSet {
        let top = 1 << (crate::identity::presented().capabilities().width.bits() - 1);
        set(self.unit.state().counters.map(|value| value & top != 0))
    }

    fn handle(&mut self, exception: usize) -> ControlFlow<Outcome> {
        match exception {
            exception::INTERRUPT => Continue(()),
            _ if self.processor.is_in_delay_slot() => Break(self.grief(exception)),
            exception::BREAKPOINT => {
                self.retire(1);
                self.ledger.marks = [self.ledger.marks[1], self.ledger.clock];
                self.processor.skip();
                Continue(())
            }
            exception::COPROCESSOR_UNUSABLE => {
                match self.carry_out(Instruction::decode(self.processor.instruction())) {
                    Ok(()) => Continue(()),
                    Err(Refused) => self.refuse(exception),
                }
            }
            exception::SYSTEM_CALL => {
                self.retire(1);
                self.processor.skip();
                self.answer()
            }
            exception => Break(self.grief(exception)),
        }
    }

    /// The instruction is nothing that the host would carry out: the guest hears of it, unless it is its kernel, which has
    /// no handler for that.
    fn refuse(&mut self, exception: usize) -> ControlFlow<Outcome> {
        if self.processor.mode() == Mode::Kernel {
            return Break(self.grief(exception));
        }
        self.take(exception);
        Continue(())
    }

    fn grief(&self, number: usize) -> Outcome {
        let (address, instruction) = (self.processor.address(), self.processor.instruction());
        Outcome::Exception { number, address, instruction }
    }
}

fn set(counters: [bool; 4]) -> CounterSet {
    CounterSet::from_bits((0..).zip(counters).fold(0, |bits, (number, is_in)| bits | u64::from(is_in) << number))
}
