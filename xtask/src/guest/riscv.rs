//! The guest on RISC-V, in VS mode: its unit is the firmware's, by calls of the SBI, which the hypervisor answers.

use super::board::Board;
use super::device_tree;
use crate::identity::Identity;
use crate::kernel::{Kernel, riscv};
use crate::program::{RISCV_COMPILER, RISCV_STATIC_LIBRARY};
use crate::setup::Foreign;

pub(super) const BOARD: Board = Board {
    name: "riscv",
    identities: &[Identity::Rv64Sbi],
    kernel: Kernel::Riscv64,
    machine: |_| riscv::machine_of_hypervisor(),
    // `hypervisor/riscv/src/linux.rs`.
    linux_at: 0x8020_0000,
    device_tree_at: 0x8400_0000,
    initramfs_at: 0x8420_0000,
    // `quiet` keeps all but errors off the serial port. The rest is the beginning of what Linux' driver says.
    command_line: "console=ttyS0 quiet panic=-1 driver=SBI_PMU_extension_is_available",
    device_tree: device_tree::riscv,
    // Debian 12 has no kernel for RISC-V.
    package: "linux-image-riscv64",
    archive: Foreign { architecture: "riscv64", release: "trixie" },
    target: "riscv64gc-unknown-linux-gnu",
    compiler: RISCV_COMPILER,
    library: RISCV_STATIC_LIBRARY,
};
