//! The interrupt controller: lets one interrupt of a CPU through, that of its performance-monitoring
//! unit.
//!
//! And two more, which come when they are ordered: the tick of threads, and what wakes another CPU.
//!
//! Arm GIC architecture specification, GICv3 (IHI 0069), chapter 12, by register. QEMU's "virt" has
//! the distributor at 0800_0000H and the redistributors from 080A_0000H on, one security state, and the
//! unit's overflow as private interrupt 7, which is interrupt 23 (QEMU, include/hw/arm/virt.h).

use metal::{get, put};

/// The interrupt of the unit.
pub const OVERFLOW: u64 = 23;
/// The interrupt of the virtual timer, by which threads are switched (DEN 0094, "Base System Architecture", PPI
/// assignments; QEMU, include/hw/arm/bsa.h).
pub const TICK: u64 = 27;
/// The interrupt by which one CPU wakes another: the second of those that software generates.
pub const WAKE: u64 = 1;
/// The answer if there is none (IHI 0069, "Special INTIDs").
pub const NONE: u64 = 1023;

const DISTRIBUTOR: usize = 0x0800_0000;
const REDISTRIBUTORS: usize = 0x080a_0000;
/// Each has a frame of its own and one for a CPU's private interrupts.
const REDISTRIBUTOR: usize = 0x2_0000;
const PRIVATE: usize = 0x1_0000;

/// GICD_CTLR: affinity routing (ARE), interrupts of group 1.
const DISTRIBUTOR_CONTROL: usize = 0;
const ROUTED: u32 = 1 << 4;
const GROUP_1: u32 = 1 << 1;
/// GICR_WAKER: ProcessorSleep and ChildrenAsleep.
const WAKER: usize = 0x14;
const SLEEP: u32 = 1 << 1;
const ASLEEP: u32 = 1 << 2;
/// GICR_IGROUPR0, GICR_ISENABLER0, GICR_ISPENDR0, GICR_ICPENDR0, GICR_ICACTIVER0.
const GROUP: usize = 0x80;
const ENABLE: usize = 0x100;
const SET_PENDING: usize = 0x200;
const CLEAR_PENDING: usize = 0x280;
const CLEAR_ACTIVE: usize = 0x380;

fn register(base: usize, offset: usize) -> *mut u32 {
    (base + offset) as *mut u32
}

fn get(base: usize, offset: usize) -> u32 {
    // SAFETY: these are the controller's registers, and reach no memory.
    unsafe { register(base, offset).read_volatile() }
}

fn set(base: usize, offset: usize, value: u32) {
    // SAFETY: as for `get`.
    unsafe { register(base, offset).write_volatile(value) };
}

fn private(cpu: usize) -> usize {
    REDISTRIBUTORS + cpu * REDISTRIBUTOR + PRIVATE
}

/// Lets this CPU's overflow interrupt through.
pub fn prepare(cpu: usize) {
    set(DISTRIBUTOR, DISTRIBUTOR_CONTROL, ROUTED | GROUP_1);
    let own = REDISTRIBUTORS + cpu * REDISTRIBUTOR;
    set(own, WAKER, get(own, WAKER) & !SLEEP);
    while get(own, WAKER) & ASLEEP != 0 {}
    set(private(cpu), GROUP, !0);
    set(private(cpu), ENABLE, 1 << OVERFLOW | 1 << TICK | 1 << WAKE);
}

/// Lets this level's CPU interface tell of interrupts, whatever their priority.
pub fn open() {
    put!("icc_sre_el1", 0b111);
    put!("icc_pmr_el1", 0xff);
    put!("icc_igrpen1_el1", 1);
}

/// Which interrupt is it? It is active until [`end`].
#[inline(always)]
pub fn acknowledge() -> u64 {
    get!("icc_iar1_el1")
}

/// This interrupt is done with.
#[inline(always)]
pub fn end(interrupt: u64) {
    // SAFETY: it was acknowledged; the return from the exception synchronises.
    unsafe { core::arch::asm!("msr icc_eoir1_el1, {}", in(reg) interrupt, options(nostack)) };
}

/// What an interrupt's entry does: nothing but the unit's overflow is let through.
#[inline(always)]
pub fn service(handle: impl FnOnce()) {
    let interrupt = acknowledge();
    if interrupt == OVERFLOW {
        handle();
        end(interrupt);
    }
}

/// Raises this CPU's overflow interrupt, though no counter overflowed.
pub fn raise(cpu: usize) {
    set(private(cpu), SET_PENDING, 1 << OVERFLOW);
}

/// Wakes this CPU, which waits: an interrupt of group 1 by ICC_SGI1R_EL1, its number and its target among those of
/// affinity 0.0.0.
pub fn wake(cpu: usize) {
    put!("icc_sgi1r_el1", WAKE << 24 | 1 << cpu);
}

/// Forgets an interrupt that nobody took, or that nobody ended: its handler panicked.
pub fn forget(cpu: usize) {
    set(private(cpu), CLEAR_PENDING, !0);
    set(private(cpu), CLEAR_ACTIVE, !0);
    put!("icc_ap1r0_el1", 0);
}
