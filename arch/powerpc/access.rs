//! How the unit's real registers are reached: what a kernel promises, and then has.
//!
//! The instructions that have a register's number in them are in `access/spr.rs` and `access/pmr.rs`, and
//! those that a session's readings call in `access/reader.rs`; those that have none are here.

mod pmr;
mod reader;
mod spr;

use core::arch::asm;

use super::{Pmr, Pvr, Spr};
use crate::registers::{Registers, Shortcut};

/// This CPU's unit, by MFSPR and MTSPR: Book3S 64, and 604 to 7450.
///
/// It has no size: a driver over it costs what the instructions cost.
#[derive(Clone, Copy, Debug)]
pub struct Hardware(());

impl Hardware {
    /// The last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in supervisor or hypervisor state;
    /// - nobody else programs this CPU's unit, and what is above the kernel lets it (HFSCR\[PM\]);
    /// - this crate's code stays at its addresses while there is a session or a context: one that is open keeps
    ///   those of the instructions that read its counters;
    /// - the exception vector F00H has a handler that may come between any two instructions while
    ///   MSR\[EE\] is set, and that returns to what it interrupted with every register as it was.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Which processor this is.
    #[must_use]
    pub fn version(&self) -> Pvr {
        version()
    }

    /// The machine state register; its bit 60 says whether the kernel is its own hypervisor.
    #[must_use]
    pub fn machine_state(&self) -> u64 {
        let value: usize;
        // SAFETY: claim() promised supervisor state, where reading MSR has no effect.
        unsafe { asm!("mfmsr {}", out(reg) value, options(nomem, nostack, preserves_flags)) };
        value as u64
    }
}

fn version() -> Pvr {
    let value: usize;
    // SAFETY: both claims promised supervisor state, where reading PVR has no effect.
    unsafe { asm!("mfspr {}, 287", out(reg) value, options(nomem, nostack, preserves_flags)) };
    Pvr::from_bits(value as u32)
}

impl Registers for Hardware {
    type Address = Spr;
    type Index = Spr;

    #[inline(always)]
    fn read(&self, at: Spr) -> u64 {
        spr::read(at) as u64
    }

    /// What controls the unit is in force before the next instruction: ISYNC follows (Power ISA Book
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
        spr::read_known_counter(index) as u64
    }

    #[inline(always)]
    fn read_any_counter(&self, index: Spr) -> u64 {
        spr::read_counter(index) as u64
    }

    /// The instruction that reads the counter is found once: what is kept is its address, which stays as it is
    /// while the kernel's code is where it is.
    #[inline(always)]
    fn shortcut(&self, index: Spr) -> Shortcut<Self> {
        Shortcut::new(index, reader::find(index))
    }

    #[inline(always)]
    fn read_by(&self, shortcut: Shortcut<Self>) -> u64 {
        reader::call(shortcut) as u64
    }

    #[inline(always)]
    fn write_counter(&self, at: Spr, value: u64) {
        spr::write_known_counter(at, value as usize);
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        time_base()
    }

    #[inline(always)]
    fn fence(&self) {
        fence();
    }
}

/// This CPU's unit, by MFPMR and MTPMR: e300 and e500.
#[derive(Clone, Copy, Debug)]
pub struct Embedded(());

impl Embedded {
    /// The last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in supervisor state;
    /// - nobody else programs this CPU's unit;
    /// - the performance monitor's exception (IVOR35; F00H on e300) has a handler that may come
    ///   between any two instructions while MSR\[EE\] is set, and that returns to what it
    ///   interrupted with every register as it was.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Which processor this is.
    #[must_use]
    pub fn version(&self) -> Pvr {
        version()
    }
}

impl Registers for Embedded {
    type Address = Pmr;
    type Index = Pmr;

    #[inline(always)]
    fn read(&self, at: Pmr) -> u64 {
        pmr::read(at) as u64
    }

    /// What controls the unit is in force before the next instruction ("PowerPC e500 Core Family
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
    fn fence(&self) {
        fence();
    }
}

#[inline(always)]
fn synchronize() {
    // SAFETY: waits for what came before, and does nothing else.
    unsafe { asm!("isync", options(nostack, preserves_flags)) };
}

/// The compiler's fence makes LLVM write HWSYNC here, which waits until other CPUs have seen every store:
/// nothing that a thread and the interrupt on its own CPU need. Assembly that may touch memory, and does
/// not, keeps the compiler as well.
#[inline(always)]
fn fence() {
    // SAFETY: there is no instruction.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// On a processor of 32 bits the upper half may change between two readings: it is then read with
/// the lower half that came after it.
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

/// Counters as a user program reads them, without the kernel: by their copies.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the kernel has opened the counters to problem state
    /// ([`Pmu::lend`](crate::Pmu::lend)), and those that are read are there.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter, by its own register or by the copy: their numbers are alike in what is looked at.
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

    /// The time base, in ticks of its own.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        time_base()
    }
}
