//! The guest's instructions that the host carries out: those that trap in user mode, but for calls and marks ("MIPS32
//! Architecture For Programmers, volume II").

use harness::host::{Machine, Processor as _, Refused};
use pmu::Mode;
use pmu::arch::mips::Cp0;
use pmu::virt::Device as _;

use super::{Processor, Unit};
use crate::identity;

/// An instruction that the host carries out for the guest.
#[derive(Clone, Copy)]
enum Instruction {
    /// `mfc0`, or `dmfc0` if it is of 64 bits: this register from that one of coprocessor 0, by number and select.
    Read { register: usize, at: (u8, u8), is_wide: bool },
    /// `mtc0`, `dmtc0`
    Write { register: usize, at: (u8, u8), is_wide: bool },
    /// `eret`
    ReturnFromException,
    /// Any other.
    Unknown,
}

impl Instruction {
    /// What these bits say.
    const fn decode(bits: u32) -> Self {
        const COPROCESSOR_0: u32 = 0x10;
        const RETURN: u32 = 0x4200_0018;
        let (register, at) = ((bits >> 16 & 31) as usize, ((bits >> 11 & 31) as u8, (bits & 7) as u8));
        match (bits >> 26, bits >> 21 & 31) {
            _ if bits == RETURN => Self::ReturnFromException,
            (COPROCESSOR_0, kind @ 0..=1) => Self::Read { register, at, is_wide: kind == 1 },
            (COPROCESSOR_0, kind @ 4..=5) => Self::Write { register, at, is_wide: kind == 5 },
            _ => Self::Unknown,
        }
    }
}

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

/// A machine with this processor.
type Host<'m, 'k> = Machine<'m, Processor, Unit<'k>>;

/// Carries out the guest's next instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
pub fn carry_out(host: &mut Host<'_, '_>) -> Result<(), Refused> {
    if host.processor.mode() == Mode::User {
        return Err(Refused);
    }
    match Instruction::decode(host.processor.instruction()) {
        Instruction::Read { register, at, is_wide } => {
            let value = read(host, at)?;
            let narrow = value as i32 as i64 as u64;
            host.processor.set_register(register, (if is_wide { value } else { narrow }) as usize);
        }
        Instruction::Write { register, at, is_wide } => {
            let value = host.processor.register(register) as u64;
            write(host, at, if is_wide { value } else { u64::from(value as u32) })?;
        }
        Instruction::ReturnFromException => {
            host.retire(1);
            host.processor.return_from_exception();
            host.change_mode();
            return Ok(());
        }
        Instruction::Unknown => return Err(Refused),
    }
    host.processor.skip();
    Ok(())
}

/// R10000 has none of the registers, and none of the bits, by which later processors tell the line's users apart.
fn read(host: &mut Host<'_, '_>, at: (u8, u8)) -> Result<u64, Refused> {
    let is_of_release_2 = !identity::presented().capabilities().model.is_before_config1();
    let value = match at {
        COUNT => count(host).into(),
        STATUS => host.processor.status.into(),
        CAUSE => cause(host, is_of_release_2).into(),
        EXCEPTION_ADDRESS => host.processor.exception_address as u64,
        CONFIG if is_of_release_2 => RELEASE_2.into(),
        INTERRUPT_CONTROL if is_of_release_2 => LINE_7.into(),
        (number, select) => {
            let at = Cp0::from_number(number, select).ok_or(Refused)?;
            return Ok(host.retire_with(|unit| unit.try_read(at))?);
        }
    };
    host.retire(1);
    Ok(value)
}

/// Count, which advances by one an instruction.
fn count(host: &Host<'_, '_>) -> u32 {
    host.processor.count.wrapping_add(host.ledger.clock as u32)
}

fn cause(host: &Host<'_, '_>, is_of_release_2: bool) -> u32 {
    let (units, timers) = (host.asks(), host.ledger.ticks());
    let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    let told = bit(units, UNITS) | bit(timers, TIMERS);
    host.processor.cause | bit(units || timers, LINE) | bit(is_of_release_2, told)
}

/// "MIPS32 Architecture For Programmers, volume III", "Compare Register": the interrupt is there from the moment at which Count
/// gets there until Compare is written. What it was written for stays when Count is written.
fn write(host: &mut Host<'_, '_>, at: (u8, u8), value: u64) -> Result<(), Refused> {
    if let Some(at) = Cp0::from_number(at.0, at.1) {
        return Ok(host.retire_with(|unit| unit.try_write(at, value))?);
    }
    if ![COUNT, COMPARE, EXCEPTION_ADDRESS, STATUS].contains(&at) {
        return Err(Refused);
    }
    host.retire(1);
    match at {
        COUNT => host.processor.count = (value as u32).wrapping_sub(host.ledger.clock as u32),
        COMPARE => {
            let ahead = (value as u32).wrapping_sub(count(host));
            host.ledger.tick = Some(host.ledger.clock + u64::from(ahead));
        }
        EXCEPTION_ADDRESS => host.processor.exception_address = value as usize,
        _ => {
            host.processor.status = value as u32;
            host.change_mode();
        }
    }
    Ok(())
}
