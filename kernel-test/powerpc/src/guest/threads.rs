//! Preemptive threads: each on a stack of its own, and at each tick another one goes on.
//!
//! The tick is the decrementer's exception. Its entry keeps all that a thread is, its [`Frame`], so a
//! switch is an exchange of frames. Who goes on is a [`Scheduler`]'s to say. It is asked with MSR\[EE\]
//! clear, so it is the place to switch a context out and another one in.
//!
//! Above the host the decrementer counts instructions; on QEMU's own unit it is QEMU's.

use core::cell::UnsafeCell;
use core::mem::offset_of;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use crate::low::{Frame, vector};
use crate::processor::{Spr, machine_state, table_of_contents, write_spr};
use crate::{assembly, by_width};

/// The most threads that there can be.
pub const MOST: usize = 64;

/// MSR\[EE\] and MSR\[PR\].
const EXTERNAL: usize = 1 << 15;
const PROBLEM: usize = 1 << 14;

/// A thread's stack.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[usize; 512]>);

// SAFETY: one processor runs, and one thread is on each stack.
unsafe impl Sync for Stack {}

static STACKS: [Stack; MOST] = [const { Stack(UnsafeCell::new([0; _])) }; MOST];
static RUNNING: AtomicPtr<Threads> = AtomicPtr::new(ptr::null_mut());

/// Says who goes on when a thread leaves the processor.
pub trait Scheduler {
    /// Who goes on, now that this thread has left the processor, with these registers? `None` ends the
    /// run. Before the first thread nobody has left.
    fn switch(&mut self, left: Option<(usize, &Frame)>) -> Option<Turn>;
}

/// A thread that goes on.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Its number.
    pub thread: usize,
    /// The next tick comes when the decrementer has counted down so far, the way out of the scheduler
    /// among that; or as soon as the thread runs, if that way is longer.
    pub ticks: usize,
}

/// How a thread begins: it never returns.
#[derive(Clone, Copy, Debug)]
pub struct Beginning(Frame);

impl Beginning {
    /// In the kernel's state, at `entry`, with these in R3, R8 and R9, and this in the count register.
    pub fn in_kernel(entry: usize, [third, eighth, ninth]: [usize; 3], count: usize) -> Self {
        let mut general = [0; 32];
        (general[3], general[8], general[9]) = (third, eighth, ninth);
        (general[2], general[12]) = (table_of_contents(), entry);
        let state = machine_state() | EXTERNAL;
        Self(Frame {
            general,
            link: 0,
            count,
            condition: 0,
            fixed_point_exception: 0,
            address: entry,
            state,
            vector: vector::DECREMENTER,
        })
    }

    /// The same in problem state.
    pub fn in_problem_state(self) -> Self {
        Self(Frame { state: self.0.state | PROBLEM, ..self.0 })
    }
}

/// The threads of one run.
pub struct Threads<'s> {
    scheduler: &'s mut dyn Scheduler,
    frames: [Frame; MOST],
    current: Option<usize>,
    /// Who runs them, once a tick has come.
    kernel: Option<Frame>,
}

impl<'s> Threads<'s> {
    /// Threads that begin so when their first turn comes; this says who goes on.
    pub fn new(scheduler: &'s mut dyn Scheduler, beginning: impl Fn(usize) -> Beginning) -> Self {
        let frames = core::array::from_fn(|thread| on_its_stack(thread, beginning(thread).0));
        Self { scheduler, frames, current: None, kernel: None }
    }

    /// Runs them until the scheduler ends that.
    pub fn run(&mut self) {
        RUNNING.store((&raw mut *self).cast(), Relaxed);
        tick_after(1);
        while !RUNNING.load(Relaxed).is_null() {}
    }

    fn switch(&mut self, frame: &mut Frame) {
        match self.current {
            Some(thread) => self.frames[thread] = *frame,
            None => self.kernel = Some(*frame),
        }
        let left = self.current.map(|thread| (thread, &*frame));
        let Some(turn) = self.scheduler.switch(left) else { return self.end(frame) };
        *frame = self.frames[turn.thread];
        self.current = Some(turn.thread);
        tick_after(turn.ticks);
    }

    fn end(&mut self, frame: &mut Frame) {
        *frame = self.kernel.expect("a tick has begun the run");
        RUNNING.store(ptr::null_mut(), Relaxed);
        tick_after(NEVER);
    }
}

/// What a function may write above its own frame, by the larger of the ABIs.
const HEADER: usize = 14 * size_of::<usize>();

fn on_its_stack(thread: usize, mut frame: Frame) -> Frame {
    frame.general[1] = STACKS[thread].0.get() as usize + size_of::<Stack>() - HEADER;
    frame
}

/// As far away as the register can say.
const NEVER: usize = 0x7fff_ffff;

#[inline(always)]
fn tick_after(ticks: usize) {
    // SAFETY: the exception that follows has an entry.
    unsafe { write_spr::<{ Spr::DECREMENTER }>(ticks) };
}

/// Where every tick arrives, one that nobody asked for among them.
extern "C" fn on_tick(frame: &mut Frame) {
    // SAFETY: whoever runs threads has stored them, and does not touch them until the run ends.
    match unsafe { RUNNING.load(Relaxed).as_mut() } {
        Some(running) => running.switch(frame),
        None => tick_after(NEVER),
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
    bl {on_tick}
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
    on_tick = sym on_tick,
);
