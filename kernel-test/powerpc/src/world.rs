//! Who runs: nobody's guest, or one of a world. Of those above the host [`harness::world`] knows.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Where a guest runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// On QEMU's own unit.
    Native,
    /// Above the host, on the crate's device.
    Host,
}

static IS_NATIVE: AtomicBool = AtomicBool::new(false);

/// Runs `passage` as a guest on QEMU's own unit: a panic inside it is the guest's.
pub fn as_native<T>(passage: impl FnOnce() -> T) -> T {
    IS_NATIVE.store(true, Relaxed);
    let result = passage();
    IS_NATIVE.store(false, Relaxed);
    result
}

/// Does a guest run on QEMU's own unit?
pub fn is_native() -> bool {
    IS_NATIVE.load(Relaxed)
}

/// No guest runs any more: the kernel itself has failed, and what it says is for the board.
pub fn end_guest() {
    IS_NATIVE.store(false, Relaxed);
    harness::world::end_guest();
}

/// The world of the guest that runs.
pub fn world() -> World {
    if is_native() { World::Native } else { World::Host }
}
