//! Where in a loop an overflow interrupts.

use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use pmu::Interrupted;

use crate::claim::claim;
use crate::kernel::{Claimed, Kernel};

static POSITION: AtomicU32 = AtomicU32::new(NOWHERE);
static ADDRESS: AtomicUsize = AtomicUsize::new(0);

const NOWHERE: u32 = u32::MAX;

/// Claims the unit; each of its overflows notes where it came.
pub fn watching<K: Kernel>() -> Claimed<K> {
    K::note_positions();
    claim::<K>()
}

/// What an overflow interrupt does while somebody [watches](watching).
pub fn note<K: Kernel>(at: Interrupted, position: Option<u64>) {
    POSITION.store(position.map_or(NOWHERE, |position| position as u32), Relaxed);
    ADDRESS.store(at.address as usize, Relaxed);
    let _ = K::unit().on_overflow(at);
}

/// Nothing has interrupted so far.
pub fn forget() {
    POSITION.store(NOWHERE, Relaxed);
}

/// How many of the loop's instructions had retired when the last interrupt came; `None` if it came elsewhere.
pub fn position() -> Option<u64> {
    Some(POSITION.load(Relaxed)).filter(|&position| position != NOWHERE).map(u64::from)
}

/// The address of the instruction that the last interrupt interrupted.
pub fn address() -> u64 {
    ADDRESS.load(Relaxed) as u64
}
