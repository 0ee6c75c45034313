//! Where the guest's kernel and its device tree are, which QEMU has loaded.

use crate::memory::GUEST;

/// Where the kernel begins: a multiple of 2 MiB, as Linux wants it (the kernel's documentation, "Boot image header in RISC-V
/// Linux").
pub const ENTRY: u64 = GUEST.start;
/// The device tree of Linux.
pub const DEVICE_TREE: u64 = 0x8400_0000;
