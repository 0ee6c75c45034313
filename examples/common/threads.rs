//! Threads that take turns: a stack for each, and a switch from one to another. No part of it knows that anything is
//! measured.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use crate::boot::{first_frame, switch_stacks};

const WORDS: usize = 1024;

/// A thread's stack.
#[repr(C, align(16))]
pub struct Stack([usize; WORDS]);

impl Stack {
    pub const fn new() -> Self {
        Self([0; WORDS])
    }
}

/// A thread that is not running. It keeps its stack and what it runs.
pub struct Thread<'s> {
    /// The stack pointer, below which its registers are saved.
    stack_pointer: usize,
    kept: PhantomData<&'s mut Stack>,
}

/// The scheduler's stack pointer, while a thread runs.
static SCHEDULER: AtomicUsize = AtomicUsize::new(0);
/// Where the running thread's stack pointer is kept.
static CURRENT: AtomicPtr<usize> = AtomicPtr::new(core::ptr::null_mut());

impl<'s> Thread<'s> {
    /// A thread that runs `body` on this stack. What follows its end is another turn that does nothing.
    pub fn new<F: FnMut()>(stack: &'s mut Stack, body: &'s mut F) -> Self {
        let frame = first_frame(enter::<F> as *const () as usize, &raw mut *body as usize);
        let begin = WORDS - frame.len();
        stack.0[begin..].copy_from_slice(&frame);
        Self { stack_pointer: &raw mut stack.0[begin] as usize, kept: PhantomData }
    }

    /// Lets it run until it yields.
    pub fn resume(&mut self) {
        let stack_pointer = self.stack_pointer;
        CURRENT.store(&raw mut self.stack_pointer, Relaxed);
        // SAFETY: the frame there is a thread's first, or what `yield_now` has saved.
        unsafe { switch_stacks(SCHEDULER.as_ptr(), stack_pointer) };
    }
}

/// Lets the scheduler go on. Called by a thread.
pub fn yield_now() {
    // SAFETY: `resume` has saved the scheduler's frame, and the thread that it resumed is borrowed until it yields.
    unsafe { switch_stacks(CURRENT.load(Relaxed), SCHEDULER.load(Relaxed)) };
}

extern "C" fn enter<F: FnMut()>(body: &mut F) -> ! {
    body();
    loop {
        yield_now();
    }
}
