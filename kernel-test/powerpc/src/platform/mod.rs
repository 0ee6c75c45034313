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

use core::fmt::{self, Write};

use harness::{Guest, Verdict};

#[cfg(target_pointer_width = "32")]
use crate::book_e;
use crate::guest::Here;
use crate::world::{self, World};

/// The console, for `write!`: the board's, or above the host the host's.
#[derive(Debug)]
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if world::of_guest() == Some(World::Host) {
            Here::print(text)
        } else {
            print(text)
        }
        Ok(())
    }
}

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

/// Prints a line to the console.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::platform::Console, $($arguments)*);
    }};
}

pub(crate) use println;
