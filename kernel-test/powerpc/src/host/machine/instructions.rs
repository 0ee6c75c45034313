//! The guest's instructions that the host carries out.
//!
//! Each retires before it takes effect: a write that starts a counter is not counted by it, and one
//! that stops it is. One that faults does not retire.

use pmu::Mode;
use pmu::virt::Fault;

use super::super::instruction::Instruction::{self, *};
use super::super::processor;
use super::super::unit::{Space, Unit};
use super::Machine;
use crate::family;
use crate::processor::Spr;

/// Special-purpose registers that are not the unit's: SRR0 and SRR1, then SPRG0 to SPRG3, which hold what
/// was written, as do IVPR and IVOR35, which book E alone has; and the processor's version.
const KEPT: [u16; 8] = [26, 27, 272, 273, 274, 275, Spr::VECTORS, Spr::PERFORMANCE_MONITOR];
const EVERYWHERE: usize = 6;
const VERSION: u16 = 287;
/// The clock that is the guest's own.
const DECREMENTER: u16 = 22;
/// This bit of a special-purpose register's number says that problem state may not have it (Power ISA
/// Book III, "Move To/From System Register Instructions").
const PRIVILEGED: u16 = 1 << 4;

/// The guest may not, or there is no such instruction or register.
pub struct Refused;

impl From<Fault> for Refused {
    fn from(_: Fault) -> Self {
        Self
    }
}

impl<U: Unit> Machine<'_, U> {
    /// Carries out an instruction and goes on behind it, unless there is nothing to carry out or the
    /// guest may not.
    pub(super) fn carry_out(&mut self, instruction: Instruction) -> Result<(), Refused> {
        let is_kernel = self.processor.mode() == Mode::Kernel;
        match instruction {
            Turn => {
                let turns = self.processor.count().wrapping_sub(1).min(self.quantum());
                self.unit.set_position(self.processor.address());
                if turns > 0 {
                    self.processor.set_count(self.processor.count() - turns);
                    self.retire(turns as u64);
                    return Ok(());
                }
                self.processor.set_count(0);
                self.retire(1);
            }
            Mark => {
                self.retire(1);
                self.ledger.marks = [self.ledger.marks[1], self.ledger.clock];
            }
            LoadWordAndReserve { register, base, index } => self.reserve(register, base, index, load_word),
            LoadDoubleAndReserve { register, base, index } => self.reserve(register, base, index, load_register),
            StoreWordIfReserved { register, base, index } => self.store(register, base, index, store_word),
            StoreDoubleIfReserved { register, base, index } => self.store(register, base, index, store_register),
            ReadSpecial { register, number } => self.read_special(register, number)?,
            WriteSpecial { register, number } => self.write_special(register, number)?,
            ReadMonitor { register, number } => {
                let value = self.read_units(Space::Monitor, number)?;
                self.processor.set_register(register, value);
            }
            WriteMonitor { register, number } => {
                self.write_units(Space::Monitor, number, self.processor.register(register))?;
            }
            ReadState { register } if is_kernel => {
                self.retire(1);
                self.processor.set_register(register, self.processor.state);
            }
            WriteState { register } if is_kernel => self.write_state(usize::MAX, register),
            WriteInterruptible { register } if is_kernel => self.write_state(processor::EXTERNAL, register),
            ReturnFromInterrupt if is_kernel => {
                self.retire(1);
                self.processor.return_from_interrupt();
                self.set_mode();
                return Ok(());
            }
            _ => return Err(Refused),
        }
        self.processor.skip();
        Ok(())
    }

    fn write_state(&mut self, mask: usize, register: usize) {
        self.retire(1);
        let state = self.processor.state & !mask | self.processor.register(register) & mask;
        self.processor.set_state(state);
        self.set_mode();
    }

    fn read_special(&mut self, register: usize, number: u16) -> Result<(), Refused> {
        self.allow(number)?;
        let value = match kept(number) {
            Some(kept) => self.retired(self.processor.kept[kept]),
            None if number == VERSION => self.retired(self.identity.version() as usize),
            None => self.read_units(Space::Special, number)?,
        };
        self.processor.set_register(register, value);
        Ok(())
    }

    fn write_special(&mut self, register: usize, number: u16) -> Result<(), Refused> {
        self.allow(number)?;
        let value = self.processor.register(register);
        match kept(number) {
            Some(kept) => self.processor.kept[kept] = self.retired(value),
            None if number == DECREMENTER => {
                self.retire(1);
                self.decrementer.write(value, self.ledger.clock);
            }
            None => self.write_units(Space::Special, number, value)?,
        }
        Ok(())
    }

    fn read_units(&mut self, space: Space, number: u16) -> Result<usize, Refused> {
        let (mode, at) = (self.processor.mode(), U::register(space, number).ok_or(Refused)?);
        Ok(self.retire_with(|unit| unit.read(mode, at))? as usize)
    }

    fn write_units(&mut self, space: Space, number: u16, value: usize) -> Result<(), Refused> {
        let (mode, at) = (self.processor.mode(), U::register(space, number).ok_or(Refused)?);
        self.retire_with(|unit| unit.write(mode, at, value as u64))?;
        self.foresee_overflow();
        Ok(())
    }

    /// Problem state has no privileged register.
    fn allow(&self, number: u16) -> Result<(), Refused> {
        let is_privileged = number & PRIVILEGED != 0;
        if is_privileged && self.processor.mode() == Mode::User { Err(Refused) } else { Ok(()) }
    }

    fn retired(&mut self, value: usize) -> usize {
        self.retire(1);
        value
    }

    fn reserve(&mut self, register: usize, base: usize, index: usize, load: fn(usize) -> usize) {
        self.retire(1);
        let address = self.processor.sum(base, index);
        self.processor.reservation = Some(address);
        self.processor.set_register(register, load(address));
    }

    /// One processor runs: a reservation is there until a conditional store, wherever that is to, gives it
    /// up. An exception in between leaves it.
    fn store(&mut self, register: usize, base: usize, index: usize, store: fn(usize, usize)) {
        self.retire(1);
        let address = self.processor.sum(base, index);
        let is_reserved = self.processor.reservation.take() == Some(address);
        if is_reserved {
            store(address, self.processor.register(register));
        }
        self.processor.say_stored(is_reserved);
    }
}

/// Which of the kept registers has this number, if the processor has it.
fn kept(number: u16) -> Option<usize> {
    let known = if family::has_vectors_of_its_own() { KEPT.len() } else { EVERYWHERE };
    KEPT[..known].iter().position(|&kept| kept == number)
}

fn load_word(address: usize) -> usize {
    // SAFETY: the guest's memory is the host's, and the guest was about to read there.
    unsafe { (address as *const u32).read_volatile() as usize }
}

fn load_register(address: usize) -> usize {
    // SAFETY: as above.
    unsafe { (address as *const usize).read_volatile() }
}

fn store_word(address: usize, value: usize) {
    // SAFETY: the guest's memory is the host's, and the guest was about to write there.
    unsafe { (address as *mut u32).write_volatile(value as u32) };
}

fn store_register(address: usize, value: usize) {
    // SAFETY: as above.
    unsafe { (address as *mut usize).write_volatile(value) };
}
