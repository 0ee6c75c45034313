//! The host's interrupt table. Its one interrupt is the timer's NMI, which has nothing to do; an exception is a bug.

use core::arch::naked_asm;
use core::ptr::{addr_of, addr_of_mut};

use metal::println;
use x86::dtables::{DescriptorTablePointer, lidt};

/// A gate of 64-bit mode (APM volume 2, section 4.8, "Long-Mode Segment Descriptors").
type Gate = [u64; 2];

static mut TABLE: [Gate; 32] = [[0; 2]; 32];

/// Fills it, once.
pub fn fill() {
    // SAFETY: this is called once, before there are interrupts and other CPUs.
    let table = unsafe { &mut *addr_of_mut!(TABLE) };
    table.fill(gate(fail as *const () as u64));
    table[2] = gate(return_at_once as *const () as u64);
}

/// Loads it, on each CPU.
pub fn load() {
    // SAFETY: nobody writes to it any more.
    let pointer = DescriptorTablePointer::new(unsafe { &*addr_of!(TABLE) });
    // SAFETY: the table is complete and lives for ever.
    unsafe { lidt(&pointer) };
}

/// An interrupt gate in the boot code's segment.
const fn gate(address: u64) -> Gate {
    const CODE: u64 = 8 << 16;
    const PRESENT_INTERRUPT_GATE: u64 = 0x8e00 << 32;
    [address & 0xffff | CODE | PRESENT_INTERRUPT_GATE | (address >> 16 & 0xffff) << 48, address >> 32]
}

#[unsafe(naked)]
extern "C" fn return_at_once() {
    naked_asm!("iretq")
}

#[unsafe(naked)]
extern "C" fn fail() {
    naked_asm!("mov rdi, rsp", "and rsp, -16", "call {report}", report = sym report)
}

extern "C" fn report(stack: &[u64; 3]) -> ! {
    println!("hypervisor: an exception of its own; on the stack {stack:#x?}");
    metal::end(false)
}
