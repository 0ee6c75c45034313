//! How threads begin, and how their tick comes: by the decrementer's exception. [`harness::threads`] switches them; the
//! entry of a tick keeps all that a thread is, its [`Frame`].
//!
//! Above the host the decrementer counts instructions; on QEMU's own unit it is QEMU's.

use core::mem::{offset_of, transmute};
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed};

use harness::by_width;

use crate::low::{Frame, vector};
use crate::processor::{Spr, machine_state, table_of_contents, write_spr};
use crate::{assembly, masking};

/// MSR\[EE\] and MSR\[PR\].
const EXTERNAL: usize = 1 << 15;
const PROBLEM: usize = 1 << 14;

/// A thread that begins in the kernel's state, at `entry`, with these in R3, R8 and R9, and this in the count register.
/// It never returns.
pub fn in_kernel(entry: usize, [third, eighth, ninth]: [usize; 3], count: usize) -> Frame {
    let mut general = [0; 32];
    (general[3], general[8], general[9]) = (third, eighth, ninth);
    (general[2], general[12]) = (table_of_contents(), entry);
    Frame {
        general,
        link: 0,
        count,
        condition: 0,
        fixed_point_exception: 0,
        address: entry,
        state: machine_state() | EXTERNAL,
        vector: vector::DECREMENTER,
    }
}

/// The same thread in problem state.
pub fn in_problem_state(thread: Frame) -> Frame {
    Frame { state: thread.state | PROBLEM, ..thread }
}

/// What a function may write above its own frame, by the larger of the ABIs.
const HEADER: usize = 14 * size_of::<usize>();

/// Gives the thread the stack that ends at this address.
pub fn put_on_stack(frame: &mut Frame, end: usize) {
    frame.general[1] = end - HEADER;
}

static HANDLER: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());
static HAS_COME: AtomicBool = AtomicBool::new(false);

/// Calls this at each tick that was ordered, from now on.
pub fn on_tick(handler: fn(&mut Frame)) {
    HANDLER.store(handler as *mut (), Relaxed);
}

/// Takes a tick now.
pub fn raise_tick() {
    HAS_COME.store(false, Relaxed);
    tick_after(1);
    while !HAS_COME.load(Relaxed) {
        core::hint::spin_loop();
    }
}

static IS_ORDERED: AtomicBool = AtomicBool::new(false);

/// As far away as the decrementer can say.
const NEVER: usize = 0x7fff_ffff;

/// Orders the next tick, when the decrementer has counted down so far; none if that is 0.
#[inline(always)]
pub fn tick_after(ticks: usize) {
    IS_ORDERED.store(ticks != 0, Relaxed);
    count_down_from(if ticks == 0 { NEVER } else { ticks });
}

#[inline(always)]
fn count_down_from(ticks: usize) {
    // SAFETY: the exception that follows has an entry.
    unsafe { write_spr::<{ Spr::DECREMENTER }>(ticks) };
}

/// Where every tick arrives, one that nobody asked for among them.
extern "C" fn take_tick(frame: &mut Frame) {
    HAS_COME.store(true, Relaxed);
    count_down_from(NEVER);
    if IS_ORDERED.load(Relaxed) && !masking::puts_off_tick() {
        IS_ORDERED.store(false, Relaxed);
        // SAFETY: only such functions are ever stored there, and one is before a tick is ordered.
        let handler: fn(&mut Frame) = unsafe { transmute(HANDLER.load(Relaxed)) };
        handler(frame);
    }
}

unsafe extern "C" {
    /// Where 900H leads.
    ///
    /// # Safety
    /// Nobody calls it: it returns from an exception.
    pub unsafe fn tick_entry();
}

/// The address for 900H.
pub fn entry() -> usize {
    tick_entry as *const () as usize
}

assembly!(
    by_width!(
        "
    .macro find_table_of_contents
    lis 2, .TOC.@h
    ori 2, 2, .TOC.@l
    .endm
        ",
        "
    .macro find_table_of_contents
    .endm
        "
    ),
    r#"
    .section .text.entries, "ax"
    .align 4
    # On the stack of the performance monitor's exception, which waits meanwhile.
    .global tick_entry
tick_entry:
    mtspr 275, 1                    # SPRG3
    mfspr 1, 272                    # SPRG0
    addi 1, 1, -{size}
    store 0, {frame}(1)
    mfspr 0, 275
    store 0, {frame} + WORD(1)
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    store \number, {frame} + WORD * \number(1)
    .endr
    mflr 3
    store 3, {frame} + {link}(1)
    mfctr 3
    store 3, {frame} + {count}(1)
    mfcr 3
    store 3, {frame} + {condition}(1)
    mfxer 3
    store 3, {frame} + {fixed_point_exception}(1)
    mfspr 3, 26                     # SRR0
    store 3, {frame} + {address}(1)
    mfspr 3, 27                     # SRR1
    store 3, {frame} + {state}(1)
    li 3, {vector_decrementer}
    store 3, {frame} + {vector}(1)
    li 3, 0
    store 3, 0(1)
    find_table_of_contents
    addi 3, 1, {frame}
    bl {take_tick}
    nop
    li 3, WORD                      # no thread keeps another's reservation
    stwcx. 3, 3, 1
    load 3, {frame} + {link}(1)
    mtlr 3
    load 3, {frame} + {count}(1)
    mtctr 3
    load 3, {frame} + {condition}(1)
    mtcr 3
    load 3, {frame} + {fixed_point_exception}(1)
    mtxer 3
    load 3, {frame} + {address}(1)
    mtspr 26, 3
    load 3, {frame} + {state}(1)
    mtspr 27, 3
    .irp number, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load \number, {frame} + WORD * \number(1)
    .endr
    load 1, {frame} + WORD(1)
    return_from_interrupt
    "#,
    frame = const HEADER,
    size = const (HEADER + size_of::<Frame>()).next_multiple_of(16),
    link = const offset_of!(Frame, link),
    count = const offset_of!(Frame, count),
    condition = const offset_of!(Frame, condition),
    fixed_point_exception = const offset_of!(Frame, fixed_point_exception),
    address = const offset_of!(Frame, address),
    state = const offset_of!(Frame, state),
    vector = const offset_of!(Frame, vector),
    vector_decrementer = const vector::DECREMENTER,
    take_tick = sym take_tick,
);
