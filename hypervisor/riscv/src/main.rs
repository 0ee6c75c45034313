//! A small hypervisor on RISC-V whose guest, Debian's own Linux, has a performance-monitoring unit of the crate's.
//!
//! It runs in supervisor mode under QEMU's OpenSBI, by the hypervisor extension, and has one guest with one hart. The guest has
//! memory, the serial port, and a timer of its own (Sstc). The rest of its machine are calls of the SBI, which the host answers,
//! the unit's from a device of the crate. Its reads of counters are trapped, and an overflow comes back as the local interrupt
//! LCOFI. The unit moves at each exit, as it does to another host: it becomes bytes, from which another unit is restored.
//!
//! Read it in this order:
//!
//! | file | what it does |
//! |---|---|
//! | `machine` | the loop: enter, report what has retired, inject, carry out |
//! | `calls` | the firmware that the guest sees |
//! | `instructions` | the guest's instructions that are trapped |
//! | `clock` | how many instructions the guest has retired, in each mode |
//! | `interrupts` | from an overflow to the guest's LCOFI |
//! | `world` | the world switch |
//! | `memory`, `boot`, `csr`, and `kernel-test/metal` | what every hypervisor has |
//!
//! Linux, its device tree and its first file system are in memory when the host begins (`linux`); or the test kernel is, which
//! runs the crate's own driver.

#![no_std]
#![no_main]

mod boot;
mod calls;
mod clock;
mod csr;
mod instructions;
mod interrupts;
mod linux;
mod machine;
mod memory;
mod world;

use core::panic::PanicInfo;

use metal::println;

use machine::{Ending, Machine};

/// What the boot code calls.
extern "C" fn main() -> ! {
    match Machine::new().run() {
        Ending::Asked { went_well } => metal::end(went_well),
        Ending::Unexpected { cause, value, address } => {
            println!("hypervisor: trap {cause} ({value:#x}) at {address:#x}");
            metal::end(false);
        }
    }
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    println!("hypervisor: {panic}");
    metal::end(false)
}
