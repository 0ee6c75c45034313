//! From QEMU's entry to Rust: a stack for each CPU.
//!
//! QEMU loads the image and zeroes what is not in it. The first CPU begins at EL2 with the memory
//! management unit off, and so it stays: the kernel needs no translation. The others sleep until
//! [`crate::cpus`] wakes them.

use core::arch::global_asm;
use core::ops::Range;

use harness::Verdict;

/// The most CPUs that this kernel has stacks for.
pub const CPUS: usize = 4;

// A CPU that is woken finds its number in X0 (PSCI, DEN 0022, CPU_ON: the context).
global_asm!(
    r#"
    .section .text.boot, "ax"
    .global start
start:
    mov x0, #0
    bl {stack_of_host}
    mov sp, x0
    bl {first}

    .global start_another
start_another:
    mov x19, x0
    bl {stack_of_host}
    mov sp, x0
    mov x0, x19
    bl {another}

    .section .bss
    .balign 16
    .global stacks
stacks:
    .skip {CPUS} * {SIZE} * {KINDS}
    "#,
    stack_of_host = sym stack_of_host,
    first = sym first,
    another = sym another,
    CPUS = const CPUS,
    SIZE = const SIZE,
    KINDS = const 3,
);

const SIZE: usize = 512 * 1024;

unsafe extern "C" {
    static image_start: u8;
    static image_end: u8;
    static stacks: u8;
    fn start_another();
}

/// The addresses of this kernel.
pub fn code() -> Range<u64> {
    &raw const image_start as u64..&raw const image_end as u64
}

/// Whose stack it is, on each CPU.
#[derive(Clone, Copy)]
enum Stack {
    Host,
    Kernel,
    User,
}

/// Where a stack begins, growing down.
#[inline(always)]
fn stack(cpu: usize, kind: Stack) -> u64 {
    let number = cpu % CPUS * 3 + kind as usize;
    &raw const stacks as u64 + ((number + 1) * SIZE) as u64
}

/// Called without a stack: it needs none.
extern "C" fn stack_of_host(cpu: usize) -> u64 {
    stack(cpu, Stack::Host)
}

/// The stack of the kernel that is tested, at EL1.
pub fn stack_of_kernel(cpu: usize) -> u64 {
    stack(cpu, Stack::Kernel)
}

/// The stack of user programs.
pub fn stack_of_user(cpu: usize) -> u64 {
    stack(cpu, Stack::User)
}

/// Where a CPU begins that is woken.
pub fn entry_of_others() -> u64 {
    start_another as *const () as u64
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    metal::end(verdict == Verdict::Passed)
}

extern "C" fn first() -> ! {
    exit(crate::main())
}

extern "C" fn another(cpu: usize) -> ! {
    crate::main_of_another(cpu)
}
