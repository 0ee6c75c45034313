//! The guest on AArch64, at EL1: the hypervisor traps the unit's registers.

use super::board::Board;
use super::device_tree;
use crate::identity::Identity;
use crate::kernel::{Kernel, aarch64};
use crate::program::{AARCH64_COMPILER, AARCH64_STATIC_LIBRARY};
use crate::setup::Foreign;

pub(super) const BOARD: Board = Board {
    name: "aarch64",
    // With event counters of 32 bits, and of 64.
    identities: &[Identity::CortexA76, Identity::Max],
    kernel: Kernel::Aarch64,
    machine: aarch64::machine_of_hypervisor,
    // `hypervisor/aarch64/src/linux.rs`.
    linux_at: 0x4120_0000,
    device_tree_at: 0x4500_0000,
    initramfs_at: 0x4520_0000,
    // `quiet` keeps all but errors off the serial port. The rest is the beginning of what Linux' driver says.
    command_line: "console=ttyAMA0 quiet panic=-1 driver=enabled_with_armv8_pmuv3_PMU_driver,_7_counters_available",
    device_tree: device_tree::aarch64,
    // Debian's kernel for machines that are themselves emulated, which has few drivers.
    package: "linux-image-cloud-arm64",
    archive: Foreign { architecture: "arm64", release: "bookworm" },
    target: "aarch64-unknown-linux-gnu",
    compiler: AARCH64_COMPILER,
    library: AARCH64_STATIC_LIBRARY,
};
