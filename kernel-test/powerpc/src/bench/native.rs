//! How many instructions does a piece of code retire on a board whose hypervisor state the kernel has for itself?
//!
//! QEMU is told there to let an instruction take 8 ns (`xtask/src/kernel/powerpc.rs`), and the time base ticks 512 million
//! times a second (QEMU, include/hw/ppc/pnv.h, PNV_TIMEBASE_FREQ): 4.096 times an instruction, so that rounding to the
//! nearest is exact. Its readings are kept in registers that nothing else uses meanwhile, so that the code in between is
//! compiled as it would be without.

use core::arch::asm;

use harness::bench::Bench;
use pmu::{Event, Request};

use super::Hosted;
use crate::family;

/// This kernel on QEMU's own unit.
pub(super) struct Native;

impl Bench for Native {
    fn name() -> &'static str {
        Hosted::name()
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        read_time_base!(304);
        let result = work();
        read_time_base!(305);
        (elapsed(), result)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        Hosted::exactly(instructions);
    }

    /// QEMU's unit counts a cycle each nanosecond.
    fn overflowing<const N: usize>(period: u64) -> [Request; N] {
        const CYCLES: u64 = 8;
        family::one_an_instruction().map(|request| match request.event {
            Event::INSTRUCTIONS => request.every(period),
            _ => request.every(period * CYCLES),
        })
    }

    #[inline(always)]
    fn read_as_program(index: u32) -> u64 {
        Hosted::read_as_program(index)
    }
}

/// Puts a reading into HSPRG0 (304) or HSPRG1 (305), by way of SPRG1 (Power ISA Book III, "Software-use SPRs").
macro_rules! read_time_base {
    ($place:literal) => {
        // SAFETY: the kernel is in hypervisor state, and nobody else uses these registers there.
        unsafe {
            asm!(
                "mtspr 273, 3",
                "mftb 3",
                "mtspr {place}, 3",
                "mfspr 3, 273",
                place = const $place,
                options(nostack, preserves_flags)
            );
        }
    };
}

use read_time_base;

/// From the first reading to the second, less the stopwatch's own: behind the first two instructions, and one before the
/// second and that itself.
#[inline(never)]
fn elapsed() -> u64 {
    const OWN: u64 = 4;
    /// Ticks of 1,000 instructions.
    const TICKS: u64 = 4096;
    let (begin, end): (u64, u64);
    // SAFETY: it reads registers that hold nothing but readings.
    unsafe { asm!("mfspr {}, 304", "mfspr {}, 305", out(reg) begin, out(reg) end, options(nostack, nomem)) };
    ((end - begin) * 1000 + TICKS / 2) / TICKS - OWN
}
