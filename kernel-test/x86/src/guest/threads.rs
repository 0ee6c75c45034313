//! Preemptive threads: each on a stack of its own, and at each tick another one goes on.
//!
//! The stub of a tick has pushed all that a thread is, its [`Frame`]. So a switch is an exchange of
//! frames. The tick is an interrupt that the host was ordered to send after so many instructions;
//! who goes on is a [`Scheduler`]'s to say. It is asked with interrupts off, so it is the place to
//! switch a context out and another one in.

use core::arch::{asm, naked_asm};
use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use super::call;
use crate::hypercall::Call;
use crate::trap::{Frame, TICK_VECTOR};

/// The most threads that there can be.
pub const MOST: usize = 64;

/// RFLAGS of a new thread: interrupts are taken (IF), and bit 1, which is always set.
const FLAGS_AT_START: u64 = 1 << 9 | 1 << 1;

/// A thread's stack.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[u64; 16 * 1024]>);

// SAFETY: one processor runs, and one thread is on each stack.
unsafe impl Sync for Stack {}

static STACKS: [Stack; MOST] = [const { Stack(UnsafeCell::new([0; _])) }; MOST];
static RUNNING: AtomicPtr<Threads> = AtomicPtr::new(ptr::null_mut());

/// Says who goes on when a thread leaves the processor.
pub trait Scheduler {
    /// Who goes on, now that `left` has left the processor? `None` ends the run. Before the first
    /// thread nobody has left.
    fn switch(&mut self, left: Option<Left>) -> Option<Turn>;
}

/// A thread that has left the processor.
#[derive(Clone, Copy, Debug)]
pub struct Left<'f> {
    /// Its number.
    pub thread: usize,
    /// Its registers.
    pub frame: &'f Frame,
    /// Why it left.
    pub cause: Cause,
}

/// Why a thread leaves the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Its turn is over.
    Tick,
    /// Its function has returned: it cannot go on.
    End,
}

/// A thread that goes on.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Its number.
    pub thread: usize,
    /// The next tick comes when so many instructions more have retired, the way out of the
    /// scheduler among them; or as soon as the thread runs, if that way is longer.
    pub instructions: u64,
}

/// How a thread begins: at `entry`, with `argument` in RDI and the other general registers 0.
#[derive(Clone, Copy, Debug)]
pub struct Beginning(Frame);

impl Beginning {
    /// In ring 0. It may return.
    pub fn in_kernel(entry: u64, argument: u64) -> Self {
        Self(Self::at(entry, argument).in_kernel())
    }

    /// In ring 3. It may not return.
    pub fn in_ring_3(entry: u64, argument: u64) -> Self {
        Self(Self::at(entry, argument).in_ring_3())
    }

    fn at(entry: u64, argument: u64) -> Frame {
        Frame { rip: entry, rdi: argument, rflags: FLAGS_AT_START, ..Frame::default() }
    }
}

/// The threads of one run.
pub struct Threads<'s> {
    scheduler: &'s mut dyn Scheduler,
    frames: [Frame; MOST],
    current: Option<usize>,
    /// Who runs them.
    kernel: Frame,
}

impl<'s> Threads<'s> {
    /// No thread; this says who goes on.
    pub fn new(scheduler: &'s mut dyn Scheduler) -> Self {
        Self { scheduler, frames: [Frame::default(); MOST], current: None, kernel: Frame::default() }
    }

    /// The thread with this number begins so when its first turn comes.
    pub fn begin(&mut self, thread: usize, beginning: Beginning) {
        let stack = STACKS[thread].0.get();
        // SAFETY: no thread is on this stack yet, and nobody refers to it.
        let last = unsafe { (*stack).last_mut() }.expect("a stack has room");
        *last = end as *const () as u64;
        self.frames[thread] = Frame { rsp: &raw const *last as u64, ..beginning.0 };
    }

    /// Runs them until the scheduler ends that.
    pub fn run(&mut self) {
        RUNNING.store((&raw mut *self).cast(), Relaxed);
        // SAFETY: it leads to `on_tick`, and the end of the run leads back with every register as
        // it was.
        unsafe { asm!("int {tick}", tick = const TICK_VECTOR) };
        RUNNING.store(ptr::null_mut(), Relaxed);
    }

    fn switch(&mut self, frame: &mut Frame) {
        let thread = self.current.take();
        let before = thread.map_or(&mut self.kernel, |thread| &mut self.frames[thread]);
        *before = *frame;
        let left = thread.map(|thread| Left { thread, frame, cause: cause(frame) });
        let turn = self.scheduler.switch(left);
        *frame = turn.map_or(self.kernel, |turn| self.frames[turn.thread]);
        self.current = turn.map(|turn| turn.thread);
        tick_after(turn.map_or(0, |turn| turn.instructions));
    }
}

/// Forgets the threads of a test that has come to grief.
pub fn forget() {
    RUNNING.store(ptr::null_mut(), Relaxed);
}

/// Does somebody run threads?
pub fn are_running() -> bool {
    !RUNNING.load(Relaxed).is_null()
}

/// Where every tick arrives while threads run.
pub fn on_tick(frame: &mut Frame) {
    // SAFETY: whoever runs threads has stored them, and does not touch them until the run ends.
    let running = unsafe { RUNNING.load(Relaxed).as_mut() };
    running.expect("ticks come while threads run").switch(frame);
}

/// Orders the next tick, in place of any other; none if it is after no instruction.
#[inline(always)]
pub fn tick_after(instructions: u64) {
    call(Call::TickAfter, instructions, 0);
}

fn cause(frame: &Frame) -> Cause {
    if frame.rip == &raw const thread_has_ended as u64 { Cause::End } else { Cause::Tick }
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
