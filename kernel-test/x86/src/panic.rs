//! What a panic means: in the guest the end of one test, in the host the end of the run.

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use harness::{Guest, Verdict};

use crate::console::{exit, println};
use crate::guest::Here;

static GUEST_RUNS: AtomicBool = AtomicBool::new(false);

/// Runs `passage` as the guest: a panic inside it is the guest's.
pub fn as_guest<T>(passage: impl FnOnce() -> T) -> T {
    GUEST_RUNS.store(true, Relaxed);
    let result = passage();
    GUEST_RUNS.store(false, Relaxed);
    result
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if GUEST_RUNS.load(Relaxed) {
        Here::fail(format_args!("{panic}"));
    }
    println!("kernel: the host panicked: {panic}");
    exit(Verdict::Failed)
}
