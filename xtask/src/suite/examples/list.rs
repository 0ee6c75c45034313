//! The example kernels, and what they print.

use crate::kernel::Kernel;

/// An example kernel.
pub(super) struct Example {
    pub(super) folder: &'static str,
    /// The test kernel whose tools it needs.
    pub(super) like: Kernel,
    /// The kernel of others that it is in, if it is none of its own.
    pub(super) within: Option<Foreign>,
    /// The beginnings of some of its lines, in their order.
    pub(super) says: &'static [&'static str],
}

/// A kernel that others wrote, or firmware that starts the example. It has compiler flags of its own, and so a folder of its own
/// to be built in.
pub(super) struct Foreign {
    /// Its package, which is compiled with all that it depends on before the tests.
    pub(super) package: &'static str,
    pub(super) targets: &'static [&'static str],
    /// Where it is built.
    pub(super) built: &'static str,
    /// The compiler that the packages take, and the processor seconds that it takes for them.
    pub(super) compiler: (u32, u32),
    pub(super) cost: u32,
    /// Is the library there as it is packaged?
    pub(super) is_packaged: bool,
}

/// A test kernel that is the only one in its folder and whose image has no bench, so that what `cargo test` builds there is what
/// the kernels' part boots; one of its tests, and its processor.
pub(super) const IN_KERNEL: (Kernel, &str, &str) =
    (Kernel::LoongArch, "a_stop_takes_an_interrupt_back", "loongson-3a5000");

pub(super) const EXAMPLES: [Example; 11] = [
    Example {
        folder: "x86",
        like: Kernel::X86,
        within: None,
        // QEMU has no unit: the error is printed, and a unit in software takes its place.
        says: &[
            "no unit here: register 0xc0010000 reads 0x0 after 0xff00 was written",
            "unit: Intel architectural performance monitoring version 4",
            "counted: 10000 instructions in 10000 cycles",
            "       299    74.94  hot",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 10000 instructions of its own",
            "thread 2: 30000 instructions of its own",
            "slept: 2000 instructions before and after",
            "example: done",
        ],
    },
    Example {
        folder: "aarch64",
        like: Kernel::Aarch64,
        within: None,
        // What the kernel itself executes is counted too; it checks that this is little.
        says: &[
            "unit: Arm PMUv3",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "cpu 1: came online, counted, went offline",
            "cpu 1: came online, counted, went offline",
            "example: done",
        ],
    },
    Example {
        folder: "loongarch",
        like: Kernel::LoongArch,
        within: None,
        // QEMU has no unit: the error is printed, and a unit in software takes its place.
        says: &[
            "no unit here: this processor has no performance-monitoring unit: CPUCFG announces no performance counters",
            "unit: LA664",
            "counted: 10000 instructions in 10000 cycles",
            "       299    74.94  hot",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 10000 instructions of its own",
            "thread 2: 30000 instructions of its own",
            "slept: 2000 instructions before and after",
            "example: done",
        ],
    },
    Example {
        folder: "powerpc",
        like: Kernel::PowerPc64,
        within: None,
        says: &[
            "unit: POWER9",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "example: done",
        ],
    },
    Example {
        folder: "riscv",
        like: Kernel::Riscv64,
        within: None,
        // QEMU's own unit, in machine mode.
        says: &[
            "unit: RISC-V in QEMU: 16 general counters of 64 bits, 2 fixed of 64 bits",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "taken: 3",
            "example: done",
        ],
    },
    Example {
        folder: "riscv-supervisor",
        like: Kernel::Riscv64,
        within: None,
        // QEMU's own unit, in supervisor mode, by calls to its OpenSBI.
        says: &[
            "unit: RISC-V by its firmware: 16 general counters of 64 bits, 18 fixed of 64 bits",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "firmware: the timer was set 7 times",
            // LCOFI waits while interrupts are off: of the critical section there is no sample.
            "by LCOFI, which waits while interrupts are off:",
            "by the software event, which does not:",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "example: done",
        ],
    },
    Example {
        folder: "fdo",
        like: Kernel::Riscv64,
        within: None,
        // The stream begins with "PERFILE2". The demo `fdo` reads all of it.
        says: &["instructions: ", "taken branches: ", "50455246494c4532"],
    },
    Example {
        folder: "arceos",
        like: Kernel::Aarch64,
        within: Some(arceos(&["aarch64-unknown-none-softfloat"])),
        // Marks count alone what is executed between them, whoever compiles them.
        says: &[
            "cpu 1: 1000 marks in ",
            "cpu 0: 1000 marks in ",
            "asked for: SW_INCR: 2000",
            "asked for: CPU_CYCLES: ",
            "       3",
            "       1",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "preempted: 30000 and 10000 marks of their own",
            "sampling: 60000 and 20000 marks of their own",
            "sampling: 30 and 10 samples",
            "moving: 60000 and 20000 marks of their own",
            "every 2000 cycles is too often: ",
            "example: done",
        ],
    },
    Example {
        folder: "arceos",
        like: Kernel::Riscv64,
        within: Some(arceos(&["riscv64gc-unknown-none-elf"])),
        // By calls to QEMU's OpenSBI, and its software event. Marks are the firmware's, which has them for each hart.
        says: &[
            "cpu 1: 1000 marks in ",
            "cpu 0: 1000 marks in ",
            "asked for: FW_FENCE_I_SENT: 2000",
            "asked for: HW_CPU_CYCLES: ",
            "       3",
            "       1",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "preempted: 30000 and 10000 marks of their own",
            "sampling: ",
            "sampling: ",
            "moving: 60 and 20 marks of their own",
            "every 2000 cycles is too often: ",
            "example: done",
        ],
    },
    Example {
        folder: "check",
        like: Kernel::Aarch64,
        within: Some(uefi(&UEFI_TARGETS)),
        says: &[
            "processor: AArch64 0x411fd070 at EL1",
            "unit: Arm PMUv3: 6 general counters of 32 bits, 1 fixed of 64 bits",
            "counter 5, instructions in a loop of 2000: 2000",
            "counters together, counts that differ: 0",
            "software increments of 1000: 1000",
            "interrupt, periods without a sample: 0",
            "end: whole",
            // QEMU has no unit for x86: that is the whole report.
            "processor: x86-64 ",
            "unit: none: register 0xc0010000 reads 0x0 after 0xff00 was written",
            "end: whole",
            // What `cargo xtask report` says of the first.
            "agrees   counter 5, instructions in a loop of 2000: 2000",
            "| AArch64 0x411fd070 at EL1 | EDK II 0x10000 | Arm PMUv3: 6 general counters of 32 bits, 1 fixed of 64 bits | 39 | 0 |",
        ],
    },
    Example {
        folder: "uefi",
        like: Kernel::X86,
        within: Some(uefi(&[UEFI_TARGETS[0]])),
        says: &[
            "kernel: Intel architectural performance monitoring version 4",
            "counted: 10000 instructions",
            "sampled: 10 times, lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
        ],
    },
];

/// ArceOS for these targets.
const fn arceos(targets: &'static [&'static str]) -> Foreign {
    Foreign { package: "ax-runtime", targets, built: "arceos", compiler: (1, 95), cost: 240, is_packaged: true }
}

/// UEFI firmware of these targets, which come with the compiler.
const fn uefi(targets: &'static [&'static str]) -> Foreign {
    Foreign { package: "uefi", targets, built: "uefi", compiler: (1, 88), cost: 60, is_packaged: false }
}

/// Both targets of UEFI programs.
pub(super) const UEFI_TARGETS: [&str; 2] = ["x86_64-unknown-uefi", "aarch64-unknown-uefi"];
