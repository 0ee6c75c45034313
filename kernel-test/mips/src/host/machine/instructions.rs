//! The guest's instructions that the host carries out.
//!
//! Each retires before it takes effect: a write that starts a counter is not counted by it, and one that stops it is. One
//! that faults does not retire.

use pmu::Mode;
use pmu::arch::mips::Cp0;
use pmu::virt::{Device as _, Fault};

use super::super::instruction::Instruction::{self, *};
use super::Machine;
use crate::identity;

/// Registers that are not the unit's, by number and select.
const COUNT: (u8, u8) = (9, 0);
const COMPARE: (u8, u8) = (11, 0);
const STATUS: (u8, u8) = (12, 0);
const INTERRUPT_CONTROL: (u8, u8) = (12, 1);
const CAUSE: (u8, u8) = (13, 0);
const EXCEPTION_ADDRESS: (u8, u8) = (14, 0);
const CONFIG: (u8, u8) = (16, 0);

/// Config: there is Config1, and the architecture is of release 2.
const RELEASE_2: u32 = 1 << 31 | 1 << 10;
/// IntCtl: the timer and the unit have line 7.
const LINE_7: u32 = 7 << 29 | 7 << 26;
/// Cause: the line is up, the timer's interrupt is there, the unit's is.
const LINE: u32 = 1 << 15;
const TIMERS: u32 = 1 << 30;
const UNITS: u32 = 1 << 26;

/// The guest may not, or there is no such instruction or register.
pub struct Refused;

impl From<Fault> for Refused {
    fn from(_: Fault) -> Self {
        Self
    }
}

impl Machine {
    /// Carries out an instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
    pub(super) fn carry_out(&mut self, instruction: Instruction) -> Result<(), Refused> {
        if self.processor.mode() == Mode::User {
            return Err(Refused);
        }
        match instruction {
            Read { register, at, is_wide } => {
                let value = self.read(at)?;
                let narrow = value as i32 as i64 as u64;
                self.processor.set_register(register, (if is_wide { value } else { narrow }) as usize);
            }
            Write { register, at, is_wide } => {
                let value = self.processor.register(register) as u64;
                self.write(at, if is_wide { value } else { u64::from(value as u32) })?;
            }
            ReturnFromException => {
                self.retire(1);
                self.processor.return_from_exception();
                self.set_mode();
                return Ok(());
            }
            Unknown => return Err(Refused),
        }
        self.processor.skip();
        Ok(())
    }

    /// R10000 has none of the registers, and none of the bits, by which later processors tell the line's users apart.
    fn read(&mut self, at: (u8, u8)) -> Result<u64, Refused> {
        let is_of_release_2 = !identity::presented().capabilities().core.is_before_config1();
        let value = match at {
            COUNT => self.timer.count(self.ledger.clock).into(),
            STATUS => self.processor.status.into(),
            CAUSE => self.cause(is_of_release_2).into(),
            EXCEPTION_ADDRESS => self.processor.exception_address as u64,
            CONFIG if is_of_release_2 => RELEASE_2.into(),
            INTERRUPT_CONTROL if is_of_release_2 => LINE_7.into(),
            (number, select) => {
                let at = Cp0::from_number(number, select).ok_or(Refused)?;
                return Ok(self.retire_with(|unit| unit.try_read(at))?);
            }
        };
        self.retire(1);
        Ok(value)
    }

    fn cause(&self, is_of_release_2: bool) -> u32 {
        let (units, timers) = (self.asks(), self.timer.asks(self.ledger.clock));
        let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        let told = bit(units, UNITS) | bit(timers, TIMERS);
        self.processor.cause | bit(units || timers, LINE) | bit(is_of_release_2, told)
    }

    fn write(&mut self, at: (u8, u8), value: u64) -> Result<(), Refused> {
        match at {
            COUNT => self.timer.set_count(value as u32, self.ledger.clock + 1),
            COMPARE => self.timer.set_compare(value as u32, self.ledger.clock + 1),
            EXCEPTION_ADDRESS => self.processor.exception_address = value as usize,
            STATUS => {
                self.retire(1);
                self.processor.status = value as u32;
                self.set_mode();
                return Ok(());
            }
            (number, select) => {
                let at = Cp0::from_number(number, select).ok_or(Refused)?;
                self.retire_with(|unit| unit.try_write(at, value))?;
                self.foresee_overflow();
                return Ok(());
            }
        }
        self.retire(1);
        Ok(())
    }
}
