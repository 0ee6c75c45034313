//! The PowerPC kernels' machines: pseries and powernv with 64 bits, g3beige and mpc8544ds with 32.
//!
//! All have one source. QEMU starts the boards with 64 bits at the beginning of a flat image, which is written beside the
//! ELF file. A board without a loader has no command line: QEMU loads the words to an address where the
//! kernel reads them (`kernel-test/powerpc/src/platform/mod.rs`).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use object::{Object, ObjectSegment};

use super::{Machine, Program, Recipe, loader};
use crate::identity::Identity;

const FOLDER: &str = "powerpc";
const TARGET_64: &str = "powerpc64-unknown-linux-musl";
const TARGET_32: &str = "powerpc-unknown-linux-musl";
/// The linker of both byte orders.
pub(crate) const LINKER_64: Program =
    Program { command: "powerpc64-linux-gnu-ld", package: "binutils-powerpc64-linux-gnu" };
const LINKER_32: Program = Program { command: "powerpc-linux-gnu-ld", package: "binutils-powerpc-linux-gnu" };
const EMULATOR_64: Program = Program { command: "qemu-system-ppc64", package: "qemu-system-ppc" };
const EMULATOR_32: Program = Program { command: "qemu-system-ppc", package: "qemu-system-ppc" };

/// That of 64 bits.
pub(super) const KERNEL_64: Recipe = Recipe {
    name: "powerpc64",
    folder: FOLDER,
    target: Some(TARGET_64),
    linker: LINKER_64,
    emulator: EMULATOR_64,
    machine: machine_64,
    figures: "ppc64",
    documented: Some("powerpc64-unknown-linux-musl"),
};

/// That of 32 bits.
pub(super) const KERNEL_32: Recipe = Recipe {
    name: "powerpc32",
    folder: FOLDER,
    target: Some(TARGET_32),
    linker: LINKER_32,
    emulator: EMULATOR_32,
    machine: machine_32,
    figures: "ppc32",
    documented: None,
};

const ARGUMENTS: &str = "-accel tcg -display none -vga none -nodefaults -serial stdio -no-reboot \
    -action panic=exit-failure";
/// An instruction takes a nanosecond, as does a cycle of QEMU's unit: a run is exact and reproducible.
const CLOCK: &str = "-icount shift=0,sleep=off";
/// An instruction takes eight nanoseconds, so that the time base of powernv, 512 MHz, advances with each instruction.
/// The bench has no other clock there (`kernel-test/powerpc/src/bench/native.rs`).
const CLOCK_OF_NATIVE_BENCH: &str = "-icount shift=3,sleep=off";
/// Switches off the mitigations that TCG does not emulate, about which it would warn.
const PSERIES: &str = "-machine pseries,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off -m 512";
/// The kernel ends the machine by the management controller.
const POWERNV: &str = "-m 1G -device ipmi-bmc-sim,id=bmc -device isa-ipmi-bt,bmc=bmc,irq=10";
/// The kernel ends the machine by the panic device.
const BEIGE: &str = "-machine g3beige -m 128 -device pvpanic-pci";
/// The kernel ends the machine by the panic device. QEMU maps memory before it starts a kernel.
const MPC8544: &str = "-machine mpc8544ds -m 128 -device pvpanic-pci";
/// The status of a kernel that succeeds, which turns the machine off.
const SUCCESS: i32 = 0;
/// The address of the kernel's command line.
const WORDS: usize = 0x0500_0000;

/// Returns a board with 64 bits. The kernel emulates the 970 itself, on any processor.
fn machine_64(image: &Path, identity: Identity, words: &str) -> Machine {
    let name = identity.to_string();
    let is_bench = words.split_whitespace().any(|word| word == "run=bench");
    let machine = Machine::new(EMULATOR_64.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let machine = match identity {
        Identity::Powernv8 | Identity::Powernv9 | Identity::Powernv10 => {
            let clock = if is_bench { CLOCK_OF_NATIVE_BENCH } else { CLOCK };
            let machine = machine.with(clock.split_whitespace());
            machine.with(["-machine", &name]).with(POWERNV.split_whitespace())
        }
        _ => {
            let processor = if identity == Identity::Ppc970 { "power9" } else { &name };
            let machine = machine.with(CLOCK.split_whitespace());
            machine.with(PSERIES.split_whitespace()).with(["-cpu", processor])
        }
    };
    machine.with(["-bios".as_ref(), flat(image).as_os_str()]).with(loader::words(WORDS, identity, words))
}

/// Returns a board with 32 bits: the e500's, or that of all others.
fn machine_32(image: &Path, identity: Identity, words: &str) -> Machine {
    let machine = Machine::new(EMULATOR_32.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let machine = machine.with(CLOCK.split_whitespace());
    let machine = match identity {
        Identity::E500 => {
            let machine = machine.with(MPC8544.split_whitespace()).with(["-cpu", "e500v2_v30"]);
            machine.with(["-kernel".as_ref(), image.as_os_str()])
        }
        _ => {
            let processor = if identity == Identity::E300 { "e300c3".to_owned() } else { identity.to_string() };
            let loader = format!("loader,file={},cpu-num=0", image.display());
            machine.with(BEIGE.split_whitespace()).with(["-cpu", &processor, "-device", &loader])
        }
    };
    machine.with(loader::words(WORDS, identity, words))
}

/// Returns where the flat image of an ELF file is.
pub(crate) fn flat(image: &Path) -> PathBuf {
    image.with_extension("flat")
}

/// Write the flat image beside the ELF file.
///
/// # Errors
/// The file cannot be read, is no ELF file, or there is no room for another.
pub(crate) fn flatten(image: &Path) -> Result<()> {
    let bytes = fs::read(image).with_context(|| format!("cannot read {}", image.display()))?;
    let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", image.display()))?;
    let mut memory = Vec::new();
    for segment in file.segments() {
        let (begin, data) = (usize::try_from(segment.address())?, segment.data()?);
        memory.resize(memory.len().max(begin + data.len()), 0);
        memory[begin..begin + data.len()].copy_from_slice(data);
    }
    let path = flat(image);
    fs::write(&path, memory).with_context(|| format!("cannot write {}", path.display()))
}
