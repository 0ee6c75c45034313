//! Access to the unit's real registers, and what a kernel promises for it.
//!
//! The instructions that contain a register's number are in `access/spr.rs` and `access/pmr.rs`, those that mask
//! interrupts in `access/state.rs`, and all others here.

#[cfg(target_pointer_width = "64")]
mod detected;
pub(in crate::arch) mod door;
mod pmr;
mod spr;
mod state;

use core::arch::asm;

use super::{Pmr, Pvr, Spr};
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This CPU's unit, accessed by MFSPR and MTSPR: Book3S 64, and 604 to 7450.
///
/// Its size is that of the kernel's value `K`, usually 0.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Claims this CPU's unit for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in supervisor or hypervisor state;
    /// - nobody else programs this CPU's unit, and a hypervisor above the kernel permits its use (HFSCR\[PM\]);
    /// - this crate's code stays at its addresses while there is a session or a context, which keeps the
    ///   addresses of the instructions that read its counters;
    /// - the exception vector F00H has a handler that may run between any two instructions while
    ///   MSR\[EE\] is set, and that returns with every register as it was.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }

    /// Returns the processor's version.
    #[must_use]
    pub fn version(&self) -> Pvr {
        version()
    }

    /// Returns the machine state register. Bit 60 is set if the kernel is its own hypervisor.
    #[must_use]
    pub fn machine_state(&self) -> u64 {
        state::read() as u64
    }
}

fn version() -> Pvr {
    let value: usize;
    // SAFETY: both claims promised supervisor state, where reading PVR has no effect.
    unsafe { asm!("mfspr {}, 287", out(reg) value, options(nomem, nostack, preserves_flags)) };
    Pvr::from_bits(value as u32)
}

impl<K: Kernel> Registers for Hardware<K> {
    type Address = Spr;
    type Index = Spr;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: Spr) -> u64 {
        spr::read(at) as u64
    }

    /// A write to a control register takes effect before the next instruction: ISYNC follows (Power ISA Book
    /// III, "Synchronization Requirements for Context Alterations").
    #[inline(always)]
    fn write(&self, at: Spr, value: u64) {
        spr::write(at, value as usize);
        if !spr::is_counter(at) {
            synchronize();
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Spr) -> u64 {
        spr::read_counter(index) as u64
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        time_base()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        state::mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        state::unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        fence();
    }
}

/// This CPU's unit, accessed by MFPMR and MTPMR: e300 and e500.
#[derive(Clone, Copy, Debug)]
pub struct Embedded<K = OneCpu>(K);

impl<K: Kernel> Embedded<K> {
    /// Claims this CPU's unit for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in supervisor state;
    /// - nobody else programs this CPU's unit;
    /// - the performance monitor's exception (IVOR35; F00H on e300) has a handler that may run
    ///   between any two instructions while MSR\[EE\] is set, and that returns with every register as
    ///   it was.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }

    /// Returns the processor's version.
    #[must_use]
    pub fn version(&self) -> Pvr {
        version()
    }
}

impl<K: Kernel> Registers for Embedded<K> {
    type Address = Pmr;
    type Index = Pmr;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: Pmr) -> u64 {
        pmr::read(at) as u64
    }

    /// A write to a control register takes effect before the next instruction ("PowerPC e500 Core Family
    /// Reference Manual", section 7.2.2: an ISYNC must follow a write).
    #[inline(always)]
    fn write(&self, at: Pmr, value: u64) {
        pmr::write(at, value as usize);
        synchronize();
    }

    #[inline(always)]
    fn read_counter(&self, index: Pmr) -> u64 {
        pmr::read(index) as u64
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        time_base()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        state::mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        state::unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        fence();
    }
}

#[inline(always)]
fn synchronize() {
    // SAFETY: waits for what came before, and does nothing else.
    unsafe { asm!("isync", options(nostack, preserves_flags)) };
}

/// Keeps the compiler from moving memory accesses. For the compiler's own fence LLVM emits HWSYNC, which waits until
/// other CPUs have seen every store. A thread and the interrupt on its own CPU do not need that. An empty assembly
/// block that may access memory is enough.
#[inline(always)]
fn fence() {
    // SAFETY: there is no instruction.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// Reads the time base. With registers of 32 bits the upper half may change between two readings; the lower half is
/// then read again.
#[inline(always)]
fn time_base() -> u64 {
    let (upper, lower, again) = (time_base_upper(), time_base_lower(), time_base_upper());
    if size_of::<usize>() == 8 {
        lower as u64
    } else if upper == again {
        (upper as u64) << 32 | lower as u64
    } else {
        (again as u64) << 32 | time_base_lower() as u64
    }
}

#[inline(always)]
fn time_base_lower() -> usize {
    let value;
    // SAFETY: reads a clock; on a processor of 64 bits all of it.
    unsafe { asm!("mftb {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

#[inline(always)]
fn time_base_upper() -> usize {
    if size_of::<usize>() == 8 {
        return 0;
    }
    let value;
    // SAFETY: reads a clock.
    unsafe { asm!("mftbu {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

/// Reads counters in a user program, by their user copies, without a system call.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// Claims the counters for reading.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the counters that are read exist and the kernel has opened them
    /// to problem state ([`Pmu::lend`](crate::Pmu::lend)).
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter, by its own register or by the copy. The part of the number that is used is the same.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, at: Spr) -> u64 {
        spr::read_copy(at) as u64
    }

    /// Reads an embedded core's counter, by its own register or by the copy.
    #[inline(always)]
    #[must_use]
    pub fn read_monitor(&self, at: Pmr) -> u64 {
        pmr::read(at.user()) as u64
    }

    /// Reads the time base.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        time_base()
    }
}
