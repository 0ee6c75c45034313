//! The interrupt controller, as far as a unit's interrupt needs it: a GICv3 with one security state, at QEMU's
//! addresses (Arm GIC architecture specification, IHI 0069, chapter 12, "Programmers' model").

use core::arch::asm;

/// No interrupt waits (IHI 0069, "Special INTIDs").
pub const NONE: u32 = 1023;

const DISTRIBUTOR: usize = 0x0800_0000;
/// Each CPU has a redistributor: 64 KiB for itself and 64 KiB for its private interrupts.
const REDISTRIBUTORS: usize = 0x080a_0000;

fn register(address: usize) -> *mut u32 {
    address as *mut u32
}

/// Enables a private interrupt (PPI) of the CPU that runs this, and opens its interface. Each CPU does so for itself.
pub fn enable(cpu: u32, interrupt: u32) {
    let own = REDISTRIBUTORS + cpu as usize * 0x2_0000;
    let private = own + 0x1_0000;
    // SAFETY: these are registers of the controller, and reach no memory.
    unsafe {
        register(DISTRIBUTOR).write_volatile(1 << 4 | 1 << 1); // GICD_CTLR: ARE, EnableGrp1
        let waker = register(own + 0x14); // GICR_WAKER: ProcessorSleep, ChildrenAsleep
        waker.write_volatile(waker.read_volatile() & !(1 << 1));
        while waker.read_volatile() & 1 << 2 != 0 {}
        register(private + 0x80).write_volatile(!0); // GICR_IGROUPR0
        register(private + 0x100).write_volatile(1 << interrupt); // GICR_ISENABLER0
    }
    // SAFETY: the interface passes on interrupts of group 1, of any priority; the vector has a handler.
    unsafe {
        asm!("msr icc_sre_el1, {}", "isb", "msr icc_pmr_el1, {}", "msr icc_igrpen1_el1, {}", "isb",
            in(reg) 0b111_u64, in(reg) 0xff_u64, in(reg) 1_u64, options(nostack))
    };
}

/// Returns the interrupt that came. It is active until [`end`].
pub fn acknowledge() -> u32 {
    let interrupt: u64;
    // SAFETY: the handler asks once, and ends what it is told.
    unsafe { asm!("mrs {}, icc_iar1_el1", out(reg) interrupt, options(nostack)) };
    interrupt as u32
}

/// Ends it.
pub fn end(interrupt: u32) {
    // SAFETY: it was acknowledged; the return from the exception synchronises.
    unsafe { asm!("msr icc_eoir1_el1, {}", in(reg) u64::from(interrupt), options(nostack)) };
}
