//! The SPARC V9 kernel's machine: sun4u, with QEMU's clock of instructions, by which the kernel counts them.
//!
//! QEMU loads the ELF file, and the command line to an address where the kernel reads it (`kernel-test/sparc/src/platform.rs`).

use std::path::Path;

use super::{Machine, Program, Recipe, loader};
use crate::identity::Identity;

const FOLDER: &str = "sparc";
const LINKER: Program = Program { command: "sparc64-linux-gnu-ld", package: "binutils-sparc64-linux-gnu" };
const EMULATOR: Program = Program { command: "qemu-system-sparc64", package: "qemu-system-sparc" };

/// Its kernel.
pub(super) const KERNEL: Recipe = Recipe {
    name: "sparc",
    folder: FOLDER,
    target: None,
    linker: LINKER,
    emulator: EMULATOR,
    machine,
    figures: "sparc",
    documented: None,
};

/// 16 ns an instruction, which is more than one of the ten of a tick: each instruction has a tick of its own.
const ARGUMENTS: &str = "-machine sun4u -m 64 -accel tcg -icount shift=4,sleep=off -display none -vga none -nodefaults \
    -serial stdio -no-reboot";
/// The status of a kernel that succeeds, which turns the machine off.
const SUCCESS: i32 = 0;
/// The address of the kernel's command line.
const WORDS: usize = 0x0300_0000;

/// Returns the board. T1 and T2 are without their hypervisor and their levels of globals: a kernel of the UltraSPARC's
/// day runs on them.
fn machine(image: &Path, identity: Identity, words: &str) -> Machine {
    let processor = match identity {
        Identity::UltraSparcII => "TI-UltraSparc-II",
        Identity::UltraSparcIVPlus => "Sun-UltraSparc-IV-plus",
        Identity::UltraSparcT1 => "Sun-UltraSparc-T1,-hypv,-gl",
        Identity::UltraSparcT2 => "Sun-UltraSparc-T2,-hypv,-gl",
        _ => "Sun-UltraSparc-III",
    };
    let machine = Machine::new(EMULATOR.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let machine = machine.with(["-cpu", processor]);
    let machine = machine.with(["-device".to_owned(), format!("loader,file={},cpu-num=0", image.display())]);
    machine.with(loader::words(WORDS, identity, words))
}
