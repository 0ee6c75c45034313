//! What a panic means: in a guest the end of one test, in the host the end of the run.

use core::panic::PanicInfo;

use harness::{Guest, Verdict};

use crate::guest::Here;
use crate::platform::{exit, println};
use crate::world;

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if world::is_guest() {
        Here::fail(format_args!("{panic}"));
    }
    println!("kernel: the host panicked: {panic}");
    exit(Verdict::Failed)
}
