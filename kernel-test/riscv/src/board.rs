//! What the kernel needs of QEMU's machine "virt" beside [`metal`]: its command line, its host, its timer.

use core::arch::asm;

use harness::{Call, Verdict};

use crate::csr::{self, put};
use crate::identity;

/// The words of the command line: `xtask` has QEMU's loader put them there, and zeros behind them.
pub fn command_line() -> &'static str {
    // SAFETY: the machine has memory there; it is behind the image, and nobody writes it.
    unsafe { harness::words_at(0x83f0_0000) }
}

/// Asks the host: a7 holds the call, a0 and a1 its arguments, and then a0 its answer.
#[inline(always)]
pub fn ask_host(call: Call, first: u64, second: u64) -> u64 {
    let answer: usize;
    // SAFETY: the host changes nothing but a0, and reads memory only for a text.
    unsafe {
        asm!("ecall", inlateout("a0") first as usize => answer, in("a1") second as usize, in("a7") call as usize,
            options(nostack));
    }
    answer as u64
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    metal::end(verdict == Verdict::Passed)
}

/// Instructions of a tick of the clock: it has 10 MHz, and an instruction takes a nanosecond.
pub const TICK: u64 = 100;

/// Orders the timer's interrupt in place of any other, when about so many instructions more have retired. It is there from then
/// on. With 0 none comes any more.
pub fn tick_after(instructions: u64) {
    put!("csrc", "mie" or "sie", 1 << csr::timer());
    if identity::has_host() {
        ask_host(Call::Own, instructions, 0);
    } else if instructions > 0 {
        compare(csr::time() + instructions.div_ceil(TICK));
    }
    if instructions > 0 {
        put!("csrs", "mie" or "sie", 1 << csr::timer());
    }
}

/// Compares the clock with this: by the machine's ACLINT, or by stimecmp (Sstc).
fn compare(time: u64) {
    /// mtimecmp of the first hart.
    const COMPARE: *mut u32 = 0x200_4000 as *mut u32;
    if csr::is_machine() {
        let halves = [u32::MAX, time as u32, (time >> 32) as u32];
        for (half, value) in [1, 0, 1].into_iter().zip(halves) {
            // SAFETY: the register is the timer's, and reaches no memory.
            unsafe { COMPARE.add(half).write_volatile(value) };
        }
    } else {
        #[cfg(target_pointer_width = "32")]
        put!("csrw", "stimecmph", (time >> 32) as usize);
        put!("csrw", "stimecmp", time as usize);
    }
}
