//! The guest's instructions that the host carries out.
//!
//! Each retires before it takes effect: a write that starts a counter is not counted by it, and one
//! that stops it is. One that faults does not retire.

use harness::host::{Machine, Refused};
use pmu::Mode;

use super::instruction::Instruction::{self, *};
use super::{EXTERNAL, Processor, before_the_last, frame};
use crate::host::unit::{Space, Unit};
use crate::processor::Spr;
use crate::{family, identity};

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

/// A machine with this processor.
type Host<'k, U> = Machine<'k, Processor, U>;

/// Carries out an instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
///
/// # Errors
/// It is so.
pub fn carry_out<U: Unit>(host: &mut Host<'_, U>, instruction: Instruction) -> Result<(), Refused> {
    let is_kernel = host.mode() == Mode::Kernel;
    match instruction {
        Turn => {
            host.tell_position();
            let turns = frame().count.wrapping_sub(1).min(before_the_last(host.quantum()));
            if turns > 0 {
                frame().count -= turns;
                host.retire(turns as u64);
                return Ok(());
            }
            frame().count = 0;
            host.retire(1);
        }
        LoadWordAndReserve { register, base, index } => reserve(host, register, base, index, load_word),
        LoadDoubleAndReserve { register, base, index } => reserve(host, register, base, index, load_register),
        StoreWordIfReserved { register, base, index } => store(host, register, base, index, store_word),
        StoreDoubleIfReserved { register, base, index } => store(host, register, base, index, store_register),
        ReadSpecial { register, number } => read_special(host, register, number)?,
        WriteSpecial { register, number } => write_special(host, register, number)?,
        ReadMonitor { register, number } => {
            let value = read_units(host, Space::Monitor, number)?;
            host.processor.set_register(register, value);
        }
        WriteMonitor { register, number } => {
            let value = host.processor.register(register);
            write_units(host, Space::Monitor, number, value)?;
        }
        ReadState { register } if is_kernel => {
            host.retire(1);
            host.processor.set_register(register, host.processor.state);
        }
        WriteState { register } if is_kernel => write_state(host, usize::MAX, register),
        WriteInterruptible { register } if is_kernel => write_state(host, EXTERNAL, register),
        ReturnFromInterrupt if is_kernel => {
            host.retire(1);
            let [address, state, ..] = host.processor.kept;
            frame().address = address & !0b11;
            set_state(host, state);
            return Ok(());
        }
        _ => return Err(Refused),
    }
    frame().address += 4;
    Ok(())
}

fn write_state<U: Unit>(host: &mut Host<'_, U>, mask: usize, register: usize) {
    host.retire(1);
    let state = host.processor.state & !mask | host.processor.register(register) & mask;
    set_state(host, state);
}

/// Most changes of the state leave the mode as it is, and a change of the mode takes long.
fn set_state<U: Unit>(host: &mut Host<'_, U>, state: usize) {
    let before = host.mode();
    host.processor.set_state(state);
    if host.mode() != before {
        host.change_mode();
    }
}

fn read_special<U: Unit>(host: &mut Host<'_, U>, register: usize, number: u16) -> Result<(), Refused> {
    allow(host, number)?;
    let value = match kept(number) {
        None if number != VERSION => read_units(host, Space::Special, number)?,
        kept => {
            host.retire(1);
            kept.map_or(identity::presented().version() as usize, |kept| host.processor.kept[kept])
        }
    };
    host.processor.set_register(register, value);
    Ok(())
}

fn write_special<U: Unit>(host: &mut Host<'_, U>, register: usize, number: u16) -> Result<(), Refused> {
    allow(host, number)?;
    let value = host.processor.register(register);
    match kept(number) {
        Some(kept) => {
            host.retire(1);
            host.processor.kept[kept] = value;
        }
        None if number == DECREMENTER => {
            host.retire(1);
            host.ledger.tick = Some(host.ledger.clock + value as u64);
        }
        None => write_units(host, Space::Special, number, value)?,
    }
    Ok(())
}

fn read_units<U: Unit>(host: &mut Host<'_, U>, space: Space, number: u16) -> Result<usize, Refused> {
    let (mode, at) = (host.mode(), U::register(space, number).ok_or(Refused)?);
    Ok(host.retire_with(|unit| unit.read(mode, at))? as usize)
}

fn write_units<U: Unit>(host: &mut Host<'_, U>, space: Space, number: u16, value: usize) -> Result<(), Refused> {
    let (mode, at) = (host.mode(), U::register(space, number).ok_or(Refused)?);
    Ok(host.retire_with(|unit| unit.write(mode, at, value as u64))?)
}

/// Problem state has no privileged register.
fn allow<U: Unit>(host: &Host<'_, U>, number: u16) -> Result<(), Refused> {
    let is_privileged = number & PRIVILEGED != 0;
    if is_privileged && host.mode() == Mode::User { Err(Refused) } else { Ok(()) }
}

fn reserve<U: Unit>(host: &mut Host<'_, U>, register: usize, base: usize, index: usize, load: fn(usize) -> usize) {
    host.retire(1);
    let address = host.processor.sum(base, index);
    host.processor.reservation = Some(address);
    host.processor.set_register(register, load(address));
}

/// One processor runs: a reservation is there until a conditional store, wherever that is to, gives it up. An exception in
/// between leaves it.
fn store<U: Unit>(host: &mut Host<'_, U>, register: usize, base: usize, index: usize, store: fn(usize, usize)) {
    host.retire(1);
    let address = host.processor.sum(base, index);
    let is_reserved = host.processor.reservation.take() == Some(address);
    if is_reserved {
        store(address, host.processor.register(register));
    }
    host.processor.say_stored(is_reserved);
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
