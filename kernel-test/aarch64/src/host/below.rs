//! Runs the kernel that is tested at EL1, on the machine's own unit: the host hears of it when it ends.

use core::arch::asm;
use core::fmt;
use core::ops::ControlFlow::{self, Break, Continue};

use harness::host::{Outcome, text};
use harness::{Call, Words};
use metal::world::{self, World};
use metal::{get, put};

use crate::{boot, guest, trap};

/// SCTLR_EL1 with nothing on: no translation, no caches (DDI 0487, SCTLR_EL1, the bits that are RES1).
const NOTHING_ON: u64 = 0x30d0_0980;
/// EL1 by its own stack pointer, interrupts masked (SPSR_EL2).
const EL1: u64 = 0b0101 | 1 << 7 | 1 << 6 | 1 << 8 | 1 << 9;

/// A world at the kernel's first instruction.
pub fn beginning(cpu: usize, body: fn()) -> World {
    put!("sctlr_el1", NOTHING_ON);
    put!("sp_el1", boot::stack_of_kernel(cpu));
    let mut world = World { address: guest::begin as *const () as u64, state: EL1, ..World::default() };
    world.registers[0] = body as usize as u64;
    world
}

/// Runs `body` to its end.
///
/// # Errors
/// It did not end well.
pub fn run(cpu: usize, body: fn()) -> Outcome {
    let mut world = beginning(cpu, body);
    loop {
        // SAFETY: the kernel is this image's own; the host's vectors are loaded at boot.
        let vector = unsafe { world::switch(&mut world) };
        if let Break(outcome) = answer(&mut world, vector) {
            return outcome;
        }
    }
}

/// What to do about an exception that is the host's.
pub fn answer(world: &mut World, vector: u64) -> ControlFlow<Outcome> {
    const WAITS: u64 = 0x01;
    const CALLS: u64 = 0x16;
    /// ISS of an HVC: its number.
    const NUMBER: u64 = 0xffff;
    let syndrome = get!("esr_el2");
    match (vector, trap::class(syndrome)) {
        // The machine knows all of its own instructions.
        (world::SYNCHRONOUS, CALLS) if syndrome & NUMBER == trap::OFFER => Continue(()),
        (world::SYNCHRONOUS, CALLS) => call(world),
        (world::SYNCHRONOUS, WAITS) => failure(format_args!("the kernel halted")),
        _ => failure(format_args!(
            "left by vector {vector} at {:#x}, which nobody asked for: class {:#x}, syndrome {syndrome:#x}",
            world.address,
            trap::class(syndrome)
        )),
    }
}

/// A call that every host answers.
pub fn call(world: &mut World) -> ControlFlow<Outcome> {
    match Call::from_number(world.registers[0]) {
        Some(Call::Passed) => Break(Ok(())),
        Some(Call::Failed) => failure(format_args!("{}", text(world.registers[1], world.registers[2]))),
        Some(Call::Own) => {
            // SAFETY: it waits for an interrupt of this CPU's, and takes none.
            unsafe { asm!("wfi", options(nomem, nostack)) };
            Continue(())
        }
        _ => failure(format_args!("it made call {}, which its host does not answer", world.registers[0])),
    }
}

fn failure(reason: fmt::Arguments) -> ControlFlow<Outcome> {
    Break(Err(Words::from(reason)))
}
