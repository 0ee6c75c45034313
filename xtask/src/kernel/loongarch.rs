//! The LoongArch kernel's machine: `virt`, with QEMU's clock of instructions, by which the kernel counts them.
//!
//! QEMU has no unit for it, so the kernel presents each identity by itself. Debian 12 has no GNU ld for it: its
//! LLD links.

use std::path::Path;

use super::{Machine, Program, Recipe};
use crate::identity::Identity;

const FOLDER: &str = "loongarch";
const LINKER: Program = Program { command: "ld.lld-19", package: "lld-19" };
const EMULATOR: Program = Program { command: "qemu-system-loongarch64", package: "qemu-system-misc" };

/// Its kernel.
pub(super) const KERNEL: Recipe = Recipe {
    name: "loongarch",
    folder: FOLDER,
    target: None,
    linker: LINKER,
    emulator: EMULATOR,
    machine,
    figures: "loongarch",
    documented: Some("loongarch64-unknown-none-softfloat"),
};

/// 128 ns an instruction, which is more than the timer's grain of 40: each instruction has a time of its own
/// (`kernel-test/loongarch/src/host/clock.rs`). A kernel that fails ends the machine by the panic device.
const ARGUMENTS: &str = "-accel tcg -machine virt -cpu la464 -m 64 -icount shift=7,sleep=off -display none -vga none \
    -nodefaults -serial stdio -no-reboot -action panic=exit-failure -device pvpanic-pci";
/// The status of a kernel that succeeds, which turns the machine off.
const SUCCESS: i32 = 0;

/// Returns the board. QEMU puts the command line at address 0.
fn machine(image: &Path, identity: Identity, words: &str) -> Machine {
    let machine = Machine::new(EMULATOR.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let machine = machine.with(["-append", &format!("identity={identity} {words}")]);
    machine.with(["-kernel".as_ref(), image.as_os_str()])
}
