//! The virtual machine: enter the guest until something must happen, then make it happen.

use core::fmt;
use core::ops::ControlFlow::{self, Break, Continue};

use pmu::Mode;
use pmu::virt::{Device, Fault, Snapshot, Work};

use super::ledger::{Ledger, is_due};
use super::wire::{Mischief, Wire};
use super::{Exit, Interrupt, Latch, Outcome, Processor, Refused, Trap};
use crate::Words;

/// A virtual machine with a performance-monitoring unit.
pub struct Machine<'k, P, U> {
    /// The guest's registers.
    pub processor: P,
    /// The unit in software.
    pub unit: U,
    /// The line from the one to the other.
    pub wire: &'k Wire,
    /// The guest's time.
    pub ledger: Ledger,
    pub(super) mischief: Mischief,
    mode: Mode,
    fresh: Snapshot,
}

/// What an access that is refused leaves as it was.
struct Kept {
    unit: Snapshot,
    wire: [bool; 2],
    untold: u64,
    overflows: u64,
}

impl<'k, P: Processor<U>, U: Device> Machine<'k, P, U> {
    /// A machine around `unit`, whose trigger is `wire`.
    pub fn new(processor: P, unit: U, wire: &'k Wire) -> Self {
        let fresh = unit.snapshot();
        Self {
            processor,
            unit,
            wire,
            ledger: Ledger::default(),
            mischief: Mischief::default(),
            mode: Mode::Kernel,
            fresh,
        }
    }

    /// Makes `body` a fresh guest, which is about to begin.
    pub(super) fn begin(&mut self, body: fn()) {
        self.processor.begin(body);
        self.unit.restore(self.fresh.as_bytes()).expect("a unit takes back what it was");
        self.wire.restore([false; 2]);
        self.mischief = Mischief::default();
        self.ledger = Ledger::default();
        self.change_mode();
    }

    /// Runs the guest until so many instructions more have retired, or to its end.
    pub(super) fn take_turn(&mut self, instructions: u64) -> ControlFlow<Outcome> {
        self.ledger.turn_ends = self.ledger.clock.saturating_add(instructions);
        while self.ledger.clock < self.ledger.turn_ends {
            self.step()?;
        }
        Continue(())
    }

    fn step(&mut self) -> ControlFlow<Outcome> {
        self.deliver();
        if self.ledger.clock >= P::PATIENCE {
            return Break(Err(words(format_args!("still running after {} instructions", P::PATIENCE))));
        }
        if P::instead_of_a_step(self) {
            return Continue(());
        }
        P::go_on(self);
        // An interrupt that is due comes before the instruction that left the guest.
        if self.interrupt().is_some() { Continue(()) } else { self.handle() }
    }

    /// Returns the mode of the guest's next instruction.
    pub fn mode(&self) -> Mode {
        self.processor.mode()
    }

    /// Does the unit's line ask for an interrupt, or the host in its place?
    pub fn asks(&self) -> bool {
        (self.wire.is_up() || self.mischief.is_forged) && !self.mischief.is_held
    }

    /// The interrupt that the guest would take now.
    fn interrupt(&self) -> Option<Interrupt> {
        let would_take = |asks: bool, interrupt| (asks && self.processor.accepts(interrupt)).then_some(interrupt);
        would_take(self.asks(), Interrupt::Overflow).or(would_take(self.processor.ticks(&self.ledger), Interrupt::Tick))
    }

    fn deliver(&mut self) {
        let Some(interrupt) = self.interrupt() else { return };
        if interrupt == Interrupt::Overflow {
            self.mischief.taken += 1;
            self.mischief.is_forged = false;
            P::tell_taken(&self.unit);
            if P::LATCH == Latch::UntilTaken {
                self.wire.set(false);
            }
        }
        self.take(Trap::Interrupt(interrupt));
    }

    /// Raises an interrupt that no counter asked for.
    pub(super) fn forge(&mut self) {
        match P::LATCH {
            Latch::UntilCleared => self.wire.set(true),
            Latch::Level | Latch::UntilTaken => self.mischief.is_forged = true,
        }
    }

    pub(super) fn take(&mut self, trap: Trap) {
        P::take(self, trap);
        self.change_mode();
    }

    /// Lets the guest go on until something is due.
    pub fn go_on(&mut self) {
        self.tell_position();
        let retired = self.processor.enter(self.ledger.quantum());
        self.retire(retired);
    }

    /// The guest's next instruction is the one that an overflow would be of.
    pub fn tell_position(&self) {
        self.processor.tell_position(&self.unit);
    }

    /// Returns how many instructions the guest may retire before the host wants to see it.
    pub fn quantum(&self) -> u64 {
        self.ledger.quantum()
    }

    /// From here on the guest's instructions count in the mode that its processor is in.
    pub fn change_mode(&mut self) {
        self.tell_unit();
        self.mode = self.processor.mode();
        self.processor.tell_mode(&self.unit);
        self.foresee_overflow();
    }

    /// These instructions of the guest have retired. The unit is told of them when it matters.
    pub fn retire(&mut self, instructions: u64) {
        self.ledger.clock += instructions;
        self.ledger.untold += instructions;
        if self.ledger.clock >= self.ledger.overflow_due {
            self.tell_unit();
        }
        self.settle();
    }

    /// Retires an instruction with this effect on the unit.
    ///
    /// # Errors
    /// The access is refused. The instruction has not retired, and if the guest [goes on](Self::survives_refusal) everything
    /// is as it was.
    pub fn retire_with<T>(&mut self, effect: impl FnOnce(&U) -> Result<T, Fault>) -> Result<T, Fault> {
        // A snapshot takes longer than the access.
        let before = self.survives_refusal().then(|| self.keep());
        self.ledger.untold += 1;
        self.tell_unit();
        let result = effect(&self.unit);
        if result.is_ok() {
            self.ledger.clock += 1;
            self.foresee_overflow();
            self.settle();
        } else if let Some(before) = before {
            self.put_back(&before);
        }
        result
    }

    fn keep(&self) -> Kept {
        let Ledger { untold, overflows, .. } = self.ledger;
        Kept { unit: self.unit.snapshot(), wire: self.wire.state(), untold, overflows }
    }

    /// An instruction that was told has not retired: the counters' book, and the wire, which may have been up, are as they
    /// were.
    fn put_back(&mut self, before: &Kept) {
        self.unit.restore(before.unit.as_bytes()).expect("a unit takes back what it was");
        self.wire.restore(before.wire);
        self.ledger.book((before.untold + 1).wrapping_neg());
        (self.ledger.untold, self.ledger.overflows) = (before.untold, before.overflows);
    }

    fn settle(&mut self) {
        if self.wire.take_pull() {
            self.ledger.overflows += u64::from(P::negative(&self.unit).is_none());
            self.foresee_overflow();
        }
        if self.ledger.clock >= self.ledger.overflow_due {
            self.foresee_overflow();
        }
        if is_due(&mut self.ledger.alarm, self.ledger.clock) {
            self.forge();
        }
        if is_due(&mut self.ledger.release, self.ledger.clock) {
            self.mischief.is_held = false;
        }
    }

    fn tell_unit(&mut self) {
        if self.ledger.untold == 0 {
            return;
        }
        self.advance(&Work::instructions(self.mode, self.ledger.untold));
        self.ledger.book(self.ledger.untold);
        self.ledger.untold = 0;
    }

    fn advance(&mut self, work: &Work) {
        let before = P::negative(&self.unit);
        self.unit.advance(work);
        if let (Some(before), Some(after)) = (before, P::negative(&self.unit)) {
            self.ledger.overflows += u64::from(!after.without(before).is_empty());
        }
    }

    /// Has this happened beside the guest's instructions, in the mode that it is in unless another one is said: the unit sees
    /// it, and the guest's book does not.
    pub fn happen(&mut self, work: impl FnOnce(Mode) -> Work) {
        self.tell_unit();
        self.unit.advance(&work(self.mode));
        self.foresee_overflow();
    }

    /// How many instructions a counter has been on for.
    pub(super) fn counted(&mut self, counter: u64) -> u64 {
        self.tell_unit();
        self.ledger.counted.of(counter)
    }

    /// The unit has changed: asks it anew when it will overflow, and which counters are on.
    fn foresee_overflow(&mut self) {
        let steps = self.unit.until_overflow(&Work::instructions(self.mode, 1));
        self.ledger.counting = self.processor.counting(&self.unit, self.mode);
        self.ledger.overflow_due = self.ledger.clock + steps.unwrap_or(P::PATIENCE).min(P::PATIENCE);
    }

    fn handle(&mut self) -> ControlFlow<Outcome> {
        match self.processor.exit() {
            Exit::Pause => {}
            Exit::Call => {
                self.retire(1);
                self.processor.skip();
                return self.answer();
            }
            Exit::Mark => {
                self.retire(1);
                self.ledger.mark();
                self.processor.skip();
            }
            Exit::Instruction(number) => {
                if P::carry_out(self) == Err(Refused) {
                    return self.refuse(number);
                }
            }
            Exit::Other(number) => return Break(self.failure(number)),
        }
        Continue(())
    }

    /// Does the guest hear of it if its next instruction is refused? Its kernel has no handler for that, but for its probes.
    fn survives_refusal(&self) -> bool {
        self.processor.mode() != Mode::Kernel || self.processor.is_probe()
    }

    /// The instruction is nothing that the host would carry out.
    fn refuse(&mut self, number: u64) -> ControlFlow<Outcome> {
        if !self.survives_refusal() {
            return Break(self.failure(number));
        }
        self.take(Trap::Refused(number));
        Continue(())
    }

    fn failure(&self, number: u64) -> Outcome {
        let (address, instruction) = (self.processor.address(), self.processor.instruction());
        Err(words(format_args!("exception {number:#x} at {address:#x}, by the instruction {instruction:#010x}")))
    }
}

fn words(text: fmt::Arguments) -> Words {
    Words::from(text)
}

impl<P, U> fmt::Debug for Machine<'_, P, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("ledger", &self.ledger).finish_non_exhaustive()
    }
}
