//! The AArch64 kernel's machine: QEMU emulates PMUv3 itself, and an EL2 from which the kernel's host answers for another.

use std::path::Path;

use super::{Machine, Program};
use crate::identity::Identity;

pub(super) const FOLDER: &str = "aarch64";
pub(super) const LINKER: Program = Program { command: "aarch64-linux-gnu-ld", package: "binutils-aarch64-linux-gnu" };
pub(super) const EMULATOR: Program = Program { command: "qemu-system-aarch64", package: "qemu-system-arm" };

/// With `-icount shift=0` the clock advances by one nanosecond an instruction: a run is exact, and the same every time.
/// The processor's system counter ticks as often.
const ARGUMENTS: &str = "-accel tcg -machine virt,virtualization=on,gic-version=3 -smp 4 -icount shift=0,sleep=off \
    -m 64 -nodefaults -display none -serial stdio -no-reboot";
const CLOCK: &str = "cntfrq=1000000000";
/// What the kernel exits with when it is content.
const CONTENT: i32 = 33;

/// The processor is QEMU's; the kernel compares it with the name that it is given. Words reach it by semihosting.
pub(super) fn machine(image: &Path, identity: Identity, words: &str) -> Machine {
    let words = words.split_whitespace().map(|word| format!(",arg={word}")).collect::<String>();
    let semihosting = format!("enable=on,target=native,arg=kernel-test,arg=identity={identity}{words}");
    let machine = Machine::new(EMULATOR.command, CONTENT).with(ARGUMENTS.split_whitespace());
    let processor = format!("{identity},{CLOCK}");
    let machine = machine.with(["-cpu", &processor, "-semihosting-config", &semihosting]);
    machine.with(["-kernel".as_ref(), image.as_os_str()])
}
