//! Book3S 64's unit in software behaves as the architecture says, and a guest cannot misuse it.

mod alerts;
mod counting;
mod freezing;
mod guests;
mod oracle;
mod problem;
mod registers;
mod snapshots;
mod strict;

use std::cell::Cell;

use pmu::arch::powerpc::ProcessorState;
use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Device, Identity};
use pmu::virt::{Device as _, Kinds, Trigger, Work};
use pmu::{CounterId, Mode};

/// A line that knows how often it rose, and whether it is up.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) rises: Cell<u64>,
    pub(crate) up: Cell<bool>,
}

impl Trigger for Line {
    fn interrupt(&self) {
        assert!(!self.up.replace(true), "the line is up already");
        self.rises.set(self.rises.get() + 1);
    }

    fn withdraw(&self) {
        assert!(self.up.replace(false), "the line is down already");
    }
}

pub(crate) type Unit = Device<Line>;

pub(crate) fn unit(identity: &Identity) -> Unit {
    Device::new(identity, Kinds::CLOCK, Line::default())
}

/// PMC1 and so on, by the manual's number.
pub(crate) fn pmc(number: u8) -> Spr {
    Spr::pmc(CounterId::new(number - 1).unwrap())
}

pub(crate) fn at(number: u16) -> Spr {
    Spr::from_number(number).unwrap()
}

pub(crate) fn read(unit: &Unit, at: Spr) -> u64 {
    unit.try_read(at).unwrap()
}

pub(crate) fn write(unit: &Unit, at: Spr, value: u64) {
    unit.try_write(at, value).unwrap();
}

pub(crate) fn advance(unit: &Unit, mode: Mode, instructions: u64) {
    unit.advance(&Work::instructions(mode, instructions));
}

/// What the processor does at this instruction, which has no data.
pub(crate) fn executing(instruction: u64) -> ProcessorState {
    let mut context = ProcessorState::default();
    context.instruction = instruction;
    context
}

/// A processor that does not run.
pub(crate) fn waiting() -> ProcessorState {
    let mut context = ProcessorState::default();
    context.running = false;
    context
}

/// MMCR1 with instructions on PMC1 to PMC4, of POWER6 to POWER10.
pub(crate) const INSTRUCTIONS: u64 = 0x0202_0202;
/// The same with cycles.
pub(crate) const CYCLES: u64 = 0x1E1E_1E1E;

// MMCR0, as Power ISA 2.07B numbers its bits.
pub(crate) const FC: u64 = 1 << (63 - 32);
pub(crate) const FCS: u64 = 1 << (63 - 33);
pub(crate) const FCP: u64 = 1 << (63 - 34);
pub(crate) const FCM1: u64 = 1 << (63 - 35);
pub(crate) const FCM0: u64 = 1 << (63 - 36);
pub(crate) const PMAE: u64 = 1 << (63 - 37);
pub(crate) const FCECE: u64 = 1 << (63 - 38);
pub(crate) const EBE: u64 = 1 << (63 - 43);
pub(crate) const PMCC: u64 = 0b11 << (63 - 45);
pub(crate) const PMC1CE: u64 = 1 << (63 - 48);
pub(crate) const PMCJCE: u64 = 1 << (63 - 49);
pub(crate) const TRIGGER: u64 = 1 << (63 - 50);
pub(crate) const FCPC: u64 = 1 << (63 - 51);
pub(crate) const CC56RUN: u64 = 1 << (63 - 55);
pub(crate) const PMAO: u64 = 1 << (63 - 56);
pub(crate) const FC1_4: u64 = 1 << (63 - 58);
pub(crate) const FC5_6: u64 = 1 << (63 - 59);
pub(crate) const FC1_4WAIT: u64 = 1 << (63 - 62);
pub(crate) const FCH: u64 = 1;
