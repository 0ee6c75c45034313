//! Where Linux, its device tree and its first file system are, which QEMU has loaded.

use crate::memory::GUEST;

/// Where Linux begins, which is a multiple of 2 MiB (the kernel's documentation, "Booting AArch64 Linux").
pub const ENTRY: u64 = GUEST.start + 0x20_0000;
/// The device tree.
pub const DEVICE_TREE: u64 = GUEST.start + 0x400_0000;
