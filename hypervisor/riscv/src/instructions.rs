//! The guest's instructions that are trapped: reads of counters, and waiting for an interrupt. Others are not the guest's.

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Address, Host};
use pmu::virt::{Device as _, Unconnected};

use crate::csr::{get, put};
use crate::world::{self, World};

/// `wfi`
const WAIT: u64 = 0x1050_0073;
/// The exception of an instruction that there is not.
const ILLEGAL: u64 = 2;

/// Carries out the trapped instruction. Returns false if the guest may not, or if there is none such; it has not retired then.
pub fn carry_out(unit: &Host<Unconnected>, world: &mut World) -> bool {
    let bits = get!("stval");
    let is_supervisor = world::is_supervisor();
    if bits == WAIT && is_supervisor {
        // It comes back when an interrupt is pending that the guest has enabled.
        // SAFETY: nothing changes by waiting.
        unsafe { core::arch::asm!("wfi", options(nomem, nostack)) };
        return true;
    }
    let Some((counter, destination)) = read(bits) else { return false };
    let value = if is_supervisor {
        unit.try_read_counter(counter)
    } else {
        let lent = unit.try_write(Address::Csr(Csr::SCOUNTEREN), get!("scounteren"));
        lent.and_then(|()| unit.try_read_in_user(counter))
    };
    if let (Ok(value), 1..) = (value, destination) {
        world.registers[destination] = value;
    }
    value.is_ok()
}

/// Returns the register and the destination of a read (volume I, "Zicsr"): `csrrs` or `csrrc` by x0 or 0.
fn read(bits: u64) -> Option<(Csr, usize)> {
    const SYSTEM: u64 = 0x73;
    let (kind, source, destination) = (bits >> 12 & 3, bits >> 15 & 31, bits >> 7 & 31);
    let is_read = bits & 0x7f == SYSTEM && kind >= 2 && source == 0;
    Csr::from_number((bits >> 20) as u16).filter(|_| is_read).map(|at| (at, destination as usize))
}

/// The guest takes the exception of an instruction that it does not have (volume II, "Trap Entry").
pub fn refuse(world: &mut World) {
    const INTERRUPTS: u64 = 1 << 1;
    const BEFORE: u64 = 1 << 5;
    const SUPERVISOR: u64 = 1 << 8;
    let status = get!("vsstatus");
    let before = if status & INTERRUPTS != 0 { BEFORE } else { 0 };
    let from = if world::is_supervisor() { SUPERVISOR } else { 0 };
    put!("csrw", "vsstatus", status & !(INTERRUPTS | BEFORE | SUPERVISOR) | before | from);
    put!("csrw", "vsepc", world.address);
    put!("csrw", "vscause", ILLEGAL);
    put!("csrw", "vstval", get!("stval"));
    world.address = get!("vstvec") & !3;
    world::go_on_in_supervisor_mode();
}
