//! What a panic means: in the kernel that is tested the end of one test, in the host the end of the run.

use core::panic::PanicInfo;

use harness::{Guest, Verdict};

use crate::console::{exit, println};
use crate::guest::Here;
use crate::{host, system};

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if system::level() == 1 {
        Here::fail(format_args!("{panic}"));
    }
    if host::here::is_running() {
        host::here::fail(format_args!("{panic}"));
    }
    println!("kernel: the host panicked: {panic}");
    exit(Verdict::Failed)
}
