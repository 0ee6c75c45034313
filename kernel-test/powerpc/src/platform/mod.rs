//! How the kernel speaks and how it ends, on each of QEMU's boards.

#[cfg(target_pointer_width = "32")]
mod beige;
#[cfg(target_pointer_width = "32")]
mod mpc8544;
#[cfg(target_pointer_width = "32")]
mod panic_device;
#[cfg(target_pointer_width = "32")]
mod pci;
#[cfg(target_pointer_width = "64")]
mod powernv;
#[cfg(target_pointer_width = "64")]
pub mod pseries;

use harness::Verdict;
/// The console is the board's, or above the host the host's.
pub use harness::{Console, println};

#[cfg(target_pointer_width = "32")]
use crate::book_e;

/// Writes to the board's console.
pub fn print(text: &str) {
    text.bytes().for_each(send);
}

/// Makes the console speak.
#[cfg(target_pointer_width = "32")]
pub fn prepare() {
    if book_e::is_here() { mpc8544::prepare() } else { beige::prepare() }
}

/// The console speaks already.
#[cfg(target_pointer_width = "64")]
pub fn prepare() {}

#[cfg(target_pointer_width = "32")]
fn send(byte: u8) {
    if book_e::is_here() { mpc8544::send(byte) } else { beige::send(byte) }
}

#[cfg(target_pointer_width = "64")]
fn send(byte: u8) {
    if is_hypervisor() { powernv::send(byte) } else { pseries::send(byte) }
}

/// Ends the machine; QEMU's exit status is 0 if all is well, else 1.
#[cfg(target_pointer_width = "32")]
pub fn exit(verdict: Verdict) -> ! {
    if book_e::is_here() { mpc8544::exit(verdict) } else { beige::exit(verdict) }
}

/// Ends the machine; QEMU's exit status is 0 if all is well, else 1.
#[cfg(target_pointer_width = "64")]
pub fn exit(verdict: Verdict) -> ! {
    if is_hypervisor() { powernv::exit(verdict) } else { pseries::exit(verdict) }
}

/// Is this kernel its own hypervisor? (Power ISA Book III, "Machine State Register": bit 3, HV.)
#[cfg(target_pointer_width = "64")]
pub fn is_hypervisor() -> bool {
    crate::processor::machine_state() >> 60 & 1 == 1
}

/// The words of the command line: `xtask` has QEMU's loader put them there, eight bytes at a time, and zeros behind them.
pub fn command_line() -> &'static str {
    // SAFETY: every board has memory there; it is behind the image, and nobody writes it.
    unsafe { harness::words_at(0x0500_0000) }
}
