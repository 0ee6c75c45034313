//! A guest at EL1 beneath this kernel at EL2, which executes a known number of instructions.

use core::arch::naked_asm;

use metal::put;
use metal::world::{self, World};

use crate::guest::instructions::exactly;
use crate::system;

/// SCTLR_EL1 with nothing on (DDI 0487, SCTLR_EL1, the bits that are RES1).
const NOTHING_ON: u64 = 0x30d0_0980;
/// EL1 by its own stack pointer, interrupts masked (SPSR_EL2).
const EL1: u64 = 0b0101 | 0b1111 << 6;
/// The instructions of a round.
pub const ROUND: u64 = 2;

/// Runs a guest for so many rounds between `enter` and `exit`, and then its hypervisor, which is told by `left` how the guest
/// was left: the vector. Returns that.
pub fn run<G>(
    guest: &mut G,
    rounds: u64,
    enter: impl FnOnce(&mut G),
    exit: impl FnOnce(&mut G),
    left: impl FnOnce(&mut G, u64),
) -> u64 {
    put!("sctlr_el1", NOTHING_ON);
    let mut world = World { address: body as *const () as u64, state: EL1, ..World::default() };
    world.registers[0] = rounds;
    system::without_interrupts(|| {
        enter(guest);
        // SAFETY: the body touches no memory, and the host's vectors are loaded.
        let vector = unsafe { world::switch(&mut world) };
        exit(guest);
        exactly(5000);
        left(guest, vector);
        vector
    })
}

#[unsafe(naked)]
extern "C" fn body() {
    naked_asm!("2:", "subs x0, x0, #1", "b.ne 2b", "hvc #0")
}
