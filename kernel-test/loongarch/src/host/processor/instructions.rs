//! The guest's instructions that the host carries out: those that trap at PLV3, but for calls and marks ("LoongArch Reference
//! Manual, volume 1", "Basic privileged instructions").

use harness::host::{Machine, Refused};
use pmu::Mode;
use pmu::arch::loongarch::Register;
use pmu::virt::Device as _;

use super::{IS_ON, LEVEL, OVERFLOW, Processor, TIMER, Unit};
use crate::low;

/// An instruction that the host carries out for the guest.
#[derive(Clone, Copy)]
enum Instruction {
    /// CSRRD, CSRWR or CSRXCHG of this register: the old value goes to register `rd`, and those of its bits are written that
    /// `mask` has.
    Exchange { number: u16, mask: Mask, rd: usize },
    /// CPUCFG: the word whose number is in this register.
    Word { from: usize, rd: usize },
    /// RDTIME.D
    Time { rd: usize },
    /// ERTN
    Return,
    /// Any other.
    Unknown,
}

/// Which bits of a control and status register are written.
#[derive(Clone, Copy)]
enum Mask {
    None,
    All,
    /// Those that are set in this general register.
    In(usize),
}

impl Instruction {
    /// What these bits say.
    const fn decode(bits: u32) -> Self {
        const RETURN: u32 = 0x0648_3800;
        let (rd, rj) = ((bits & 31) as usize, (bits >> 5 & 31) as usize);
        let code = bits & !low::BREAK;
        match bits >> 24 {
            4 => Self::Exchange {
                number: (bits >> 10 & 0x3fff) as u16,
                mask: match rj {
                    0 => Mask::None,
                    1 => Mask::All,
                    _ => Mask::In(rj),
                },
                rd,
            },
            _ if bits == RETURN => Self::Return,
            0 if bits & low::BREAK == low::BREAK && code >> 10 == low::FOR_CPUCFG >> 10 => Self::Word { from: rj, rd },
            0 if bits & low::BREAK == low::BREAK && code >> 10 == low::FOR_RDTIME >> 10 => Self::Time { rd },
            _ => Self::Unknown,
        }
    }
}

/// Registers that are not the unit's.
const CRMD: u16 = 0x0;
const PRMD: u16 = 0x1;
const ECFG: u16 = 0x4;
const ESTAT: u16 = 0x5;
const ERA: u16 = 0x6;
const TCFG: u16 = 0x41;
const CNTC: u16 = 0x43;
const TICLR: u16 = 0x44;

/// The guest's stable counter advances by so many ticks an instruction, so that the timer's grain is one.
const TICKS: u64 = 4;

/// A machine with this processor.
type Host<'m, 'k> = Machine<'m, Processor, Unit<'k>>;

/// Carries out the guest's next instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
pub fn carry_out(host: &mut Host<'_, '_>) -> Result<(), Refused> {
    use harness::host::Processor as _;
    if host.processor.mode() == Mode::User {
        return Err(Refused);
    }
    match Instruction::decode(host.processor.instruction()) {
        Instruction::Exchange { number, mask, rd } => exchange(host, number, mask, rd)?,
        Instruction::Word { from, rd } => {
            let word = Register::from_word(host.processor.register(from));
            let value = match word {
                Some(at) => host.retire_with(|unit| unit.try_read(at))?,
                None => return Err(Refused),
            };
            host.processor.set_register(rd, value);
        }
        Instruction::Time { rd } => {
            let time = time(host);
            host.retire(1);
            host.processor.set_register(rd, time);
        }
        Instruction::Return => {
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

/// Writes what the mask allows of the general register, and gives it the old value.
///
/// A processor reads 0 of a counter that it does not have. This host refuses, so that a driver that reaches too far is found.
fn exchange(host: &mut Host<'_, '_>, number: u16, mask: Mask, rd: usize) -> Result<(), Refused> {
    let new = host.processor.register(rd);
    let written = match mask {
        Mask::None => 0,
        Mask::All => u64::MAX,
        Mask::In(register) => host.processor.register(register),
    };
    let merged = |old: u64| old & !written | new & written;
    let old = match Register::from_number(number) {
        Some(at) => host.retire_with(|unit| {
            let old = unit.try_read(at)?;
            if written != 0 { unit.try_write(at, merged(old)).map(|()| old) } else { Ok(old) }
        })?,
        None => {
            let old = read(host, number)?;
            host.retire(1);
            if written != 0 {
                write(host, number, merged(old))?;
            }
            old
        }
    };
    host.processor.set_register(rd, old);
    Ok(())
}

/// The stable counter.
fn time(host: &Host<'_, '_>) -> u64 {
    (host.ledger.clock * TICKS).wrapping_add(host.processor.compensation)
}

fn read(host: &Host<'_, '_>, number: u16) -> Result<u64, Refused> {
    let line = |is_up: bool, bit: u64| if is_up { bit } else { 0 };
    Ok(match number {
        CRMD => host.processor.mode,
        PRMD => host.processor.mode_before,
        ECFG => host.processor.enabled,
        ESTAT => {
            let lines = line(host.asks(), OVERFLOW) | line(host.ledger.ticks(), TIMER);
            host.processor.exception << 16 | lines | host.processor.taken
        }
        ERA => host.processor.exception_address,
        CNTC => host.processor.compensation,
        TCFG | TICLR => 0,
        _ => return Err(Refused),
    })
}

/// "LoongArch Reference Manual, volume 1", "Timer Configuration" and "Timer Interrupt Clear".
fn write(host: &mut Host<'_, '_>, number: u16, value: u64) -> Result<(), Refused> {
    match number {
        CRMD => {
            host.processor.mode = value & (LEVEL | IS_ON);
            host.change_mode();
        }
        PRMD => host.processor.mode_before = value & (LEVEL | IS_ON),
        ECFG => host.processor.enabled = value,
        ERA => host.processor.exception_address = value,
        CNTC => host.processor.compensation = value,
        TCFG => host.ledger.tick = (value & 1 != 0).then(|| host.ledger.clock + value / TICKS),
        TICLR if host.ledger.ticks() => host.ledger.tick = None,
        TICLR => {}
        _ => return Err(Refused),
    }
    Ok(())
}
