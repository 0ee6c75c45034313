//! The MIPS kernels' machines: Malta, big-endian with registers of 64 bits, and little-endian with 32.
//!
//! Both have one source. QEMU has no unit for these processors, so the kernel presents each identity by itself, and QEMU's
//! processor matters only for its instructions: VR5432 is the nearest to an R10000, of MIPS IV. QEMU loads the command
//! line to an address where the kernel reads it (`kernel-test/mips/src/board.rs`).

use std::path::Path;

use super::loader;
use super::{Machine, Program, Recipe};
use crate::identity::Identity;

const FOLDER: &str = "mips";
const TARGET_64: &str = "../../linker/mips64-pmu-none.json";
const TARGET_32: &str = "mipsel-unknown-none";
const LINKER_64: Program = Program { command: "mips64-linux-gnuabi64-ld", package: "binutils-mips64-linux-gnuabi64" };
const LINKER_32: Program = Program { command: "mipsel-linux-gnu-ld", package: "binutils-mipsel-linux-gnu" };
const EMULATOR_64: Program = Program { command: "qemu-system-mips64", package: "qemu-system-mips" };
const EMULATOR_32: Program = Program { command: "qemu-system-mipsel", package: "qemu-system-mips" };

/// That of 64 bits.
pub(super) const KERNEL_64: Recipe = Recipe {
    name: "mips64",
    folder: FOLDER,
    target: Some(TARGET_64),
    linker: LINKER_64,
    emulator: EMULATOR_64,
    machine: machine_64,
    figures: "mips",
    documented: Some("linker/mips64-pmu-none.json"),
};

/// That of 32 bits.
pub(super) const KERNEL_32: Recipe = Recipe {
    name: "mips32",
    folder: FOLDER,
    target: Some(TARGET_32),
    linker: LINKER_32,
    emulator: EMULATOR_32,
    machine: machine_32,
    figures: "mips",
    documented: None,
};

/// The kernel ends the machine by semihosting.
const ARGUMENTS: &str = "-accel tcg -machine malta -m 64 -display none -vga none -nodefaults -serial stdio -no-reboot \
    -semihosting-config enable=on,target=native";
/// An instruction takes 16 nanoseconds: the kernel counts them by Count, which advances every 6.25
/// (`kernel-test/mips/src/host/clock.rs`).
const CLOCK: &str = "shift=4,sleep=off";
/// The same where Count advances every 3.125 nanoseconds, with each cycle and not with every second one.
const CLOCK_OF_20KC: &str = "shift=3,sleep=off";
/// The status of a kernel that succeeds.
const SUCCESS: i32 = 0;
/// The address of the kernel's command line.
const WORDS: usize = 0x01f0_0000;

/// Returns the board with registers of 64 bits.
fn machine_64(image: &Path, identity: Identity, words: &str) -> Machine {
    let processor = match identity {
        Identity::Mips5K => "5Kf",
        Identity::Mips20K => "20Kc",
        Identity::Octeon | Identity::OcteonII => "Octeon68XX",
        _ => "VR5432",
    };
    machine(EMULATOR_64, processor, image, identity, words)
}

/// Returns the board with registers of 32 bits.
fn machine_32(image: &Path, identity: Identity, words: &str) -> Machine {
    let processor = match identity {
        Identity::Mips34K | Identity::Mips1004K => "34Kf",
        Identity::Mips74K => "74Kf",
        _ => "24Kf",
    };
    machine(EMULATOR_32, processor, image, identity, words)
}

fn machine(emulator: Program, processor: &str, image: &Path, identity: Identity, words: &str) -> Machine {
    let machine = Machine::new(emulator.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let clock = if identity == Identity::Mips20K { CLOCK_OF_20KC } else { CLOCK };
    let machine = machine.with(["-icount", clock, "-cpu", processor]).with(["-kernel".as_ref(), image.as_os_str()]);
    machine.with(loader::words(WORDS, identity, words))
}
