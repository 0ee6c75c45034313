//! One CPU executes at a time, and the others sleep.
//!
//! QEMU's clock counts what all CPUs execute. So that it counts one guest's CPU alone, each CPU's host passes the turn on
//! when it has had its [`SLICE`], and sleeps until the turn comes back. On hardware none of this is needed.

use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use metal::boot::CPUS;

use crate::{interrupts, world};

/// How many instructions the guest executes in a turn, or how many ticks of the clock it waits for an interrupt.
pub const SLICE: u64 = 100_000;

/// A CPU that the guest has not started.
const NOT_STARTED: usize = usize::MAX;

/// Whose turn it is.
static HOLDER: AtomicUsize = AtomicUsize::new(0);

/// In which page the guest has started each CPU. The first one has been started by the host.
static STARTED: [AtomicUsize; CPUS] = [AtomicUsize::new(0), AtomicUsize::new(NOT_STARTED)];

/// The guest starts this CPU in this page of its memory. It gets its turn from now on. One that has been started already
/// goes on.
pub fn start(cpu: usize, page: u8) {
    if let Some(started) = STARTED.get(cpu) {
        let _ = started.compare_exchange(NOT_STARTED, page.into(), SeqCst, SeqCst);
    }
}

/// Waits for this CPU's turn. Returns in which page the guest has started it.
pub fn wait(cpu: usize) -> u64 {
    while HOLDER.load(SeqCst) != cpu {
        world::sleep();
    }
    while !world::is_alone() {}
    STARTED[cpu].load(SeqCst) as u64
}

/// Lets the next CPU have its turn, if there is one, and waits for the next of this one.
pub fn pass(cpu: usize) {
    let others = (1..CPUS).map(|distance| (cpu + distance) % CPUS);
    let next = others.into_iter().find(|&other| STARTED[other].load(SeqCst) != NOT_STARTED);
    if let Some(next) = next {
        HOLDER.store(next, SeqCst);
        interrupts::wake_others();
        wait(cpu);
    }
}
