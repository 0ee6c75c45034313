//! What the test kernels and the hypervisors need of QEMU's machines beside a unit: how text is printed and how QEMU ends; on
//! x86 how an image begins, and the control block of a virtual machine; on AArch64 system registers, and the way into a guest
//! and out of it.
//!
//! Each instruction set's part is a module. All have `print` and `end`.

#![no_std]

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod riscv;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use core::fmt;

#[cfg(target_arch = "aarch64")]
pub use crate::aarch64::{command_line, end, print, world};
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use crate::riscv::{end, print};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use crate::x86::{boot, end, print, vmcb};

/// The machine's first serial port, for `write!`.
#[derive(Clone, Copy, Debug)]
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print(text);
        Ok(())
    }
}

/// Prints a line to the [`Console`].
#[macro_export]
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::Console, $($arguments)*);
    }};
}
