//! The RISC-V kernels' machine, with registers of 64 bits and of 32, which have one source.
//!
//! QEMU has a unit. In machine mode, in supervisor mode by delegation, and above its own host, which answers from a
//! device, the kernel begins without firmware at its second instruction (`kernel-test/riscv/src/boot.rs`). Otherwise
//! QEMU's OpenSBI, which Debian's package of QEMU depends on, starts it at its first; or it starts the example hypervisor, which
//! does so in VS. QEMU loads the command line to an address where the kernel reads it.

use std::path::Path;

use super::loader;
use super::{Kernel, Machine, Program, Recipe};
use crate::identity::Identity;

const FOLDER: &str = "riscv";
const TARGET_64: &str = "riscv64imac-unknown-none-elf";
const TARGET_32: &str = "riscv32imac-unknown-none-elf";
const LINKER: Program = Program { command: "riscv64-linux-gnu-ld", package: "binutils-riscv64-linux-gnu" };
const EMULATOR_64: Program = Program { command: "qemu-system-riscv64", package: "qemu-system-misc" };
const EMULATOR_32: Program = Program { command: "qemu-system-riscv32", package: "qemu-system-misc" };

/// That of 64 bits.
pub(super) const KERNEL_64: Recipe = Recipe {
    name: "riscv64",
    folder: FOLDER,
    target: Some(TARGET_64),
    linker: LINKER,
    emulator: EMULATOR_64,
    machine: machine_64,
    figures: "riscv.m",
    documented: Some("riscv64imac-unknown-none-elf"),
};

/// That of 32 bits.
pub(super) const KERNEL_32: Recipe = Recipe {
    name: "riscv32",
    folder: FOLDER,
    target: Some(TARGET_32),
    linker: LINKER,
    emulator: EMULATOR_32,
    machine: machine_32,
    figures: "riscv.m",
    documented: None,
};

/// With `-icount shift=0` the clock advances by one nanosecond for each instruction: a run is exact and reproducible.
const ARGUMENTS: &str = "-accel tcg -machine virt -icount shift=0,sleep=off -nodefaults -display none -serial stdio \
    -no-reboot";
/// The hypervisor's processor: with the hypervisor extension, with a timer of the guest's own (Sstc), and with interrupts that
/// the host makes pending in the guest (AIA). The hypervisor counts by the machine's unit, which QEMU's firmware programs.
const OF_HYPERVISOR: &str = "-m 256 -cpu rv64,h=true,sscofpmf=true,smcntrpmf=true,sstc=true,smaia=true,ssaia=true";
/// Where a hart begins without firmware: the first one, and a second one that a test in machine mode takes.
const ENTRY: [&str; 2] = ["-device", "loader,addr=0x80200004,cpu-num=0"];
const SECOND: [&str; 4] = ["-smp", "2", "-device", "loader,addr=0x80200004,cpu-num=1"];
/// The address of the kernel's command line.
const WORDS: usize = 0x83f0_0000;
/// The kernel's exit status for success.
const SUCCESS: i32 = 33;

/// Returns the machine with registers of 64 bits.
fn machine_64(image: &Path, identity: Identity, words: &str) -> Machine {
    machine(EMULATOR_64, "rv64", image, identity, words)
}

/// Returns the machine with registers of 32 bits.
fn machine_32(image: &Path, identity: Identity, words: &str) -> Machine {
    machine(EMULATOR_32, "rv32", image, identity, words)
}

/// Returns the machine that boots the example hypervisor, which starts what else is loaded at the address where OpenSBI starts
/// a kernel.
pub(crate) fn machine_of_hypervisor() -> Machine {
    let machine = Machine::new(EMULATOR_64.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let image = Kernel::Riscv64.hypervisor(TARGET_64);
    machine.with(OF_HYPERVISOR.split_whitespace()).with(["-kernel".as_ref(), image.as_os_str()])
}

fn machine(emulator: Program, processor: &str, image: &Path, identity: Identity, words: &str) -> Machine {
    if identity == Identity::Rv64Vs {
        let machine = machine_of_hypervisor().with(["-device", &format!("loader,file={}", image.display())]);
        return machine.with(loader::words(WORDS, identity, words));
    }
    let machine = Machine::new(emulator.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let machine = machine.with(["-m", "64", "-cpu", &format!("{processor},{}", extensions(identity))]);
    let machine = if has_firmware(identity) { machine } else { machine.with(["-bios", "none"]).with(ENTRY) };
    let machine = if is_in_machine_mode(identity) { machine.with(SECOND) } else { machine };
    machine.with(["-kernel".as_ref(), image.as_os_str()]).with(loader::words(WORDS, identity, words))
}

/// Returns true if the firmware that QEMU brings runs below the kernel.
fn has_firmware(identity: Identity) -> bool {
    matches!(identity, Identity::Rv64Sbi | Identity::Rv64Sse)
}

/// Returns true if the kernel runs in machine mode, with nothing below it.
fn is_in_machine_mode(identity: Identity) -> bool {
    matches!(identity, Identity::Rv64M | Identity::Rv32M | Identity::Rv32MPlain)
}

/// Returns the processor's extensions, as the kernel knows them (`kernel-test/riscv/src/identity.rs`).
fn extensions(identity: Identity) -> &'static str {
    match identity {
        Identity::Rv64M | Identity::Rv64Sbi => {
            "sscofpmf=true,smcntrpmf=true,smctr=true,ssctr=true,smcsrind=true,sscsrind=true"
        }
        Identity::Rv64S => {
            "sscofpmf=true,smcntrpmf=true,smcdeleg=true,ssccfg=true,smctr=true,ssctr=true,smcsrind=true,sscsrind=true"
        }
        Identity::Rv32S => "sscofpmf=true,smcntrpmf=true,smcdeleg=true,ssccfg=true",
        Identity::Rv32MPlain => "sscofpmf=false",
        _ => "sscofpmf=true,smcntrpmf=true",
    }
}
