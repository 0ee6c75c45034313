//! What a panic means: in a guest the end of one test, in the host the end of the run.

use core::panic::PanicInfo;

use crate::guest::{self, Here};
use crate::platform::exit;
use crate::world;

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if world::is_native() {
        guest::fail_natively(format_args!("{panic}"));
    }
    harness::panicked::<Here>(panic, exit)
}
