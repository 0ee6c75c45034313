//! Where [`metal::boot`] leads, the guest's stacks, and where the image lies.
//!
//! Host and guest share one address space, and the kernel trusts its own tests.

use core::arch::global_asm;
use core::ops::Range;

use harness::Verdict;
use metal::boot::start_info;
use pmu::output::perf_data::Mapping;

global_asm!(
    r#"
    .section .bss
    .align 4096
    .global guest_stack_bottom
guest_stack_bottom:
            .skip 256 * 1024
    .global guest_stack_top
guest_stack_top:
            .skip 32 * 1024
    .global guest_privileged_stack_top
guest_privileged_stack_top:
    "#
);

unsafe extern "C" {
    static image_start: u8;
    static image_end: u8;
    static guest_stack_bottom: u8;
    static guest_stack_top: u8;
    static guest_privileged_stack_top: u8;
}

/// The addresses of this kernel.
pub fn code() -> Range<u64> {
    &raw const image_start as u64..&raw const image_end as u64
}

/// This kernel in a process's memory, as perf knows programs; the file is found at this path.
pub fn mapping(path: &str) -> Mapping<'_> {
    let code = code();
    Mapping { path, start: code.start, size: code.end - code.start, offset: IMAGE_OFFSET }
}

/// Where the image lies in its file: behind the headers, on a page of its own, as GNU ld has it.
const IMAGE_OFFSET: u64 = 0x1000;

/// The guest's stack, from its lowest address to behind its highest.
pub fn guest_stack_bounds() -> Range<u64> {
    &raw const guest_stack_bottom as u64..guest_stack()
}

/// Where the guest's stack begins, growing down.
pub fn guest_stack() -> u64 {
    &raw const guest_stack_top as u64
}

/// The stack that an interrupt of the guest's ring 3 switches to.
pub fn guest_privileged_stack() -> u64 {
    &raw const guest_privileged_stack_top as u64
}

#[unsafe(no_mangle)]
extern "C" fn kernel_entry() -> ! {
    exit(crate::main(start_info().command_line()))
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    metal::end(verdict == Verdict::Passed)
}
