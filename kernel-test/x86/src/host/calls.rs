//! The host's answers to the guest's calls.

use core::ops::ControlFlow::{self, Break, Continue};

use harness::host::{Outcome, text};
use harness::{Call, Disguise, Fact, Fingerprint};

use super::machine::{Machine, failure};
use super::unit::Unit;
use crate::guest::{Engine, GO_ON};

/// `vmmcall` is three bytes long.
const LENGTH: u64 = 3;

impl<U: Unit> Machine<'_, U> {
    /// `vmmcall`
    pub(super) fn answer(&mut self) -> ControlFlow<Outcome> {
        let (first, second) = self.processor.arguments();
        match Call::from_number(self.processor.rax()) {
            Some(Call::Passed) => return Break(Ok(())),
            Some(Call::Failed) => return failure(format_args!("{}", text(first, second))),
            Some(Call::Truth) => {
                let fact = Fact::from_number(first).map_or(0, |fact| self.truth(fact, second));
                self.processor.set_wide(fact);
                self.retire(1);
            }
            Some(Call::InterruptAfter) => {
                self.retire(1);
                self.set_alarm(first);
            }
            Some(Call::HoldInterrupts) => {
                self.retire(1);
                self.interrupts.hold();
                self.ledger.release = Some(self.ledger.clock + first);
            }
            Some(Call::TickAfter) => {
                self.retire(1);
                self.set_tick(first);
            }
            Some(Call::ResetClock) => {
                self.retire(1);
                self.ledger.reset = self.ledger.clock;
            }
            Some(Call::Present) => {
                self.retire(1);
                self.disguise = Disguise::from_number(first);
            }
            Some(Call::Own) if first == GO_ON => {
                self.retire(1);
                self.go_on_on(second as usize);
            }
            Some(Call::Own) => {
                self.retire(1);
                self.engine = if first == Engine::Observer as u64 { Engine::Observer } else { Engine::AsNeeded };
                self.foresee_overflow();
            }
            _ => return failure(format_args!("the guest made a call that there is not")),
        }
        self.processor.skip(LENGTH);
        Continue(())
    }

    /// What the guest executes from here on is this CPU's.
    fn go_on_on(&mut self, cpu: usize) {
        self.tell_unit();
        let left = (self.unit.snapshot(), self.apic.entry());
        let (unit, entry) = self.cpus.go_on_on(cpu, left, self.fresh);
        self.unit.restore(unit.as_bytes()).expect("a unit takes back what it was");
        self.apic.set_entry(entry);
        self.foresee_overflow();
    }

    fn truth(&mut self, fact: Fact, counter: u64) -> u64 {
        match fact {
            Fact::Retired => self.ledger.clock,
            Fact::Overflows => self.ledger.overflows,
            Fact::Masked => self.ledger.masked,
            Fact::Interrupts => self.interrupts.taken(),
            Fact::Skid => self.ledger.skid,
            Fact::Unfed => self.unit.unfed().bits(),
            Fact::Counted => self.counted(counter),
            Fact::Fingerprint => Fingerprint::of(&(self.unit.registers(), self.apic.entry())),
            Fact::Observed => self.is_observed().into(),
            Fact::Stopwatch => unreachable!("the guest has a stopwatch of its own"),
        }
    }

    fn set_alarm(&mut self, instructions: u64) {
        match instructions {
            0 => self.interrupts.raise(),
            _ => self.ledger.alarm = Some(self.ledger.clock + instructions),
        }
    }

    fn set_tick(&mut self, instructions: u64) {
        self.processor.withdraw_interrupt();
        self.ledger.tick = (instructions > 0).then_some(self.ledger.clock + instructions);
    }
}
