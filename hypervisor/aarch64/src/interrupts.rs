//! The guest's interrupts.
//!
//! The machine's interrupts come to the host (HCR_EL2.IMO), which passes on those of the guest's devices by list registers of
//! the virtual interrupt controller ("Arm Generic Interrupt Controller", GICv3, IHI 0069, ICH_LR`<n>`_EL2). The distributor is
//! the guest's: it enables its interrupts there. The guest ends one, and the machine's controller hears of it.
//!
//! A list register is for one source: 0 for the unit, 1 for the timer, 2 for what the guest sends itself, 3 for the serial port.

use metal::{get, put};
use pmu::arch::aarch64::pmuv3::Device;
use pmu::virt::Unconnected;

/// Interrupts of the machine: the unit, which the host uses, and the virtual timer (QEMU, include/hw/arm/bsa.h). Those from 32 on
/// are the devices', of which the guest has one.
const OVERFLOW: u64 = 23;
const TIMER: u64 = 27;
const DEVICES: u64 = 32;
/// The first number that says that there is none (IHI 0069, "INTIDs").
const NONE: u64 = 1020;

/// Fields of a list register: pending, active; of the machine too (HW), which has its number there; group 1; a priority that
/// lets every other one wait.
const PENDING: u64 = 1 << 62;
const ACTIVE: u64 = 1 << 63;
const OF_MACHINE: u64 = 1 << 61;
const NUMBER_THERE: u32 = 32;
const GROUP_1: u64 = 1 << 60;
const PRIORITY: u64 = 0xa0 << 48;

/// GICR_ISENABLER0 of the first processor, in the second frame of its redistributor, at 080A_0000H on this machine.
const ENABLED: *const u32 = 0x080b_0100 as *const u32;

/// Gives the guest its interrupt controller, and the host the machine's.
pub fn open() {
    /// ICC_CTLR_EL1.EOImode: the end of an interrupt does not deactivate it.
    const DROP_ONLY: u64 = 1 << 1;
    put!("icc_sre_el2", 0b1111);
    put!("icc_pmr_el1", 0xff);
    put!("icc_ctlr_el1", DROP_ONLY);
    put!("icc_igrpen1_el1", 1);
    put!("ich_hcr_el2", 1);
}

/// The guest is left by an interrupt of the machine: passes it on, unless it is the host's clock.
pub fn take() {
    let number = get!("icc_iar1_el1");
    if number >= NONE {
        return;
    }
    put!("icc_eoir1_el1", number);
    let register = PENDING | OF_MACHINE | GROUP_1 | PRIORITY | number << NUMBER_THERE | number;
    match number {
        TIMER => put!("ich_lr1_el2", register),
        DEVICES.. => put!("ich_lr3_el2", register),
        _ => put!("icc_dir_el1", number),
    }
}

/// Makes the unit's interrupt pending in the guest, if the unit asserts it, and takes it back otherwise. Returns true if it was
/// not pending before.
pub fn after(unit: &Device<Unconnected>) -> bool {
    let before = get!("ich_lr0_el2");
    let is_pending = unit.is_asserted() && is_enabled(OVERFLOW);
    let pending = if is_pending { PENDING } else { 0 };
    if before & PENDING != pending {
        put!("ich_lr0_el2", before & ACTIVE | pending | GROUP_1 | PRIORITY | OVERFLOW);
    }
    is_pending && before & PENDING == 0
}

/// The guest has written ICC_SGI1R_EL1: an interrupt for these processors, of which there is one. A guest that sends a second
/// number before it has ended the first needs a list register for each; Linux on one processor sends itself one number alone,
/// for its deferred work.
pub fn send(value: u64) {
    const TO_ALL_OTHERS: u64 = 1 << 40;
    const FIRST: u64 = 1;
    if value & TO_ALL_OTHERS == 0 && value & FIRST != 0 {
        let number = value >> 24 & 0xf;
        let before = get!("ich_lr2_el2");
        put!("ich_lr2_el2", before & ACTIVE | PENDING | GROUP_1 | PRIORITY | number);
    }
}

/// Is an interrupt pending in the guest?
pub fn is_pending() -> bool {
    (get!("ich_lr0_el2") | get!("ich_lr1_el2") | get!("ich_lr2_el2") | get!("ich_lr3_el2")) & PENDING != 0
}

/// Has the guest enabled this private interrupt?
fn is_enabled(number: u64) -> bool {
    // SAFETY: this register is the interrupt controller's, and reading it changes nothing.
    unsafe { ENABLED.read_volatile() >> number & 1 != 0 }
}
