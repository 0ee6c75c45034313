//! What a panic means: in the kernel that is tested the end of one test, in the host the end of the run.

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use harness::Verdict;

use crate::console::{exit, println};
use crate::{host, kernel, system};

/// The kernel that is tested runs at EL2, where the host is.
static KERNEL_IS_HERE: AtomicBool = AtomicBool::new(false);

/// Runs `passage` as the kernel's: a panic inside it is not the host's.
pub fn as_kernel<T>(passage: impl FnOnce() -> T) -> T {
    KERNEL_IS_HERE.store(true, Relaxed);
    let result = passage();
    KERNEL_IS_HERE.store(false, Relaxed);
    result
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if system::level() == 1 {
        kernel::fail(format_args!("{panic}"));
    }
    if KERNEL_IS_HERE.load(Relaxed) {
        host::here::fail(format_args!("{panic}"));
    }
    println!("kernel: the host panicked: {panic}");
    exit(Verdict::Failed)
}
