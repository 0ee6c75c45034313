//! Who runs: the host, or its guest.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

static IS_GUEST: AtomicBool = AtomicBool::new(false);

/// Runs `passage` as a guest: a panic inside it is the guest's.
pub fn as_guest<T>(passage: impl FnOnce() -> T) -> T {
    IS_GUEST.store(true, Relaxed);
    let result = passage();
    IS_GUEST.store(false, Relaxed);
    result
}

/// Does a guest run?
pub fn is_guest() -> bool {
    IS_GUEST.load(Relaxed)
}

/// No guest runs any more: the kernel itself has failed, and what it says is for the board.
pub fn end_guest() {
    IS_GUEST.store(false, Relaxed);
}
