//! The thread that runs, to name it in samples: from before its counters start until they have stopped, since an
//! overflow may come in between.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::driver::Driver;
use pmu::{Handled, Interrupted, Unit};

static RUNNING: AtomicU32 = AtomicU32::new(0);

/// This one is about to run.
pub(crate) fn is(thread: u32) {
    RUNNING.store(thread, Relaxed);
}

/// What an overflow interrupt does while threads run.
pub fn service<B: Driver, const SAMPLES: usize>(unit: &Unit<B, SAMPLES>, at: Interrupted) -> Handled {
    unit.on_overflow(at.in_thread(RUNNING.load(Relaxed)))
}
