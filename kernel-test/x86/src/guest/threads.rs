//! How threads begin and end, and how their tick comes: by an interrupt that the host was ordered to send.
//! [`harness::threads`] switches them; the stub of a tick has pushed all that a thread is, its [`Frame`].

use core::arch::{asm, naked_asm};

use harness::{Call, Guest};

use super::Here;
use crate::trap::{Frame, TICK_VECTOR};

/// EFLAGS of a new thread: interrupts are taken (IF), and bit 1, which is always set.
const FLAGS_AT_START: usize = 1 << 9 | 1 << 1;

/// A thread that begins in ring 0, with `argument` in DI and the other general registers 0; on a stack a function
/// finds it. It may return.
pub fn in_kernel(entry: usize, argument: usize) -> Frame {
    at(entry, argument).in_kernel()
}

/// The same in ring 3. It may not return.
pub fn in_ring_3(entry: usize, argument: usize) -> Frame {
    at(entry, argument).in_ring_3()
}

fn at(entry: usize, argument: usize) -> Frame {
    Frame { ip: entry, di: argument, flags: FLAGS_AT_START, ..Frame::default() }
}

/// Gives the thread, which has not begun, the stack that ends at this address: with where it returns to, and with
/// registers of 32 bits its argument above that, on a boundary of 16 bytes.
pub fn put_on_stack(frame: &mut Frame, stack_end: usize) {
    let last = (stack_end - 16 - size_of::<usize>()) as *mut [usize; 2];
    // SAFETY: the stack is the thread's own, and nobody refers to it.
    unsafe { last.write([end as *const () as usize, frame.di]) };
    frame.sp = last as usize;
}

/// Has the thread's function returned? It cannot go on then.
pub fn has_ended(frame: &Frame) -> bool {
    frame.ip == &raw const thread_has_ended as usize
}

/// Takes the tick now.
pub fn raise_tick() {
    // SAFETY: it leads to the tick's handler, and whoever goes on here has every register as it was.
    unsafe { asm!("int {tick}", tick = const TICK_VECTOR) };
}

/// Orders the next tick, in place of any other; none if it is after no instruction.
#[inline(always)]
pub fn tick_after(instructions: u64) {
    Here::call(Call::TickAfter, instructions, 0);
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
