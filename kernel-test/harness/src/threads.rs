//! Preemptive threads: each on a stack of its own, and at each tick another one goes on.
//!
//! The kernel's entry for the tick keeps all that a thread is, its [`Frame`](Preempting::Frame), and calls [`on_tick`].
//! So a switch is an exchange of frames. Who goes on is a [`Scheduler`]'s to say. It is asked with interrupts off, so it
//! is the place to switch a context out and another one in.

#![expect(unsafe_code, reason = "the tick finds the threads by a pointer, and threads have stacks")]

use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use pmu::CounterId;

use crate::kernel::Kernel;
use crate::tick;

/// The most threads that there can be.
pub const MOST: usize = 64;

/// The bytes of a stack.
const STACK: usize = 128 * 1024;

/// A kernel that preempts threads on one processor.
pub trait Preempting: Kernel {
    /// What a thread is while another one runs.
    type Frame: Copy + 'static;

    /// A thread that is about to begin this in the kernel, with interrupts on; it has no stack yet.
    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> Self::Frame;
    /// In the loop that says how many of its instructions have retired, for ever.
    fn in_loop() -> Self::Frame;
    /// Gives it the stack that ends at this address.
    fn put_on_stack(frame: &mut Self::Frame, end: usize);
    /// How many instructions of that loop had retired when the thread left it; `None` if it was at another place.
    fn retired_by(frame: &Self::Frame) -> Option<u64>;

    /// Leads to [`on_tick`] with the frame of whoever calls this. It returns when that frame goes on.
    fn raise_tick() {
        tick::on_frame(on_tick::<Self>);
        tick::raise(|| Self::tick_after(1));
    }
    /// What the host has booked of these counters so far; nothing where there is no book.
    fn booked<const N: usize>(counters: &[Option<CounterId>; N]) -> [u64; N] {
        counters.map(|counter| counter.map_or(0, Self::counted))
    }
    /// How often a test switches threads.
    fn switches() -> u64 {
        600
    }
}

/// Says who goes on when a thread leaves the processor.
pub trait Scheduler<F> {
    /// Who goes on, now that this thread has left the processor, with these registers? `None` ends the run. Before the
    /// first thread nobody has left.
    fn switch(&mut self, left: Option<(usize, &F)>) -> Option<Turn>;
}

/// A thread that goes on.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Its number.
    pub thread: usize,
    /// The next tick comes when so many instructions more have retired, the way out of the scheduler among them; or as
    /// soon as the thread runs, if that way is longer.
    pub instructions: u64,
}

/// A thread's stack.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[u8; STACK]>);

// SAFETY: one processor runs, and one thread is on each stack.
unsafe impl Sync for Stack {}

static STACKS: [Stack; MOST] = [const { Stack(UnsafeCell::new([0; STACK])) }; MOST];
static RUNNING: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// The threads of one run.
pub struct Threads<'s, K: Preempting> {
    scheduler: &'s mut dyn Scheduler<K::Frame>,
    frames: [Option<K::Frame>; MOST],
    current: Option<usize>,
    /// Who runs them, once the first tick has come.
    kernel: Option<K::Frame>,
}

impl<'s, K: Preempting> Threads<'s, K> {
    /// No thread; this says who goes on.
    pub fn new(scheduler: &'s mut dyn Scheduler<K::Frame>) -> Self {
        Self { scheduler, frames: [None; MOST], current: None, kernel: None }
    }

    /// The thread with this number begins so when its first turn comes.
    pub fn begin(&mut self, thread: usize, mut beginning: K::Frame) {
        K::put_on_stack(&mut beginning, STACKS[thread].0.get() as usize + STACK);
        self.frames[thread] = Some(beginning);
    }

    /// Runs them until the scheduler ends that.
    pub fn run(&mut self) {
        RUNNING.store((&raw mut *self).cast(), Relaxed);
        K::raise_tick();
        RUNNING.store(ptr::null_mut(), Relaxed);
    }

    fn switch(&mut self, frame: &mut K::Frame) {
        match self.current {
            Some(thread) => self.frames[thread] = Some(*frame),
            None => self.kernel = Some(*frame),
        }
        let turn = self.scheduler.switch(self.current.map(|thread| (thread, &*frame)));
        self.current = turn.map(|turn| turn.thread);
        let next = self.current.map_or(self.kernel, |thread| self.frames[thread]);
        *frame = next.expect("it has begun");
        K::tick_after(turn.map_or(0, |turn| turn.instructions));
    }
}

/// What the kernel's entry for the tick calls while threads [run](are_running).
pub fn on_tick<K: Preempting>(frame: &mut K::Frame) {
    // SAFETY: whoever runs threads has stored them, and does not touch them until the run ends. A kernel is one `K`.
    let running = unsafe { RUNNING.load(Relaxed).cast::<Threads<K>>().as_mut() };
    running.expect("ticks come while threads run").switch(frame);
}

/// Does somebody run threads?
pub fn are_running() -> bool {
    !RUNNING.load(Relaxed).is_null()
}

/// Forgets the threads of a test that has failed.
pub fn forget() {
    RUNNING.store(ptr::null_mut(), Relaxed);
}
