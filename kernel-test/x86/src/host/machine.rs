//! The virtual machine: enter the guest until something must happen, then make it happen.
//!
//! Before each entry the host asks the unit how far off its next overflow is and lets the timer
//! end the passage there, so the guest runs at full speed and still is interrupted at the very
//! instruction. What it cannot see so is what the instructions in between did, and in which ring:
//! where a counter wants to know, [`super::engines`] has shorter passages.

use core::fmt;
use core::ops::ControlFlow::{self, Break, Continue};

use harness::host::Outcome;
use harness::{Disguise, Words};
use metal::vmcb::VirtualInterrupt;
use pmu::Mode;
use pmu::arch::x86::lbr;
use pmu::virt::{Fault, Snapshot, Work};

use super::apic::{Apic, Delivery, Masking};
use super::attention::Attention;
use super::calibration::Overhead;
use super::cpus::Cpus;
use super::exit::Exit;
use super::interrupts::Interrupts;
use super::ledger::Ledger;
use super::observer::Observer;
use super::permissions::Permissions;
use super::precise::Precise;
use super::processor::Processor;
use super::sampling::Sampling;
use super::unit::{Unit, Wire};
use crate::guest;
use crate::guest::Engine;
use crate::identity::Identity;
use crate::trap;

/// A test that retires more instructions than these hangs.
const PATIENCE: u64 = 4_000_000_000;

/// A virtual machine with a performance-monitoring unit.
pub struct Machine<'k, U: Unit> {
    pub(super) processor: Processor,
    pub(super) unit: U,
    /// The recorder of its branches, if the presented processor has one.
    pub(super) recorder: Option<&'k lbr::Device>,
    pub(super) identity: &'static Identity,
    pub(super) interrupts: Interrupts,
    pub(super) apic: Apic,
    pub(super) disguise: Disguise,
    pub(super) engine: Engine,
    pub(super) observer: Observer,
    pub(super) attention: Attention,
    /// What the instruction does that was observed last.
    pub(super) observed: Work,
    pub(super) mode: Mode,
    pub(super) ledger: Ledger,
    pub(super) cpus: Cpus,
    pub(super) sampling: Option<Sampling>,
    pub(super) precise: Option<Precise>,
    pub(super) fresh: Snapshot,
    wire: &'k Wire,
    pub(super) overhead: Overhead,
    permissions: &'k Permissions,
}

impl<'k, U: Unit> Machine<'k, U> {
    /// A machine around `unit`, whose trigger is `wire`.
    pub fn new(
        unit: U,
        recorder: Option<&'k lbr::Device>,
        wire: &'k Wire,
        identity: &'static Identity,
        permissions: &'k Permissions,
    ) -> Self {
        let mut processor = Processor::new(permissions);
        let overhead = Overhead::measure(&mut processor);
        Self {
            fresh: unit.snapshot(),
            processor,
            unit,
            recorder,
            identity,
            interrupts: Interrupts::default(),
            apic: Apic::default(),
            disguise: Disguise::None,
            engine: Engine::AsNeeded,
            observer: Observer::new(identity.processor.misaligned_across()),
            attention: Attention::Clock,
            observed: Work::none(Mode::Kernel),
            mode: Mode::Kernel,
            ledger: Ledger::default(),
            cpus: Cpus::default(),
            sampling: Sampling::of(&identity.processor),
            precise: Precise::of(&identity.processor),
            wire,
            overhead,
            permissions,
        }
    }

    /// Runs `body` as a fresh guest to its end, whatever that is.
    pub fn run(&mut self, body: fn()) -> Outcome {
        self.reset(body);
        loop {
            self.deliver();
            let exit = self.pass();
            if self.ledger.clock >= PATIENCE {
                return Err(Words::from(format_args!("still running after {PATIENCE} instructions")));
            }
            // An NMI that is due comes before the instruction that left the guest.
            if self.interrupts.is_due() {
                continue;
            }
            if let Break(outcome) = self.handle(exit) {
                return outcome;
            }
        }
    }

    fn reset(&mut self, body: fn()) {
        self.processor = Processor::new(self.permissions);
        self.processor.begin_at(guest::wake, body as usize);
        self.unit.restore(self.fresh.as_bytes()).expect("a unit takes back what it was");
        self.recorder.into_iter().for_each(lbr::Device::reset);
        self.wire.take();
        self.apic.reset();
        self.cpus.begin();
        self.interrupts = Interrupts::default();
        self.disguise = Disguise::None;
        self.engine = Engine::AsNeeded;
        self.attention = Attention::Clock;
        self.mode = Mode::Kernel;
        self.ledger = Ledger::default();
        self.sampling = Sampling::of(&self.identity.processor);
        self.precise = Precise::of(&self.identity.processor);
        self.foresee_overflow();
    }

    fn deliver(&mut self) {
        if self.interrupts.is_due() {
            self.ledger.skid = self.ledger.clock - self.ledger.overflowed;
            self.interrupts.deliver(&mut self.processor);
        }
    }

    /// From here on the guest's instructions count in this mode.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        if mode != self.mode {
            self.tell_unit();
            self.mode = mode;
            self.foresee_overflow();
        }
    }

    /// These instructions of the guest have retired. The unit is told of them when it matters.
    pub(super) fn retire(&mut self, instructions: u64) {
        self.ledger.clock += instructions;
        self.ledger.untold += instructions;
        if self.is_observed() || self.ledger.clock >= self.ledger.overflow_due {
            self.tell_unit();
        }
        self.settle();
        self.sample(instructions);
    }

    /// Retires an instruction with this effect on the unit; if that is a fault, it does not retire.
    pub(super) fn retire_with<T>(&mut self, effect: impl FnOnce(&U) -> Result<T, Fault>) -> Result<T, Fault> {
        let (before, untold) = (self.unit.snapshot(), self.ledger.untold);
        self.ledger.untold += 1;
        self.tell_unit();
        let result = effect(&self.unit);
        if result.is_err() {
            self.unit.restore(before.as_bytes()).expect("a unit takes back what it was");
            self.ledger.untold = untold;
            self.ledger.counted.add(self.ledger.counting, (untold + 1).wrapping_neg());
            self.wire.take();
            return result;
        }
        self.ledger.clock += 1;
        self.settle();
        self.sample(1);
        result
    }

    fn settle(&mut self) {
        self.notice_overflow();
        if self.ledger.clock >= self.ledger.overflow_due {
            self.foresee_overflow();
        }
        self.notice_time();
    }

    pub(super) fn tell_unit(&mut self) {
        if self.disguise != Disguise::Silent {
            self.unit.advance(&self.untold());
        }
        self.ledger.counted.add(self.ledger.counting, self.ledger.untold);
        self.ledger.untold = 0;
    }

    /// How many instructions a counter has been on for.
    pub(super) fn counted(&mut self, counter: u64) -> u64 {
        self.tell_unit();
        self.ledger.counted.of(counter)
    }

    /// The unit has changed: asks it anew when it will overflow, and what it wants to know.
    pub(super) fn foresee_overflow(&mut self) {
        self.choose_engine();
        let steps = self.unit.until_overflow(&Work::instructions(self.mode, 1));
        self.ledger.counting = self.unit.counting(self.mode).without(self.unit.unfed());
        self.ledger.overflow_due = self.ledger.clock + steps.unwrap_or(PATIENCE);
    }

    fn notice_overflow(&mut self) {
        let pulls = self.wire.take();
        if pulls == 0 {
            return;
        }
        self.recorder.into_iter().for_each(lbr::Device::overflow_interrupts);
        self.ledger.overflowed = self.ledger.overflow_due.min(self.ledger.clock);
        let delivery = self.apic.deliver(Masking::of(&self.identity.processor));
        self.pull(delivery, pulls);
    }

    /// A wire was pulled, which does this.
    pub(super) fn pull(&mut self, delivery: Delivery, pulls: u64) {
        self.ledger.overflows += pulls;
        match delivery {
            Delivery::Nmi => self.interrupts.raise(),
            Delivery::Fixed(interrupt) => self.processor.request(interrupt),
            Delivery::Masked => self.ledger.masked += pulls,
        }
    }

    fn notice_time(&mut self) {
        let clock = self.ledger.clock;
        let is_due = |due: &mut Option<u64>| due.take_if(|due| *due <= clock).is_some();
        if is_due(&mut self.ledger.alarm) {
            self.interrupts.raise();
        }
        if is_due(&mut self.ledger.tick) {
            self.processor.request(VirtualInterrupt::vector(trap::TICK_VECTOR));
        }
        if is_due(&mut self.ledger.release) {
            self.interrupts.release();
        }
    }

    fn handle(&mut self, exit: Exit) -> ControlFlow<Outcome> {
        match exit {
            Exit::Timer => {}
            Exit::Exception(vector) => self.processor.deliver_exception(vector),
            Exit::Stepped => self.interrupts.on_step(&mut self.processor),
            Exit::InterruptReturn => self.interrupts.on_return(&mut self.processor),
            Exit::Identify => self.identify(),
            Exit::Register => self.access_register(),
            Exit::ReadCounter => self.read_counter(),
            Exit::Call => return self.answer(),
            Exit::Halt => return failure(format_args!("the guest halted")),
            Exit::Shutdown => return failure(format_args!("the guest ended in a triple fault")),
            Exit::SoftwareInterrupt => {
                return failure(format_args!("the guest was left at an int that nobody watches"));
            }
            Exit::Unexpected(code) => {
                let at = self.processor.instruction();
                return failure(format_args!("exit {code:#x} at {at:#x}, which nobody asked for"));
            }
        }
        Continue(())
    }
}

/// The guest ends with this reason.
pub(super) fn failure(reason: fmt::Arguments) -> ControlFlow<Outcome> {
    Break(Err(Words::from(reason)))
}
