//! The AArch64 kernel's machine. QEMU emulates PMUv3, and an EL2 in which the kernel's host emulates another one.

use std::path::Path;

use super::{Machine, Program};
use crate::identity::Identity;

pub(super) const FOLDER: &str = "aarch64";
pub(super) const LINKER: Program = Program { command: "aarch64-linux-gnu-ld", package: "binutils-aarch64-linux-gnu" };
pub(super) const EMULATOR: Program = Program { command: "qemu-system-aarch64", package: "qemu-system-arm" };

/// With `-icount shift=0` the clock advances by one nanosecond for each instruction: a run is exact and reproducible.
/// The processor's system counter ticks as often.
const ARGUMENTS: &str = "-accel tcg -machine virt,virtualization=on,gic-version=3 -smp 4 -icount shift=0,sleep=off \
    -m 64 -nodefaults -display none -serial stdio -no-reboot";
const CLOCK: &str = "cntfrq=1000000000";
/// The kernel's exit status for success.
const SUCCESS: i32 = 33;

/// Returns the machine. The processor is QEMU's; the kernel compares it with the name that it is given. The command line
/// is passed by semihosting.
pub(super) fn machine(image: &Path, identity: Identity, words: &str) -> Machine {
    let words = words.split_whitespace().map(|word| format!(",arg={word}")).collect::<String>();
    let semihosting = format!("enable=on,target=native,arg=kernel-test,arg=identity={identity}{words}");
    let machine = Machine::new(EMULATOR.command, SUCCESS).with(ARGUMENTS.split_whitespace());
    let processor = format!("{identity},{CLOCK}");
    let machine = machine.with(["-cpu", &processor, "-semihosting-config", &semihosting]);
    machine.with(["-kernel".as_ref(), image.as_os_str()])
}
