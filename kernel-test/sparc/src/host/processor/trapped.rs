//! Carries out the instructions that trap: the unit's, and those of the guest's kernel.

use harness::host::{Machine, Refused};
use pmu::Mode;
use pmu::arch::sparc::Asr;

use super::{DISABLED, Processor, SOFT_15, SOFT_TICK};
use crate::host::instruction::{Instruction, Source};
use crate::host::registers::{self, set_register};
use crate::host::unit::Unit;
use crate::identity;

/// A machine with this processor.
type Host<'k, U> = Machine<'k, Processor, U>;

/// Carries out the guest's next instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
///
/// # Errors
/// It is so.
pub fn carry_out<U: Unit>(host: &mut Host<'_, U>) -> Result<(), Refused> {
    match Instruction::decode(registers::instruction()) {
        Instruction::ReadState { register, number: 17 } => read_unit(host, register, Asr::Pic)?,
        _ if host.mode() == Mode::User => return Err(Refused),
        Instruction::ReadState { register, number } => read_state(host, register, number)?,
        Instruction::WriteState { number, source } => write_state(host, number, source)?,
        Instruction::ReadPrivileged { register, number } => read_privileged(host, register, number)?,
        Instruction::WritePrivileged { number, source } => write_privileged(host, number, source)?,
        Instruction::Retry => return Ok(leave_trap(host, Processor::retry)),
        Instruction::Done => return Ok(leave_trap(host, Processor::done)),
        Instruction::Restore | Instruction::Unknown => return Err(Refused),
    }
    registers::skip();
    Ok(())
}

fn leave_trap<U: Unit>(host: &mut Host<'_, U>, leave: fn(&mut Processor)) {
    host.retire(1);
    leave(&mut host.processor);
    host.change_mode();
}

fn read_unit<U: Unit>(host: &mut Host<'_, U>, register: usize, at: Asr) -> Result<(), Refused> {
    let mode = host.mode();
    set_register(register, host.retire_with(|unit| unit.read(mode, at))?);
    Ok(())
}

/// RD: the unit's, SOFTINT, `TICK_CMPR`.
fn read_state<U: Unit>(host: &mut Host<'_, U>, register: usize, number: u8) -> Result<(), Refused> {
    if let Some(at) = Asr::from_number(number) {
        return read_unit(host, register, at);
    }
    let value = match number {
        22 => soft(host),
        23 => host.ledger.tick.filter(|_| !host.ledger.ticks()).unwrap_or(DISABLED),
        _ => return Err(Refused),
    };
    host.retire(1);
    set_register(register, value);
    Ok(())
}

/// WR: the unit's, SET_SOFTINT, CLEAR_SOFTINT, SOFTINT, `TICK_CMPR`. What asks for an interrupt as the instruction retires is
/// not cleared by it.
fn write_state<U: Unit>(host: &mut Host<'_, U>, number: u8, source: Source) -> Result<(), Refused> {
    let value = registers::value(source);
    if let Some(at) = Asr::from_number(number) {
        return Ok(host.retire_with(|unit| unit.try_write(at, value))?);
    }
    let soft = soft(host);
    match number {
        20 => set_soft(host, soft | value),
        21 => set_soft(host, soft & !value),
        22 => set_soft(host, value),
        23 => {
            host.processor.soft = soft & !SOFT_15;
            host.ledger.tick = Some(value).filter(|value| value & DISABLED == 0);
        }
        _ => return Err(Refused),
    }
    host.retire(1);
    Ok(())
}

/// SOFTINT: the bit of level 15 is the unit's wire, and the clock's is set when its time has come.
fn soft<U: Unit>(host: &Host<'_, U>) -> u64 {
    let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
    host.processor.soft | bit(host.wire.is_up(), SOFT_15) | bit(host.ledger.ticks(), SOFT_TICK)
}

fn set_soft<U: Unit>(host: &mut Host<'_, U>, soft: u64) {
    host.wire.set(soft & SOFT_15 != 0);
    host.processor.soft = soft & !SOFT_15;
    if host.ledger.ticks() {
        host.ledger.tick = None;
    }
}

fn read_privileged<U: Unit>(host: &mut Host<'_, U>, register: usize, number: u8) -> Result<(), Refused> {
    const VERSION: u8 = 31;
    let processor = &host.processor;
    let value = match number {
        0..=3 => processor.trapped[usize::from(number)],
        // It has retired when it reads.
        4 => host.ledger.clock + 1,
        5 => processor.table,
        6 => processor.state,
        7 => processor.level,
        8 => processor.priority,
        VERSION => identity::presented().version().bits(),
        _ => return Err(Refused),
    };
    host.retire(1);
    set_register(register, value);
    Ok(())
}

fn write_privileged<U: Unit>(host: &mut Host<'_, U>, number: u8, source: Source) -> Result<(), Refused> {
    let value = registers::value(source);
    if !matches!(number, 0..=3 | 5..=8) {
        return Err(Refused);
    }
    host.retire(1);
    match number {
        5 => host.processor.table = value,
        6 => {
            host.processor.set_state(value);
            host.change_mode();
        }
        7 => host.processor.level = value,
        8 => host.processor.priority = value,
        _ => host.processor.trapped[usize::from(number)] = value,
    }
    Ok(())
}
