//! Proves that the overflow interrupt cannot panic: this library links only if it cannot.
//!
//! It is a kernel reduced to its interrupt entries: on x86 one for each way to the local APIC, one for each family, and
//! one for a family that was found out; on x86 of 32 bits one for its own families; on AArch64 one for each level; on
//! PowerPC one for each width of registers; on RISC-V that of the firmware's software event. The handlers of other instruction
//! sets' drivers, which have no entry, are beside x86's, and so are those of its samplers. Its panic handler calls a function that
//! nobody defines: a linker that drops what the entries do
//! not reach misses that function if, and only if, a panic can be reached. `cargo xtask test --only proofs` links it,
//! and walks through what was linked for x86. Two functions beside the entries name events, to see which tables are
//! linked for that.

#![no_std]

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod elsewhere;
#[cfg(target_arch = "riscv64")]
mod event;
#[cfg(target_arch = "x86_64")]
mod names;
#[cfg(any(target_arch = "powerpc64", target_arch = "powerpc"))]
mod pmi;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86")]
mod x86_32;

use pmu::Interrupted;

#[cfg(not(feature = "bad"))]
fn panic_on_purpose(_: Interrupted) {}

/// The negative control.
#[cfg(feature = "bad")]
fn panic_on_purpose(at: Interrupted) {
    assert_ne!(at.address, 5);
}

unsafe extern "C" {
    fn a_panic_is_reachable_from_the_interrupt() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: it is never executed; what is linked with it is thrown away.
    unsafe { a_panic_is_reachable_from_the_interrupt() }
}
