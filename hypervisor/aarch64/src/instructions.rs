//! The guest's instructions that are trapped: accesses to the unit and to ID registers, and interrupts that the guest sends
//! itself. Others are not the guest's.

use metal::world::World;
use metal::{get, put};
use pmu::Mode;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::arch::aarch64::{Exception, TrappedAccess};
use pmu::virt::Unconnected;

use crate::world::EL1;
use crate::{identification, interrupts};

/// The exception of an instruction that there is not (ESR_EL1, EC 0, of 32 bits).
pub const UNDEFINED: Exception = Exception { level: Mode::Kernel, syndrome: 1 << 25 };
/// The number of ICC_SGI1R_EL1 among the system registers: op0 3, op1 0, CRn 12, CRm 11, op2 5.
const SEND: u16 = 0b11 << 14 | 12 << 7 | 11 << 3 | 5;

/// Carries out a trapped MRS or MSR.
///
/// # Errors
/// The exception that the guest takes. The instruction has not retired then.
pub fn carry_out(unit: &Device<Unconnected>, identity: &Identity, world: &mut World) -> Result<(), Exception> {
    let (syndrome, mode) = (get!("esr_el2"), world.mode());
    let (number, is_read, general) = decode(syndrome);
    let mut unused = 0;
    let general = world.registers.get_mut(general).unwrap_or(&mut unused);
    if let (true, Some(value)) = (is_read, identification::read(identity, number, mode)) {
        *general = value;
    } else if let Some(access) = TrappedAccess::from_syndrome(syndrome) {
        return unit.answer(mode, access, &mut world.registers).map_err(|fault| access.exception(fault, mode));
    } else if let (false, SEND) = (is_read, number) {
        interrupts::send(*general);
    } else {
        return Err(UNDEFINED);
    }
    Ok(())
}

/// Returns the number of the system register, whether it is read, and the general register, of which 31 is none (DDI 0487, "ISS
/// encoding for an exception from MSR, MRS": op0 20, op2 17, op1 14, CRn 10, Rt 5, CRm 1, read 0).
fn decode(syndrome: u64) -> (u16, bool, usize) {
    let field = |at: u32, bits: u32, to: u32| (syndrome >> at & ((1 << bits) - 1)) << to;
    let number = field(20, 2, 14) | field(14, 3, 11) | field(10, 4, 7) | field(1, 4, 3) | field(17, 3, 0);
    (number as u16, syndrome & 1 != 0, field(5, 5, 0) as usize)
}

/// The guest's kernel takes an exception (DDI 0487, "Exception entry").
pub fn refuse(world: &mut World, exception: Exception) {
    /// PSTATE.PAN, and SCTLR_EL1.SPAN, without which an exception sets it.
    const NO_USER_ACCESS: u64 = 1 << 22;
    const KEEPS_USER_ACCESS: u64 = 1 << 23;
    /// The vectors of EL1 by its own stack pointer, of EL0, and of programs of 32 bits, whose states have a bit (M\[4\]).
    const OF_KERNEL: u64 = 0x200;
    const OF_USER: u64 = 0x400;
    const OF_USER_32: u64 = 0x600;
    const IS_32: u64 = 1 << 4;
    put!("esr_el1", exception.syndrome);
    put!("elr_el1", world.address);
    put!("spsr_el1", world.state);
    let vector = match world.mode() {
        Mode::User if world.state & IS_32 != 0 => OF_USER_32,
        Mode::User => OF_USER,
        _ if world.state & 1 == 0 => 0,
        _ => OF_KERNEL,
    };
    let set = if get!("sctlr_el1") & KEEPS_USER_ACCESS == 0 { NO_USER_ACCESS } else { 0 };
    world.address = get!("vbar_el1") + vector;
    world.state = world.state & NO_USER_ACCESS | set | EL1;
}
