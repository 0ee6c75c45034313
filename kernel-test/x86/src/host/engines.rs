//! How the guest is let run, and what the host learns of it on the way.
//!
//! Of three engines the host takes the first that tells what the unit's counters want to know:
//! - The clock. The guest runs until something is due; how many instructions have retired is known then, and no more.
//! - The rings. The guest is also left at whatever leads from one ring to the other, so it is known how many have
//!   retired in which. Into ring 0 lead interrupts, which the host sends; exceptions, which leave the guest before
//!   they are delivered; and `int`. Out of it leads `iret`. The guest is left before either of the two, and goes over it
//!   in a passage of one instruction. `syscall` leads nowhere: EFER.SCE is off, and the host does not let it be set.
//! - The observer. Each passage is one instruction long, and each instruction is decoded before it.
//!
//! An interrupt with a vector waits in the control block until the processor takes it. (QEMU 10 takes such a one twice
//! if it is injected in place of that, and the passage ends there.) So it is kept out of passages of one instruction:
//! it would come behind the instruction in the same passage, and what was a branch's target would be its handler.

use pmu::Mode;
use pmu::branches::{Branch, BranchKind};
use pmu::virt::Work;

use super::attention::Attention;
use super::exit::Exit;
use super::machine::Machine;
use super::observer;
use super::processor::Watch;
use super::unit::Unit;
use crate::guest::Engine;

impl<U: Unit> Machine<'_, U> {
    /// Into the guest and out again.
    pub(super) fn pass(&mut self) -> Exit {
        if self.is_tagged() && self.processor.is_interrupted() {
            return self.interrupt_alone();
        }
        match self.attention {
            Attention::Clock => self.run_freely(),
            Attention::Rings => self.run_to_ring(),
            Attention::Instructions => self.observe(),
        }
    }

    fn run_freely(&mut self) -> Exit {
        /// QEMU's clock has counted an `int` at which the guest is left, as it does no other instruction.
        const fn is_counted(exit: Exit) -> bool {
            matches!(exit, Exit::SoftwareInterrupt)
        }
        self.set_mode(self.processor.mode());
        let retired = self.enter(self.quantum());
        let exit = Exit::from_code(self.processor.exit_code());
        self.retire(retired - u64::from(is_counted(exit)));
        exit
    }

    fn run_to_ring(&mut self) -> Exit {
        match self.run_freely() {
            // It is met again.
            Exit::InterruptReturn | Exit::SoftwareInterrupt if self.comes_something_first() => Exit::Timer,
            Exit::InterruptReturn => {
                self.interrupts.on_return(&mut self.processor);
                self.cross()
            }
            Exit::SoftwareInterrupt => self.cross(),
            exit => exit,
        }
    }

    fn comes_something_first(&self) -> bool {
        self.interrupts.is_due() || self.processor.is_interrupted()
    }

    /// Over the instruction that leads into another ring.
    fn cross(&mut self) -> Exit {
        self.processor.watch_crossings(Watch::Off);
        let retired = self.enter_for_one();
        self.watch();
        self.retire(retired);
        Exit::from_code(self.processor.exit_code())
    }

    /// For one instruction. What interrupts the guest is delivered in a passage of its own, so that
    /// the next instruction is always known.
    fn observe(&mut self) -> Exit {
        if self.processor.is_interrupted() {
            return self.interrupt_alone();
        }
        let (from, ring) = (self.processor.instruction(), self.processor.ring());
        self.set_mode(self.processor.mode());
        let seen = self.observer.look(&self.processor);
        let retired = self.enter_for_one();
        let next = self.processor.instruction();
        self.observed = seen.work(self.mode, next);
        if let Some(kind) = seen.taken(next).filter(|_| retired == 1) {
            self.record(from, ring, kind);
        }
        self.retire(retired);
        Exit::from_code(self.processor.exit_code())
    }

    fn interrupt_alone(&mut self) -> Exit {
        let (from, ring) = (self.processor.instruction(), self.processor.ring());
        let retired = self.enter(0);
        assert_eq!(retired, 0, "to be interrupted is no instruction");
        self.record(from, ring, BranchKind::Interrupt);
        Exit::from_code(self.processor.exit_code())
    }

    /// The guest has gone from there to its next instruction: the recorder of its branches is told. To it an exception is what
    /// an interrupt is.
    fn record(&self, from: u64, ring: Mode, kind: BranchKind) {
        if let Some(recorder) = self.recorder {
            let branch = Branch::new(from, self.processor.instruction()).of_kind(kind);
            recorder.transfer(branch, [ring, self.processor.ring()]);
        }
    }

    fn enter_for_one(&mut self) -> u64 {
        let waiting = self.processor.withdraw_interrupt();
        let retired = self.enter(1);
        self.processor.request(waiting);
        retired
    }

    /// Lets the guest retire so many instructions at most; returns how many it did.
    fn enter(&mut self, instructions: u64) -> u64 {
        self.look_if_tagged();
        self.look_precisely();
        let mut passage = self.overhead.passage(self.ledger.clock - self.ledger.reset, instructions);
        self.processor.enter(&mut passage);
        self.overhead.retired(&passage)
    }

    /// Does the host look at each instruction?
    pub(super) fn is_observed(&self) -> bool {
        self.attention == Attention::Instructions
    }

    /// The unit has changed: follows the guest as closely as that makes it.
    pub(super) fn choose_engine(&mut self) {
        let attention = self.attention_needed();
        if attention != self.attention {
            self.tell_unit();
            self.attention = attention;
            self.watch();
        }
    }

    fn attention_needed(&self) -> Attention {
        let tells_modes = self.unit.counting(Mode::User) != self.unit.counting(Mode::Kernel);
        let records = self.recorder.is_some_and(|recorder| recorder.records());
        if self.engine == Engine::Observer
            || records
            || self.is_precise()
            || self.unit.wanted().intersects(observer::KINDS)
        {
            Attention::Instructions
        } else if tells_modes {
            Attention::Rings
        } else {
            Attention::Clock
        }
    }

    fn watch(&mut self) {
        let [exceptions, crossings] = match self.attention {
            Attention::Clock => [Watch::Off, Watch::Off],
            Attention::Rings => [Watch::On, Watch::On],
            Attention::Instructions => [Watch::On, Watch::Off],
        };
        self.processor.watch_exceptions(exceptions);
        self.processor.watch_crossings(crossings);
    }

    /// What the unit is told of instructions that it has not been told of yet.
    pub(super) fn untold(&self) -> Work {
        match self.ledger.untold {
            1 if self.is_observed() => self.observed,
            untold => Work::instructions(self.mode, untold),
        }
    }
}
