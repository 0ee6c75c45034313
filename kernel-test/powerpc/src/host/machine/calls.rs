//! The host's answers to the guest's calls.

use core::ops::ControlFlow::{self, Break, Continue};

use harness::{Call, Fact};
use pmu::Mode;

use super::super::outcome::Outcome;
use super::super::unit::Unit;
use super::Machine;
use crate::guest::entry;
use crate::platform;

/// Where a call's number and its arguments are; its answer is where the first one was.
const NUMBER: usize = 0;
const FIRST: usize = 3;
const SECOND: usize = 4;

impl<U: Unit> Machine<'_, U> {
    /// `sc`, which has retired.
    pub(super) fn answer(&mut self) -> ControlFlow<Outcome> {
        let (first, second) = (self.processor.register(FIRST), self.processor.register(SECOND));
        match Call::from_number(self.processor.register(NUMBER) as u64) {
            Some(Call::Passed) => return Break(Outcome::Passed),
            Some(Call::Failed) => return Break(Outcome::Failed(text(first, second))),
            Some(Call::Truth) => {
                let fact = Fact::from_number(first as u64).map_or(0, |fact| self.truth(fact, second));
                self.processor.set_register(FIRST, fact as usize);
            }
            Some(Call::InterruptAfter) if first == 0 => self.interrupts.forge(),
            Some(Call::InterruptAfter) => self.ledger.alarm = Some(self.ledger.clock + first as u64),
            Some(Call::HoldInterrupts) => {
                self.interrupts.hold();
                self.ledger.release = Some(self.ledger.clock + first as u64);
            }
            Some(Call::Own) => self.hypervise(first as u64),
            Some(Call::Print) => platform::print(text(first, second)),
            Some(Call::LeaveUser) if self.processor.mode() == Mode::User => {
                self.processor.take(entry::come_back());
                self.set_mode();
            }
            _ => return Break(Outcome::Failed("the guest made a call that there is not")),
        }
        Continue(())
    }

    fn truth(&mut self, fact: Fact, counter: usize) -> u64 {
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
fn text(address: usize, length: usize) -> &'static str {
    // SAFETY: the guest is this kernel's own code and hands over a buffer that it leaves alone for
    // ever, since the call does not return.
    let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, length) };
    core::str::from_utf8(bytes).unwrap_or("a reason that is not text")
}
