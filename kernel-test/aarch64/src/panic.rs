//! What a panic means: in the kernel that is tested the end of one test, in the host the end of the run.

use core::panic::PanicInfo;

use harness::{Guest, panicked};

use crate::guest::Here;
use crate::{boot, host, system};

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if system::level() == 1 {
        Here::fail(format_args!("{panic}"));
    }
    if host::here::is_running() {
        host::here::fail(format_args!("{panic}"));
    }
    panicked::<Here>(panic, boot::exit)
}
