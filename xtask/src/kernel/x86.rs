//! The x86 kernels' machine: QEMU emulates AMD's SVM, in which the kernel's host runs its guest.
//!
//! One source makes an image for x86-64, and two of 32 bits: for processors from the Pentium Pro on, and for those before.

use std::path::Path;

use super::{Machine, Program, Recipe};
use crate::identity::Identity;

const FOLDER: &str = "x86";
/// From the kernel's folder.
const TARGET_686: &str = "../../linker/i686-pmu-none.json";
const TARGET_486: &str = "../../linker/i486-pmu-none.json";
const LINKER: Program = Program { command: "ld", package: "binutils" };
const EMULATOR: Program = Program { command: "qemu-system-x86_64", package: "qemu-system-x86" };

/// For x86-64.
pub(super) const X86_64: Recipe = Recipe {
    name: "x86",
    folder: FOLDER,
    target: None,
    linker: LINKER,
    emulator: EMULATOR,
    machine,
    figures: "x86",
    documented: None,
};

/// For x86 of 32 bits.
pub(super) const I686: Recipe = Recipe {
    name: "i686",
    folder: FOLDER,
    target: Some(TARGET_686),
    linker: LINKER,
    emulator: EMULATOR,
    machine,
    figures: "x86",
    documented: Some("linker/i686-pmu-none.json"),
};

/// For x86 of 32 bits as an i486 has it.
pub(super) const I486: Recipe = Recipe {
    name: "i486",
    folder: FOLDER,
    target: Some(TARGET_486),
    linker: LINKER,
    emulator: EMULATOR,
    machine,
    figures: "x86",
    documented: None,
};

/// With `-icount shift=0` the clock advances by one nanosecond for each instruction: a run is exact and reproducible.
const ARGUMENTS: &str = "-accel tcg -machine q35 -cpu qemu64,+svm -icount shift=0,sleep=off -m 64 -nodefaults \
    -display none -serial stdio -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1";
/// isa-debug-exit ends QEMU with twice the written byte plus one. The kernel writes 0x10 for success.
const SUCCESS: i32 = 0x10 << 1 | 1;

/// Returns the machine. The kernel emulates the identity itself, by its command line.
fn machine(image: &Path, identity: Identity, words: &str) -> Machine {
    let append = format!("identity={identity} {words}");
    let machine = Machine::new(EMULATOR.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    machine.with(["-kernel".as_ref(), image.as_os_str()]).with(["-append", append.trim_end()])
}
