//! The guest's instructions that the host carries out: those that trap in user state, but for calls and marks.
//!
//! "The SPARC Architecture Manual, Version 9", appendix A, "Instruction Definitions", and appendix E, tables 32 and 33,
//! "op3\[5:0\]".

use harness::host::{Machine, Refused};
use pmu::Mode;
use pmu::arch::sparc::Asr;

use super::{DISABLED, Processor, SOFT_15, SOFT_TICK};
use crate::host::registers::{self, register, set_register};
use crate::host::unit::Unit;
use crate::identity;

/// An instruction that the host carries out for the guest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Instruction {
    /// RD: this register from that ancillary state register.
    ReadState { register: usize, number: u8 },
    /// WR
    WriteState { number: u8, value: u64 },
    /// RDPR: this register from that privileged register.
    ReadPrivileged { register: usize, number: u8 },
    /// WRPR
    WritePrivileged { number: u8, value: u64 },
    /// RETRY
    Retry,
    /// DONE
    Done,
    /// RESTORE or RETURN, which the guest executes by itself.
    Restore,
    /// Any other.
    Unknown,
}

impl Instruction {
    /// The guest's next one.
    pub fn next() -> Self {
        let bits = registers::instruction();
        let (destination, first) = (field(bits, 25), field(bits, 14));
        match (bits >> 30, bits >> 19 & 0x3f) {
            (2, 0x28) => Self::ReadState { register: destination, number: first as u8 },
            (2, 0x30) => Self::WriteState { number: destination as u8, value: written(bits) },
            (2, 0x2a) => Self::ReadPrivileged { register: destination, number: first as u8 },
            (2, 0x32) => Self::WritePrivileged { number: destination as u8, value: written(bits) },
            (2, 0x3e) if destination == 0 => Self::Done,
            (2, 0x3e) if destination == 1 => Self::Retry,
            (2, 0x3d | 0x39) => Self::Restore,
            _ => Self::Unknown,
        }
    }
}

/// What WR and WRPR write: the exclusive or of a register and of another one, or of thirteen bits with a sign.
fn written(bits: u32) -> u64 {
    const IMMEDIATE: u32 = 1 << 13;
    let number = ((bits << 19) as i32 >> 19) as i64 as u64;
    register(field(bits, 14)) ^ if bits & IMMEDIATE == 0 { register(field(bits, 0)) } else { number }
}

/// Five bits that name a register.
const fn field(bits: u32, position: u32) -> usize {
    (bits >> position & 31) as usize
}

/// A machine with this processor.
type Host<'k, U> = Machine<'k, Processor, U>;

/// Carries out the guest's next instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
///
/// # Errors
/// It is so.
pub fn carry_out<U: Unit>(host: &mut Host<'_, U>) -> Result<(), Refused> {
    match Instruction::next() {
        Instruction::ReadState { register, number: 17 } => read_unit(host, register, Asr::Pic)?,
        _ if host.mode() == Mode::User => return Err(Refused),
        Instruction::ReadState { register, number } => read_state(host, register, number)?,
        Instruction::WriteState { number, value } => write_state(host, number, value)?,
        Instruction::ReadPrivileged { register, number } => read_privileged(host, register, number)?,
        Instruction::WritePrivileged { number, value } => write_privileged(host, number, value)?,
        Instruction::Retry => {
            leave_trap(host, |address, next| [address, next]);
            return Ok(());
        }
        Instruction::Done => {
            leave_trap(host, |_, next| [next, next + 4]);
            return Ok(());
        }
        Instruction::Restore | Instruction::Unknown => return Err(Refused),
    }
    registers::skip();
    Ok(())
}

fn leave_trap<U: Unit>(host: &mut Host<'_, U>, to: fn(u64, u64) -> [u64; 2]) {
    host.retire(1);
    host.processor.leave_trap(to);
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
        23 => {
            let tick = host.ledger.tick.filter(|_| !host.ledger.ticks());
            tick.map_or(DISABLED, |tick| tick.wrapping_sub(host.processor.reset))
        }
        _ => return Err(Refused),
    };
    host.retire(1);
    set_register(register, value);
    Ok(())
}

/// WR: the unit's, SET_SOFTINT, CLEAR_SOFTINT, SOFTINT, `TICK_CMPR`. What asks for an interrupt as the instruction retires is
/// not cleared by it.
fn write_state<U: Unit>(host: &mut Host<'_, U>, number: u8, value: u64) -> Result<(), Refused> {
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
            let tick = Some(value).filter(|value| value & DISABLED == 0);
            host.ledger.tick = tick.map(|tick| tick.wrapping_add(host.processor.reset));
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

/// RDPR: TPC, TNPC, TSTATE, TT; TICK, which has retired when it reads; TBA, PSTATE, TL, PIL; VER.
fn read_privileged<U: Unit>(host: &mut Host<'_, U>, register: usize, number: u8) -> Result<(), Refused> {
    let processor = &host.processor;
    let value = match number {
        0..=3 => processor.trapped[usize::from(number)],
        4 => (host.ledger.clock + 1).wrapping_sub(processor.reset),
        5 => processor.table,
        6 => processor.state,
        7 => processor.level,
        8 => processor.priority,
        31 => identity::presented().version().bits(),
        _ => return Err(Refused),
    };
    host.retire(1);
    set_register(register, value);
    Ok(())
}

/// WRPR: as RDPR's, but for VER.
fn write_privileged<U: Unit>(host: &mut Host<'_, U>, number: u8, value: u64) -> Result<(), Refused> {
    if number > 8 {
        return Err(Refused);
    }
    host.retire(1);
    match number {
        4 => host.processor.reset = host.ledger.clock.wrapping_sub(value),
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
