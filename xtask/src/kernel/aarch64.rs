//! The AArch64 kernel's machine. QEMU emulates PMUv3, and an EL2 in which the kernel's host emulates another one.

use std::path::Path;

use super::{Kernel, Machine, Program, Recipe};
use crate::identity::Identity;

const FOLDER: &str = "aarch64";
const LINKER: Program = Program { command: "aarch64-linux-gnu-ld", package: "binutils-aarch64-linux-gnu" };
const EMULATOR: Program = Program { command: "qemu-system-aarch64", package: "qemu-system-arm" };

/// Its kernel.
pub(super) const KERNEL: Recipe = Recipe {
    name: "aarch64",
    folder: FOLDER,
    target: None,
    linker: LINKER,
    emulator: EMULATOR,
    machine,
    figures: "aarch64",
    documented: Some("aarch64-unknown-none-softfloat"),
};

/// With `-icount shift=0` the clock advances by one nanosecond for each instruction: a run is exact and reproducible.
/// The processor's system counter ticks as often.
const ARGUMENTS: &str = "-accel tcg -machine virt,virtualization=on,gic-version=3 -smp 4 -icount shift=0,sleep=off \
    -m 64 -nodefaults -display none -serial stdio -no-reboot";
const CLOCK: &str = "cntfrq=1000000000";
/// The kernel's exit status for success.
const SUCCESS: i32 = 33;

/// Returns the machine. The processor is QEMU's; the kernel compares it with the name that it is given. The command line
/// is passed by semihosting.
fn machine(image: &Path, identity: Identity, words: &str) -> Machine {
    let words = words.split_whitespace().map(|word| format!(",arg={word}")).collect::<String>();
    let semihosting = format!("enable=on,target=native,arg=kernel-test,arg=identity={identity}{words}");
    let machine = Machine::new(EMULATOR.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let processor = format!("{identity},{CLOCK}");
    let machine = machine.with(["-cpu", &processor, "-semihosting-config", &semihosting]);
    machine.with(["-kernel".as_ref(), image.as_os_str()])
}

/// The example hypervisor's machine: without the device that translates interrupts (ITS), by which a guest could write to the
/// host's memory. The hypervisor ends QEMU by semihosting.
const OF_HYPERVISOR: &str = "-accel tcg -machine virt,virtualization=on,gic-version=3,its=off -icount shift=0,sleep=off \
    -m 256 -nodefaults -display none -serial stdio -no-reboot -semihosting-config enable=on,target=native";

/// Returns the machine that boots the example hypervisor, which starts what else is loaded.
pub(crate) fn machine_of_hypervisor(identity: Identity) -> Machine {
    let machine = Machine::new(EMULATOR.command, SUCCESS).with(OF_HYPERVISOR.split_whitespace());
    let image = Kernel::Aarch64.hypervisor("aarch64-unknown-none-softfloat");
    machine.with(["-cpu", &identity.to_string()]).with(["-kernel".as_ref(), image.as_os_str()])
}
