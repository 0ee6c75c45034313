//! Who runs: nobody's guest, or one of a world.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Where a guest runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// On QEMU's own unit.
    Native,
    /// Above the host, on the crate's device.
    Host,
}

static RUNS: AtomicU8 = AtomicU8::new(HOST);
const HOST: u8 = 0;
const NATIVE_GUEST: u8 = 1;
const GUEST: u8 = 2;

/// Runs `passage` as a guest of this world: a panic inside it is the guest's.
pub fn as_guest<T>(world: World, passage: impl FnOnce() -> T) -> T {
    RUNS.store(if world == World::Native { NATIVE_GUEST } else { GUEST }, Relaxed);
    let result = passage();
    RUNS.store(HOST, Relaxed);
    result
}

/// The world of the guest that runs, if one does.
pub fn of_guest() -> Option<World> {
    match RUNS.load(Relaxed) {
        NATIVE_GUEST => Some(World::Native),
        GUEST => Some(World::Host),
        _ => None,
    }
}

/// No guest runs any more: the kernel itself has failed, and what it says is for the board.
pub fn end_guest() {
    RUNS.store(HOST, Relaxed);
}

/// The world of the guest that runs.
pub fn world() -> World {
    if RUNS.load(Relaxed) == NATIVE_GUEST { World::Native } else { World::Host }
}
