//! What a panic means: in a guest the end of one test, in the host the end of the run.

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use harness::Verdict;

use crate::guest::{self, World};
use crate::platform::{exit, println};

/// Who runs: nobody's guest, or one of this world.
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

/// Does a guest of the host's run?
pub fn is_above_host() -> bool {
    RUNS.load(Relaxed) == GUEST
}

/// No guest runs any more: the kernel itself has failed, and what it says is for the board.
pub fn end_guest() {
    RUNS.store(HOST, Relaxed);
}

/// The world of the guest that runs.
pub fn guests_world() -> World {
    if RUNS.load(Relaxed) == NATIVE_GUEST { World::Native } else { World::Host }
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    match RUNS.load(Relaxed) {
        NATIVE_GUEST => guest::fail(World::Native, format_args!("{panic}")),
        GUEST => guest::fail(World::Host, format_args!("{panic}")),
        _ => println!("kernel: the host panicked: {panic}"),
    }
    exit(Verdict::Failed)
}
