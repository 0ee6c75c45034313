//! Access to the unit's real registers, and what a kernel promises for it.
//!
//! There is no entry here: a trap handler of SPARC is a few instructions in the kernel's own trap table, which must
//! respect its windows. Trap 4FH (level 15) clears bit 15 of SOFTINT, and calls
//! [`Unit::on_overflow`](crate::Unit::on_overflow).
//!
//! `pmu::arch::detect` reads the version register, for which no hypervisor may be above the kernel. A kernel above one
//! (UltraSPARC T1 to SPARC T3) knows its processor's name, and calls
//! [`Niagara::detect`](super::niagara::Niagara::detect).

pub(in crate::arch) mod door;

use core::arch::asm;

use super::{Asr, Half, Ver};
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// PSTATE.IE ("The SPARC Architecture Manual, Version 9", section 5.2.1, "Processor State Register (PSTATE)").
const ENABLE: u64 = 1 << 1;
/// This CPU's unit, accessed by RD and WR.
///
/// Its size is that of the kernel's value `K`, usually 0.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Claims this CPU's unit for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in privileged or hyperprivileged state;
    /// - nobody else programs this CPU's unit;
    /// - trap 4FH has a handler that may run between any two instructions while PSTATE.IE is set and PIL is below 15,
    ///   that clears bit 15 of SOFTINT before it calls this crate, and that returns with every register as it was.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }

    /// Returns the processor's version. Above a hypervisor (T1 to T3) a kernel cannot read it, and traps.
    #[must_use]
    pub fn version(&self) -> Ver {
        let value;
        // SAFETY: the claim promised privileged state, where reading VER has no effect.
        unsafe { asm!("rdpr %ver, {}", out(reg) value, options(nomem, nostack, preserves_flags)) };
        Ver::from_bits(value)
    }
}

impl<K: Kernel> Registers for Hardware<K> {
    type Address = Asr;
    type Index = Half;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: Asr) -> u64 {
        match at {
            Asr::Pcr => read_control(),
            Asr::Pic => read_counters(),
        }
    }

    #[inline(always)]
    fn write(&self, at: Asr, value: u64) {
        match at {
            Asr::Pcr => write_control(value),
            Asr::Pic => write_counters(value),
        }
    }

    #[inline(always)]
    fn read_counter(&self, half: Half) -> u64 {
        half.in_pic(read_counters())
    }

    /// Shifts out bit 63 (NPT), which is no part of the clock ("The SPARC Architecture Manual, Version 9", section 5.1.4.1,
    /// "Tick Register (TICK)"): the compiler takes six instructions for a mask of the others.
    #[inline(always)]
    fn ticks(&self) -> u64 {
        let value;
        // SAFETY: reads a clock, which the claim's privileged state permits.
        unsafe {
            asm!(
                "rdpr %tick, {0}",
                "sllx {0}, 1, {0}",
                "srlx {0}, 1, {0}",
                out(reg) value,
                options(nostack, preserves_flags)
            );
        }
        value
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        let before = read_state();
        write_state(before & !ENABLE);
        Masked::from_bits(before)
    }

    /// Uses no other bit of `before`, because safe code can create any value.
    #[inline(always)]
    fn unmask(&self, before: Masked) {
        write_state(read_state() | before.bits() & ENABLE);
    }

    /// Keeps the compiler from moving memory accesses. A thread and the interrupt on its own CPU need no MEMBAR.
    #[inline(always)]
    fn fence(&self) {
        // SAFETY: there is no instruction.
        unsafe { asm!("", options(nostack, preserves_flags)) };
    }
}

#[inline(always)]
fn read_control() -> u64 {
    let value;
    // SAFETY: the claim promised privileged state, where reading %pcr has no effect.
    unsafe { asm!("rd %asr16, {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

#[inline(always)]
fn write_control(value: u64) {
    // SAFETY: the claim promised that the unit is nobody else's; counters change no memory.
    unsafe { asm!("wr {}, 0, %asr16", in(reg) value, options(nostack, preserves_flags)) };
}

#[inline(always)]
fn read_counters() -> u64 {
    let value;
    // SAFETY: reading %pic has no effect.
    unsafe { asm!("rd %asr17, {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

/// On UltraSPARC II a read of %pic may not see the write before it, unless the write is the first instruction of a line of
/// 64 bytes and a read follows at once (torvalds/linux arch/sparc/kernel/pcr.c, `direct_pic_write`, which names it the
/// Blackbird's first erratum). It costs three instructions at each preset, and is done on every processor.
#[inline(always)]
fn write_counters(value: u64) {
    // SAFETY: the claim promised that the unit is nobody else's; counters change no memory. The branch is to the line.
    unsafe {
        asm!(
            "ba,pt %xcc, 2f",
            "nop",
            ".p2align 6",
            "2: wr {}, 0, %asr17",
            "rd %asr17, %g0",
            in(reg) value,
            options(nostack, preserves_flags)
        );
    }
}

#[inline(always)]
fn read_state() -> u64 {
    let value;
    // SAFETY: the claim promised privileged state, where reading PSTATE has no effect. `nomem` is left out so that the
    // compiler keeps what comes before and after where it is.
    unsafe { asm!("rdpr %pstate, {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

#[inline(always)]
fn write_state(value: u64) {
    // SAFETY: the claim promised privileged state, and callers change no bit but IE.
    unsafe { asm!("wrpr {}, 0, %pstate", in(reg) value, options(nostack, preserves_flags)) };
}

/// Reads counters in a user program, without a system call. The program could write them as well.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// Claims the counters for reading.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used, the kernel has opened the counters to user programs
    /// ([`Pmu::lend`](crate::Pmu::lend)).
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, half: Half) -> u64 {
        half.in_pic(read_counters())
    }
}
