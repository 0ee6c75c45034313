//! The host's answers to the guest's calls.

use core::ops::ControlFlow::{self, Break, Continue};

use pmu::Mode;
use pmu::virt::Device;

use super::{Machine, Outcome, Processor, Trap, memory};
use crate::call::{Call, Fact};
use crate::{Words, console};

impl<P: Processor<U>, U: Device> Machine<'_, P, U> {
    /// Answers a call, which has retired.
    pub(super) fn answer(&mut self) -> ControlFlow<Outcome> {
        let [number, first, second] = self.processor.arguments();
        match Call::from_number(number) {
            Some(Call::Passed) => return Break(Ok(())),
            Some(Call::Failed) => return Break(Err(Words::from(format_args!("{}", memory::text(first, second))))),
            Some(Call::Print) => console::print_on_board(memory::text(first, second)),
            Some(Call::Truth) => {
                let fact = Fact::from_number(first).map_or(0, |fact| self.truth(fact, second));
                self.processor.set_answer(fact);
            }
            Some(Call::InterruptAfter) if first == 0 => self.forge(),
            Some(Call::InterruptAfter) => self.ledger.alarm = Some(self.ledger.clock + first),
            Some(Call::HoldInterrupts) => {
                self.mischief.is_held = true;
                self.ledger.release = Some(self.ledger.clock + first);
            }
            Some(Call::LeaveUser) if self.processor.mode() == Mode::User => self.take(Trap::Call),
            Some(Call::Own) => P::answer_own(self, first, second),
            _ => return Break(Err(Words::from(format_args!("the guest made a call that there is not")))),
        }
        Continue(())
    }

    fn truth(&mut self, fact: Fact, counter: u64) -> u64 {
        match fact {
            // The question itself has retired.
            Fact::Retired => self.ledger.clock - 1,
            Fact::Overflows => self.ledger.overflows,
            Fact::Interrupts => self.mischief.taken,
            Fact::Unfed => self.unit.unfed().bits(),
            Fact::Counted => self.counted(counter),
            Fact::Stopwatch => self.ledger.marks[1] - self.ledger.marks[0],
            fact => unreachable!("no test asks here for {fact:?}"),
        }
    }
}
