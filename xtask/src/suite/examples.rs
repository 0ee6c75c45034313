//! Boots the example kernels, and checks that they complete and print the expected lines.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::identity::Identity;
use crate::kernel::{self, Image, Kernel};
use crate::machine::{Ending, Machine};
use crate::place;
use crate::progress::Step;
use crate::setup::Need;
use crate::tally::Tally;

/// An example kernel.
struct Example {
    folder: &'static str,
    /// The test kernel whose tools it needs.
    like: Kernel,
    machine: fn(&Image) -> Machine,
    /// The beginnings of some of its lines, in their order.
    says: &'static [&'static str],
}

const X86: &str = "-accel tcg -machine q35 -icount shift=0,sleep=off -m 64 -nodefaults -display none -serial stdio \
    -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1";
const AARCH64: &str = "-accel tcg -machine virt,gic-version=3 -cpu cortex-a57 -smp 2 -icount shift=0,sleep=off -m 64 \
    -nodefaults -display none -serial stdio -no-reboot -semihosting-config enable=on,target=native";
/// The exit status of these two for success.
const SUCCESS: i32 = 33;

const EXAMPLES: [Example; 3] = [
    Example {
        folder: "x86",
        like: Kernel::X86,
        machine: |image| machine(image, X86),
        // QEMU has no unit: the error is printed, and a unit in software takes its place.
        says: &[
            "no unit here: register 0xc0010000 reads 0x0 after 0xff00 was written",
            "unit: Intel architectural performance monitoring version 4",
            "counted: 10000 instructions in 10000 cycles",
            "       299    74.94  hot",
            "lost: 0 ring full, 0 outrun, 0 stopped",
            "thread 1: 10000 instructions of its own",
            "thread 2: 30000 instructions of its own",
            "slept: 2000 instructions before and after",
            "example: done",
        ],
    },
    Example {
        folder: "aarch64",
        like: Kernel::Aarch64,
        machine: |image| machine(image, AARCH64),
        // What the kernel itself executes is counted too; it checks that this is little.
        says: &[
            "unit: Arm PMUv3",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "cpu 1: came online, counted, went offline",
            "cpu 1: came online, counted, went offline",
            "example: done",
        ],
    },
    Example {
        folder: "powerpc",
        like: Kernel::PowerPc64,
        machine: |image| image.on(Identity::Power9, ""),
        says: &[
            "unit: POWER9",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "example: done",
        ],
    },
];

fn machine(image: &Image, arguments: &str) -> Machine {
    let machine = Machine::new(image.kernel.emulator().command, SUCCESS).with(arguments.split_whitespace());
    machine.with(["-kernel".as_ref(), image.path.as_os_str()])
}

/// Returns the folder of each, and the test kernel whose tools it needs.
pub(crate) fn folders() -> impl Iterator<Item = (Kernel, PathBuf)> {
    EXAMPLES.iter().map(|example| (example.like, place::examples().join(example.folder)))
}

/// Returns what is needed to build and boot them.
pub(super) fn needs() -> Vec<Need> {
    EXAMPLES.iter().flat_map(|example| example.like.needs()).collect()
}

/// Build and boot each. Each is a test.
pub(super) fn run(limit: Duration) -> Tally {
    EXAMPLES.iter().map(|example| example.tally(limit)).collect()
}

impl Example {
    fn tally(&self, limit: Duration) -> Tally {
        match self.prove(limit) {
            Ok(()) => Tally::pass(),
            Err(error) => Tally::failure(format!("{error:#}")),
        }
    }

    fn prove(&self, limit: Duration) -> Result<()> {
        let (kernel, name) = (self.like, format!("the example {}", self.folder));
        let path = kernel::build(&name, &place::examples().join(self.folder), kernel.target())?;
        let image = Image::of(kernel, path)?;
        let step = Step::begin(format!("running {name} in QEMU"));
        let mut heard = Vec::new();
        let ending = (self.machine)(&image).run(limit, |line| heard.push(line.to_owned()))?;
        step.end(&ending.to_string());
        let missing = missing(self.says, &heard);
        let words = heard.join("\n    ");
        ensure!(ending == Ending::Success && missing.is_none(), "{name} {ending}; missing: {missing:?}\n    {words}");
        Ok(())
    }
}

/// Returns the first of these beginnings that no line has after the line with the previous one.
fn missing<'s>(beginnings: &[&'s str], lines: &[String]) -> Option<&'s str> {
    let mut lines = lines.iter();
    beginnings.iter().copied().find(|beginning| !lines.any(|line| line.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_missing_or_comes_too_early_is_named() {
        let lines = ["counted: 3", "slept", "done"].map(str::to_owned);
        assert_eq!(missing(&["counted", "done"], &lines), None);
        assert_eq!(missing(&["counted", "thread"], &lines), Some("thread"));
        assert_eq!(missing(&["slept", "counted"], &lines), Some("counted"));
    }
}
