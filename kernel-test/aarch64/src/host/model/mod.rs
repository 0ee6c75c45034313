//! Runs the kernel that is tested at EL1 on a unit in software, which its real instructions reach by
//! trapping here.
//!
//! Before each passage the host asks the unit how far off its next overflow is and lets the [`meter`] end
//! the passage there, so that the kernel runs at full speed and is interrupted at the very instruction.
//!
//! From the bottom up: [`meter`] is the machine's own unit in the host's hands, [`ledger`] what it amounts
//! to, [`interrupts`] the kernel's interrupt controller; this file is the loop, [`answers`] what is said to
//! the kernel's accesses and calls.

mod answers;
mod interrupts;
mod ledger;
mod meter;
mod offer;

use core::cell::Cell;
use core::ops::ControlFlow::{self, Break, Continue};

use harness::host::Outcome;
use harness::{Disguise, Words};
use metal::world::{self, World};
use metal::{get, put};
use pmu::Mode;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Kinds, Trigger, Work};

use super::below;
use crate::{identity, trap};
use interrupts::Interrupts;
use ledger::Ledger;
use meter::Done;
use offer::Left;

/// A passage is no longer than this, and a test that retires more instructions hangs.
const PATIENCE: u64 = 4_000_000_000;

/// HCR_EL2: interrupts are the host's (IMO, FMO); the ID registers are read here (TID3).
const TO_THE_HOST: u64 = 1 << 4 | 1 << 3;
const TRAP_IDENTITY: u64 = 1 << 18;
/// MDCR_EL2.TPM: the unit's registers are reached here.
const TRAP_UNIT: u64 = 1 << 6;
/// ICH_HCR_EL2.TALL1: so are the interrupt controller's.
const TRAP_INTERRUPTS: u64 = 1 << 12;

/// How the kernel is interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// By a virtual IRQ.
    Irq,
    /// By a virtual FIQ, which may come while IRQs are masked.
    Fiq,
}

impl Delivery {
    /// HCR_EL2: a virtual interrupt is pending (VI), or a fast one (VF).
    const fn pending(self) -> u64 {
        match self {
            Self::Irq => INTERRUPT,
            Self::Fiq => FAST_INTERRUPT,
        }
    }
}

const INTERRUPT: u64 = 1 << 7;
const FAST_INTERRUPT: u64 = 1 << 6;

/// The unit's line: remembers how often it rose.
#[derive(Default)]
struct Line(Cell<u64>);

impl Trigger for Line {
    fn interrupt(&self) {
        self.0.set(self.0.get() + 1);
    }
}

/// A machine whose unit is software.
struct Machine<'l> {
    unit: Device<&'l Line>,
    identity: &'static Identity,
    line: &'l Line,
    world: World,
    interrupts: Interrupts,
    delivery: Delivery,
    ledger: Ledger,
    /// What the kernel's last exception left at EL1.
    left: Left,
    /// What is wrong with the unit, to order.
    disguise: Disguise,
    /// How many instructions the unit cannot overflow before.
    until_overflow: u64,
}

/// Runs `body` to its end, on a unit after its reset.
///
/// # Errors
/// It did not end well.
pub fn run(body: fn(), delivery: Delivery) -> Outcome {
    let before = [get!("hcr_el2"), get!("mdcr_el2"), get!("vpidr_el2"), get!("cntvoff_el2")];
    let identity = identity::modelled();
    put!("hcr_el2", before[0] | TO_THE_HOST | TRAP_IDENTITY);
    put!("mdcr_el2", before[1] | TRAP_UNIT);
    put!("vpidr_el2", identity.register(pmu::arch::aarch64::SystemRegister::PROCESSOR, Mode::Kernel).unwrap_or(0));
    crate::gic::open();
    put!("ich_hcr_el2", TRAP_INTERRUPTS);
    meter::prepare();
    let outcome = Machine::new(identity, &Line::default(), delivery, body).live();
    put!("ich_hcr_el2", 0);
    put!("hcr_el2", before[0]);
    put!("mdcr_el2", before[1]);
    put!("vpidr_el2", before[2]);
    put!("cntvoff_el2", before[3]);
    outcome
}

impl<'l> Machine<'l> {
    fn new(identity: &'static Identity, line: &'l Line, delivery: Delivery, body: fn()) -> Self {
        Self {
            unit: Device::new(identity, Kinds::CLOCK, line),
            identity,
            line,
            world: below::beginning(0, body),
            interrupts: Interrupts::default(),
            delivery,
            ledger: Ledger::default(),
            left: Left::default(),
            disguise: Disguise::None,
            until_overflow: PATIENCE,
        }
    }

    fn live(&mut self) -> Outcome {
        loop {
            let vector = self.pass();
            if self.ledger.clock >= PATIENCE {
                return Err(Words::from(format_args!("still running after {PATIENCE} instructions")));
            }
            if let Break(outcome) = self.handle(vector) {
                return outcome;
            }
        }
    }

    /// Into the kernel and out again; by which vector? An instruction that comes here has been metered, and is left to
    /// whoever answers it.
    fn pass(&mut self) -> u64 {
        let overflow = if self.interrupts.is_due(self.unit.is_asserted()) { self.delivery.pending() } else { 0 };
        let tick = if self.interrupts.is_tick_due() { INTERRUPT } else { 0 };
        put!("hcr_el2", get!("hcr_el2") & !(INTERRUPT | FAST_INTERRUPT) | overflow | tick);
        let allowed = self.quantum();
        meter::allow(allowed);
        // The kernel's system counter has no part in the host's time.
        put!("cntvoff_el2", get!("cntpct_el0").wrapping_sub(self.ledger.clock - self.ledger.reset));
        let was_at_offer = self.is_at_offer();
        // SAFETY: the kernel is this image's own; the host's vectors are loaded at boot.
        let vector = unsafe { world::switch(&mut self.world) };
        let done = self.undone(meter::done(allowed), was_at_offer, vector);
        self.keep_left(vector);
        self.retire(if vector == world::SYNCHRONOUS { done.without_one(self.mode()) } else { done });
        vector
    }

    /// How many instructions the kernel may retire before the host wants to see it.
    fn quantum(&self) -> u64 {
        self.ledger.until_next().unwrap_or(PATIENCE).min(self.until_overflow).clamp(1, PATIENCE)
    }

    /// The unit has changed, or has come to where it was foreseen to overflow: asks it anew. If the kernel changes its
    /// mode before, it comes here too early, and never too late.
    fn foresee(&mut self) {
        let steps = [Mode::Kernel, Mode::User].map(|mode| self.unit.until_overflow(&Work::instructions(mode, 1)));
        self.until_overflow = steps.into_iter().flatten().min().unwrap_or(PATIENCE);
        self.ledger.look(&self.unit.state());
    }

    /// So much was done: the unit hears of it, and what was to happen by now happens.
    fn retire(&mut self, done: Done) {
        self.ledger.add(done);
        for (mode, instructions) in done.by_mode() {
            if instructions > 0 {
                self.unit.advance(&Work::instructions(mode, instructions));
            }
        }
        match self.until_overflow.checked_sub(done.total()) {
            None | Some(0) => self.foresee(),
            Some(rest) => self.until_overflow = rest,
        }
        self.notice();
    }

    /// The instruction that came here has retired, in this mode.
    fn retire_one(&mut self, mode: Mode) {
        self.retire(Done::one(mode));
    }

    fn notice(&mut self) {
        let rises = self.line.0.take();
        self.ledger.overflows += rises;
        if rises > 0 {
            self.interrupts.rise();
        }
        let clock = self.ledger.clock;
        if self.ledger.alarm.take_if(|alarm| *alarm <= clock).is_some() {
            self.interrupts.raise();
        }
        if self.ledger.tick.take_if(|tick| *tick <= clock).is_some() {
            self.interrupts.tick(true);
        }
        if self.ledger.release.take_if(|release| *release <= clock).is_some() {
            self.interrupts.release();
        }
    }

    fn handle(&mut self, vector: u64) -> ControlFlow<Outcome> {
        /// EC of HVC, and of a trapped MSR or MRS.
        const CALL: u64 = 0x16;
        const ACCESS: u64 = 0x18;
        let syndrome = get!("esr_el2");
        match (vector, trap::class(syndrome)) {
            (world::INTERRUPT, _) => {
                meter::acknowledge();
                Continue(())
            }
            (world::SYNCHRONOUS, CALL) if offer::is_offer(syndrome) => {
                self.answer_offer();
                Continue(())
            }
            (world::SYNCHRONOUS, CALL) => self.call(),
            (world::SYNCHRONOUS, ACCESS) => self.access(syndrome),
            _ => below::answer(&mut self.world, vector),
        }
    }

    /// The mode of the kernel's next instruction.
    fn mode(&self) -> Mode {
        self.world.mode()
    }
}
