//! How threads begin and end, and how their tick comes: by an interrupt that the host was ordered to send.
//! [`harness::threads`] switches them; the stub of a tick has pushed all that a thread is, its [`Frame`].

use core::arch::{asm, naked_asm};

use super::call;
use crate::hypercall::Call;
use crate::trap::{Frame, TICK_VECTOR};

/// RFLAGS of a new thread: interrupts are taken (IF), and bit 1, which is always set.
const FLAGS_AT_START: u64 = 1 << 9 | 1 << 1;

/// A thread that begins in ring 0, with `argument` in RDI and the other general registers 0. It may return.
pub fn in_kernel(entry: u64, argument: u64) -> Frame {
    at(entry, argument).in_kernel()
}

/// The same in ring 3. It may not return.
pub fn in_ring_3(entry: u64, argument: u64) -> Frame {
    at(entry, argument).in_ring_3()
}

fn at(entry: u64, argument: u64) -> Frame {
    Frame { rip: entry, rdi: argument, rflags: FLAGS_AT_START, ..Frame::default() }
}

/// Gives the thread, which has not begun, the stack that ends at this address.
pub fn put_on_stack(frame: &mut Frame, stack_end: usize) {
    let last = (stack_end - size_of::<u64>()) as *mut u64;
    // SAFETY: the stack is the thread's own, and nobody refers to it.
    unsafe { last.write(end as *const () as u64) };
    frame.rsp = last as u64;
}

/// Has the thread's function returned? It cannot go on then.
pub fn has_ended(frame: &Frame) -> bool {
    frame.rip == &raw const thread_has_ended as u64
}

/// Takes the tick now.
pub fn raise_tick() {
    // SAFETY: it leads to the tick's handler, and whoever goes on here has every register as it was.
    unsafe { asm!("int {tick}", tick = const TICK_VECTOR) };
}

/// Orders the next tick, in place of any other; none if it is after no instruction.
#[inline(always)]
pub fn tick_after(instructions: u64) {
    call(Call::TickAfter, instructions, 0);
}

unsafe extern "C" {
    static thread_has_ended: u8;
}

/// Where a thread's function returns to.
#[unsafe(naked)]
extern "C" fn end() {
    naked_asm!(
        "int {tick}",
        ".global thread_has_ended",
        "thread_has_ended:",
        "ud2",
        tick = const TICK_VECTOR,
    )
}
