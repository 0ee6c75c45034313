//! The guest's instructions that the host carries out: those on control and status registers, and the returns from a trap
//! ("The RISC-V Instruction Set Manual", volume I, "Zicsr", and volume II, "Machine-Mode Privileged Instructions").

use harness::host::{Machine, Processor as _, Refused};
use pmu::Mode;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::Capabilities;
use pmu::virt::Device as _;

use super::processor::{Processor, Unit};
use crate::csr::is_machine;
use crate::guest::BREAKPOINT;

/// An access to a control and status register.
#[derive(Clone, Copy)]
struct Access {
    number: u16,
    kind: Kind,
    operand: usize,
    writes: bool,
    destination: usize,
}

/// What a write does with the register.
#[derive(Clone, Copy)]
enum Kind {
    /// `csrrw`
    Replace,
    /// `csrrs`
    Set,
    /// `csrrc`
    Clear,
}

impl Access {
    /// What these bits say, if they are such an access. One that sets or clears by x0 or by 0 writes nothing.
    fn decode(bits: u32, registers: &[usize; 32]) -> Option<Self> {
        const SYSTEM: u32 = 0x73;
        let (source, destination) = ((bits >> 15 & 31) as usize, (bits >> 7 & 31) as usize);
        let kind = match bits >> 12 & 3 {
            1 => Kind::Replace,
            2 => Kind::Set,
            3 => Kind::Clear,
            _ => return None,
        };
        let is_immediate = bits >> 14 & 1 == 1;
        let operand = if is_immediate { source } else { registers[source] };
        let writes = matches!(kind, Kind::Replace) || source != 0;
        let number = (bits >> 20) as u16;
        (bits & 0x7f == SYSTEM).then_some(Self { number, kind, operand, writes, destination })
    }

    /// What a register has afterwards that had this before.
    const fn applied(self, before: usize) -> usize {
        match self.kind {
            _ if !self.writes => before,
            Kind::Replace => self.operand,
            Kind::Set => before | self.operand,
            Kind::Clear => before & !self.operand,
        }
    }

    /// The same access to a register of the unit.
    fn on(self, at: Csr) -> Csr {
        match self.kind {
            Kind::Replace => at,
            Kind::Set => at.setting(),
            Kind::Clear => at.clearing(),
        }
    }
}

/// A machine with this processor.
type Host<'m, 'k> = Machine<'m, Processor, Unit<'k>>;

/// Carries out the guest's next instruction and goes on behind it, unless there is nothing to carry out or the guest may not.
pub fn carry_out(host: &mut Host<'_, '_>) -> Result<(), Refused> {
    const EBREAK: u32 = 0x0010_0073;
    const SRET: u32 = 0x1020_0073;
    const MRET: u32 = 0x3020_0073;
    let is_user = host.mode() == Mode::User;
    match host.processor.instruction() {
        EBREAK => {
            host.processor.take_exception(BREAKPOINT);
            host.change_mode();
        }
        SRET | MRET if !is_user => {
            host.retire(1);
            host.processor.return_from_exception();
            host.change_mode();
        }
        bits => {
            let access = Access::decode(bits, &host.processor.world.registers).ok_or(Refused)?;
            let before = if is_user { of_user(host, access)? } else { of_kernel(host, access)? };
            if access.destination != 0 {
                host.processor.world.registers[access.destination] = before;
            }
            host.processor.skip();
        }
    }
    Ok(())
}

/// A user program reads the counters that it is lent.
fn of_user(host: &mut Host<'_, '_>, access: Access) -> Result<usize, Refused> {
    let at = Csr::from_number(access.number).ok_or(Refused)?;
    Ok(host.retire_with(|unit| unit.try_read_in_user(at))? as usize)
}

/// Returns what the register had before.
fn of_kernel(host: &mut Host<'_, '_>, access: Access) -> Result<usize, Refused> {
    const TIME: u16 = 0xc01;
    if access.number == TIME {
        host.retire(1);
        return Ok(host.ledger.clock as usize);
    }
    if let Some(register) = processors(&mut host.processor, access.number) {
        let before = *register;
        *register = access.applied(before);
        host.retire(1);
        return Ok(before);
    }
    let at = Csr::from_number(access.number).ok_or(Refused)?;
    let before = host.retire_with(|unit| {
        let before = unit.try_read(at)?;
        if access.writes {
            unit.try_write(access.on(at), access.operand as u64)?;
        }
        Ok(before)
    })? as usize;
    let is_enable = at == if is_machine() { Csr::MIE } else { Csr::SIE };
    Ok(if is_enable { enable(&mut host.processor, access) | before } else { before })
}

/// The register of the processor's own with this number, in the guest's mode.
fn processors(processor: &mut Processor, number: u16) -> Option<&mut usize> {
    let first = if is_machine() { 0x300 } else { 0x100 };
    Some(match number.checked_sub(first)? {
        0x00 => &mut processor.status,
        0x05 => &mut processor.vector,
        0x40 => &mut processor.scratch,
        0x41 => &mut processor.exception_address,
        0x42 => &mut processor.cause,
        _ => return None,
    })
}

/// The bits of mie that are not the unit's.
fn enable(processor: &mut Processor, access: Access) -> usize {
    let before = processor.enabled;
    processor.enabled = access.applied(before) & !(1 << Capabilities::INTERRUPT);
    before
}
