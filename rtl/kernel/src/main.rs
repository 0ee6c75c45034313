//! A kernel that runs the crate's driver on the hardware description of a real core, in a bench that counts the core's own events.
//!
//! It runs in machine mode, alone. Each sentence of [`sentences`] claims the unit anew. The bench ([`bench`], `rtl/bench.cpp`)
//! counts for each counter what the core's wires report while mcountinhibit lets it count: it is what the crate's counts are
//! compared with.

#![no_std]
#![no_main]

mod atomics;
mod bench;
mod boot;
mod sentences;
mod unit;
mod work;

use core::panic::PanicInfo;

use metal::println;

use crate::unit::Core;

/// Runs the sentences until one fails: nothing unwinds.
extern "C" fn main() -> ! {
    let core = Core::present();
    println!("booted on {}", core.identity.name());
    let mut passed = 0;
    for (name, sentence) in sentences::ALL {
        bench::running(name);
        sentence(&core);
        println!("test {name} ... ok");
        passed += 1;
    }
    println!("kernel: {passed} passed, 0 failed");
    metal::end(true)
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    let passed = sentences::ALL.iter().take_while(|(name, _)| *name != bench::name()).count();
    println!("test {} ... FAILED: {}", bench::name(), panic.message());
    println!("kernel: {passed} passed, 1 failed");
    metal::end(false)
}
