//! A kernel that runs the crate's driver on Microwatt's hardware description, in a bench that counts the core's own events.
//!
//! It runs in supervisor state, alone, little-endian, and has claimed the unit once for all [`sentences`]: a second of the host's
//! is a thousand cycles. The bench ([`bench`], `rtl/microwatt/bench.cpp`) counts for each counter what the core reports to its
//! unit while MMCR0 and MMCR2 let it count: it is what the crate's counts are compared with.

#![no_std]
#![no_main]

mod bench;
mod boot;
mod sentences;
mod unit;
mod work;

use core::fmt::Write;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How many sentences have passed.
static PASSED: AtomicUsize = AtomicUsize::new(0);

/// Runs the sentences until one fails: nothing unwinds.
extern "C" fn main() -> ! {
    let pmu = unit::claim();
    boot::unmask();
    for (number, (name, sentence)) in sentences::ALL.iter().enumerate() {
        sentence(pmu);
        bench::print(&["test ", name, " ... ok\n"]);
        PASSED.store(number + 1, Relaxed);
    }
    conclude(0)
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    let (name, _) = sentences::ALL.get(PASSED.load(Relaxed)).unwrap_or(&("none", |_| ()));
    let _ = writeln!(bench::Console, "test {name} ... FAILED: {}", panic.message());
    conclude(1)
}

fn conclude(failed: usize) -> ! {
    let _ = writeln!(bench::Console, "kernel: {} passed, {failed} failed", PASSED.load(Relaxed));
    bench::end(failed == 0)
}
