//! A small hypervisor on AArch64 whose guest, Debian's own Linux, has a performance-monitoring unit of the crate's.
//!
//! It runs at EL2 and has one guest with one processor. The guest has memory, the serial port, the interrupt controller's
//! distributor, and the virtual timer. Its accesses to the unit's registers are trapped (MDCR_EL2.TPM), and a device of the
//! crate answers them. An overflow comes back as private interrupt 23, by a list register of the virtual interrupt controller.
//! The unit moves at each exit, as it does to another host: it becomes bytes, from which another unit is restored.
//!
//! Read it in this order:
//!
//! | file | what it does |
//! |---|---|
//! | `machine` | the loop: enter, report what has retired, inject, carry out |
//! | `instructions` | the guest's instructions that are trapped |
//! | `identification` | the ID registers that the guest sees |
//! | `clock` | how many instructions the guest has retired, in each mode |
//! | `interrupts` | from the machine's interrupts, and from an overflow, to the guest's |
//! | `redistributor` | the part of the interrupt controller that is not the guest's |
//! | `calls` | the firmware that the guest sees |
//! | `world` | how the guest is entered and left |
//! | `memory`, `boot`, and `kernel-test/metal` | what every hypervisor has |
//!
//! Linux, its device tree and its first file system are in memory when the host begins (`linux`).

#![no_std]
#![no_main]

mod boot;
mod calls;
mod clock;
mod identification;
mod instructions;
mod interrupts;
mod linux;
mod machine;
mod memory;
mod redistributor;
mod world;

use core::panic::PanicInfo;

use metal::println;

use machine::{Ending, Machine};

/// What the boot code calls.
extern "C" fn main() -> ! {
    match Machine::new().run() {
        Ending::Asked { went_well } => metal::end(went_well),
        Ending::Unexpected { vector, syndrome, address } => {
            println!("hypervisor: vector {vector}, syndrome {syndrome:#x}, at {address:#x}");
            metal::end(false);
        }
    }
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    println!("hypervisor: {panic}");
    metal::end(false)
}
