//! What is said to the kernel's accesses and calls.
//!
//! An access retires before it takes effect: a write that starts a counter is not counted by it, and one that stops
//! it is. One that is refused does not retire.

use core::ops::ControlFlow::{self, Continue};

use harness::host::Outcome;
use harness::{Call, Disguise, Fact};
use metal::{get, put};
use pmu::Mode;
use pmu::arch::aarch64::{Direction, SystemRegister, TrappedAccess};
use pmu::virt::{Device as _, Fault};

use super::{Machine, below};
use crate::trap;

/// The registers of the interrupt controller that come here, by their syndrome without general register and direction
/// (DDI 0487, "ISS encoding for an exception from MSR, MRS": op0 20, op2 17, op1 14, CRn 10, CRm 1).
const REGISTER: u64 = 0x3f_fc1e;
const ACKNOWLEDGE: u64 = 3 << 20 | 12 << 10 | 12 << 1;
const END: u64 = ACKNOWLEDGE | 1 << 17;

/// An instruction is four bytes.
const LENGTH: u64 = 4;

impl Machine<'_> {
    /// MSR or MRS.
    pub(super) fn access(&mut self, syndrome: u64) -> ControlFlow<Outcome> {
        match TrappedAccess::from_syndrome(syndrome) {
            Some(access) => self.access_unit(access),
            None => self.access_interrupts(syndrome),
        }
        Continue(())
    }

    pub(super) fn access_unit(&mut self, access: TrappedAccess) {
        let mode = self.mode();
        if access.direction() == Direction::Write && self.disguise == Disguise::SwallowsWrites {
            self.retire_one(mode);
            self.world.address += LENGTH;
            return;
        }
        if let (Some(value), Direction::Read) = (self.identify(access, mode), access.direction()) {
            self.retire_one(mode);
            access.store(&mut self.world.registers, value);
            self.world.address += LENGTH;
            return;
        }
        // The kernel itself is refused nothing, or its test ends.
        let before = (mode == Mode::User).then(|| self.unit.snapshot());
        self.retire_one(mode);
        match self.unit.answer(mode, access, &mut self.world.registers) {
            Ok(()) => {
                self.world.address += LENGTH;
                if access.direction() == Direction::Write {
                    self.foresee();
                }
                self.notice();
            }
            Err(fault) => {
                before.iter().for_each(|it| self.unit.restore(it.as_bytes()).expect("a unit takes back what it was"));
                self.refuse(fault, access);
            }
        }
    }

    /// What an ID register reads, of the unit as it is presented.
    fn identify(&self, access: TrappedAccess, mode: Mode) -> Option<u64> {
        /// ID_AA64DFR0_EL1.PMUVer.
        const VERSION: u64 = 0xf << 8;
        let value = self.identity.register(access.register(), mode)?;
        Some(match (access.register(), self.disguise) {
            (SystemRegister::DEBUG_FEATURES_0, Disguise::Hidden) => value & !VERSION,
            (SystemRegister::DEBUG_FEATURES_0, Disguise::Stranger) => value | VERSION,
            _ => value,
        })
    }

    /// The kernel finds the exception that the unit's registers would raise there.
    fn refuse(&mut self, fault: Fault, access: TrappedAccess) {
        /// EC 0, an instruction of four bytes: undefined.
        const UNDEFINED: u64 = 1 << 25;
        /// EL1 by its own stack pointer, everything masked.
        const KERNEL: u64 = 0b0101 | 0b1111 << 6;
        let syndrome = if fault == Fault::Trapped(Mode::Kernel) { access.syndrome() } else { UNDEFINED };
        put!("esr_el1", syndrome);
        put!("elr_el1", self.world.address);
        put!("spsr_el1", self.world.state);
        let vector = match self.mode() {
            Mode::User => trap::FROM_USER,
            _ if self.world.state & trap::OWN_STACK == 0 => trap::FROM_THREAD,
            _ => trap::FROM_KERNEL,
        };
        // Behind the offer, which is declined.
        self.world.address = get!("vbar_el1") + vector * trap::VECTOR + LENGTH;
        self.world.state = KERNEL;
    }

    fn access_interrupts(&mut self, syndrome: u64) {
        self.retire_one(Mode::Kernel);
        match syndrome & REGISTER {
            ACKNOWLEDGE => {
                let number = self.interrupts.acknowledge(self.unit.is_asserted());
                let general = (syndrome >> 5 & 31) as usize;
                self.world.registers.get_mut(general).into_iter().for_each(|register| *register = number);
            }
            END => self.interrupts.end(),
            // Groups and priorities: there is one interrupt.
            _ => {}
        }
        self.world.address += LENGTH;
    }

    /// HVC.
    pub(super) fn call(&mut self) -> ControlFlow<Outcome> {
        let [number, first, second, ..] = self.world.registers;
        match Call::from_number(number) {
            Some(Call::Truth) => {
                let fact = Fact::from_number(first).map_or(0, |fact| self.truth(fact, second));
                self.world.registers[0] = fact;
                self.retire_one(Mode::Kernel);
            }
            Some(Call::InterruptAfter) => {
                self.retire_one(Mode::Kernel);
                self.set_alarm(first);
            }
            Some(Call::HoldInterrupts) => {
                self.retire_one(Mode::Kernel);
                self.interrupts.hold();
                self.ledger.release = Some(self.ledger.clock + first);
            }
            Some(Call::TickAfter) => {
                self.retire_one(Mode::Kernel);
                self.interrupts.tick(false);
                self.ledger.tick = (first > 0).then_some(self.ledger.clock + first);
            }
            Some(Call::ResetClock) => {
                self.retire_one(Mode::Kernel);
                self.ledger.reset = self.ledger.clock;
            }
            Some(Call::Present) => {
                self.retire_one(Mode::Kernel);
                self.disguise = Disguise::from_number(first);
            }
            _ => return below::call(&mut self.world),
        }
        Continue(())
    }

    fn truth(&self, fact: Fact, counter: u64) -> u64 {
        match fact {
            Fact::Retired => self.ledger.clock,
            Fact::Overflows => self.ledger.overflows,
            Fact::Interrupts => self.interrupts.taken(),
            Fact::Counted => self.ledger.counted.of(counter),
            fact => unreachable!("no test asks here for {fact:?}"),
        }
    }

    fn set_alarm(&mut self, instructions: u64) {
        match instructions {
            0 => self.interrupts.raise(),
            _ => self.ledger.alarm = Some(self.ledger.clock + instructions),
        }
    }
}
