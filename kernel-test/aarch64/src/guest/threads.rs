//! Preemptive threads at EL0, on whichever CPU: at each tick another one goes on.
//!
//! A trap from EL0 finds the kernel's stack as it was before, and there its entry has pushed all that a
//! thread is but its stack pointer. So a switch is an exchange of [`State`]s, and a thread that has left one
//! CPU can go on on another. The tick is the CPU's own virtual timer; who goes on is a [`Scheduler`]'s to say.
//! It is asked with interrupts masked, so it is the place to switch a context out and another one in.

use core::arch::asm;
use core::cell::UnsafeCell;

use metal::{get, put};
use spin::Mutex;

use crate::boot::CPUS;
use crate::system;
use crate::trap::{self, Frame};

/// The most threads that there can be.
pub const MOST: usize = 64;

/// The `svc` by which a kernel begins to run threads.
const CALL: u64 = 1;
/// The `svc` that is a tick at once.
const TICK: u64 = 2;

/// The size of a thread's stack, in words.
const WORDS: usize = 512;

/// A thread's stack.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[u64; WORDS]>);

// SAFETY: one thread is on each stack, and a thread is on one CPU at a time.
unsafe impl Sync for Stack {}

static STACKS: [Stack; MOST] = [const { Stack(UnsafeCell::new([0; WORDS])) }; MOST];

/// A thread that no CPU runs.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Its registers.
    pub frame: Frame,
    stack: u64,
}

impl State {
    /// The thread with this number is about to begin at `entry`, with these in X0 and X1, and in X2 0.
    pub fn beginning(thread: usize, entry: u64, arguments: [u64; 2]) -> Self {
        let mut frame = Frame { registers: [0; 31], address: entry, state: 0, vector: 0 };
        frame.registers[..2].copy_from_slice(&arguments);
        Self { frame, stack: STACKS[thread].0.get() as u64 + size_of::<Stack>() as u64 }
    }

    /// A thread of the kernel's that is about to begin there, with this in X0, X1 and X2, and interrupts let through; it is
    /// on the stack pointer of user programs. It has no stack yet.
    pub fn in_kernel(entry: u64, arguments: [u64; 3]) -> Self {
        /// EL1 by SP_EL0 (SPSR_EL1).
        const EL1T: u64 = 0b0100;
        let mut frame = Frame { registers: [0; 31], address: entry, state: EL1T, vector: 0 };
        frame.registers[..3].copy_from_slice(&arguments);
        Self { frame, stack: 0 }
    }

    /// Gives it the stack that ends there.
    pub fn put_on_stack(&mut self, end: usize) {
        self.stack = end as u64;
    }

    /// Lets this say who goes on in the place of what was interrupted.
    pub fn exchanged(frame: &mut Frame, handler: fn(&mut Self)) {
        let mut state = Self::taken_from(frame);
        handler(&mut state);
        state.give_to(frame);
    }

    fn taken_from(frame: &Frame) -> Self {
        Self { frame: *frame, stack: get!("sp_el0") }
    }

    fn give_to(&self, frame: &mut Frame) {
        *frame = self.frame;
        put!("sp_el0", self.stack);
    }
}

/// A thread goes on.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Where it was.
    pub state: State,
    /// The tick comes so much later by the system counter, or as soon as the thread runs.
    pub ticks: u64,
}

/// Says who goes on when a thread leaves a CPU.
pub trait Scheduler: Sync {
    /// Who goes on here, now that this thread has left? `None` ends the run on this CPU. Before the first
    /// thread nobody has left.
    fn switch(&self, left: Option<&State>) -> Option<Turn>;
}

/// What runs on a CPU.
struct Run {
    scheduler: &'static dyn Scheduler,
    /// Who runs the threads, once one has begun.
    kernel: Option<State>,
}

static RUNS: [Mutex<Option<Run>>; CPUS] = [const { Mutex::new(None) }; CPUS];

/// Runs threads on this CPU until the scheduler ends that.
pub fn run(scheduler: &'static dyn Scheduler) {
    *RUNS[system::cpu()].lock() = Some(Run { scheduler, kernel: None });
    // SAFETY: it leads to `is_call`, and the end of the run leads back with every register as it was.
    unsafe { asm!("svc #{call}", call = const CALL) };
}

/// Is this a kernel that begins to run threads? Then the first one goes on.
pub fn is_call(frame: &mut Frame, syndrome: u64) -> bool {
    let is_call = frame.vector == trap::FROM_KERNEL && trap::is_call(syndrome, CALL);
    if is_call {
        switch(frame);
    }
    is_call
}

/// Takes a tick of the host's at once.
pub fn raise_tick() {
    // SAFETY: it leads to the tick's handler, and whoever goes on here has every register as it was.
    unsafe { asm!("svc #{tick}", tick = const TICK) };
}

/// Is it that tick?
pub fn is_ticks_call(frame: &Frame, syndrome: u64) -> bool {
    frame.vector == trap::FROM_KERNEL && trap::is_call(syndrome, TICK)
}

/// The thread that runs here leaves, and another one goes on.
pub fn switch(frame: &mut Frame) {
    let mut here = RUNS[system::cpu()].lock();
    let run = here.as_mut().expect("ticks come while threads run");
    let state = State::taken_from(frame);
    let left = run.kernel.is_some().then_some(&state);
    let kernel = *run.kernel.get_or_insert(state);
    match run.scheduler.switch(left) {
        Some(turn) => {
            turn.state.give_to(frame);
            tick_after(turn.ticks);
        }
        None => {
            kernel.give_to(frame);
            *here = None;
        }
    }
}

/// CNTV_CTL_EL0.ENABLE (DDI 0487, D24.10): with it the timer's interrupt is there when its time has come.
const TICKING: u64 = 1;

#[inline(always)]
fn tick_after(ticks: u64) {
    put!("cntv_tval_el0", ticks);
    put!("cntv_ctl_el0", TICKING);
}

pub fn stop_ticking() {
    put!("cntv_ctl_el0", 0);
}

/// Forgets what ran when a test ended amid it.
pub fn forget() {
    stop_ticking();
    for run in &RUNS {
        // SAFETY: a test that was ended does not go on, so that nobody holds the lock.
        unsafe { run.force_unlock() };
        *run.lock() = None;
    }
}
