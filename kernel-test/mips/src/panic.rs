//! What a panic means: in a guest the end of one test, in the host the end of the run.

use core::panic::PanicInfo;

use harness::{Guest, Verdict};

use crate::board::{exit, println};
use crate::guest::Here;
use crate::host;

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if host::runs_guest() {
        Here::fail(format_args!("{panic}"));
    }
    println!("kernel: the host panicked: {panic}");
    exit(Verdict::Failed)
}
