//! Where samples are taken by the clock, what passes while interrupts are off is found where they are let in, and the
//! ticks that came to nothing are counted.

use core::arch::asm;

use harness::ticks::{Ticking, Ticks};
use x86_64::instructions::interrupts;

use super::amid::Here;
use crate::guest::{on_nmi, threads, unit};
use crate::trap::{Frame, TICK_VECTOR};

static TICKS: Ticks = Ticks::new();

impl Ticking for Here {
    fn tick_after(instructions: u64) {
        threads::tick_after(instructions);
    }

    fn deafly(instructions: u64) {
        // SAFETY: this touches one register and the flags, and interrupts are on before and after.
        unsafe {
            asm!(
                "cli",
                "2:",
                "dec {rounds}",
                "jnz 2b",
                "sti", // lets interrupts in behind the next instruction
                "nop",
                rounds = inout(reg) instructions / 2 => _,
                options(nomem, nostack)
            );
        }
    }

    fn is_where_interrupts_come(address: u64) -> bool {
        const STI_NOP: [u8; 2] = [0xfb, 0x90];
        // SAFETY: it is a sample's, so code lies there and before it.
        unsafe { ((address - 2) as *const [u8; 2]).read() == STI_NOP }
    }
}

pub fn test() {
    on_nmi(on_tick);
    interrupts::enable();
    TICKS.expect_blindness::<Here>();
    threads::tick_after(0);
    interrupts::disable();
}

fn on_tick(frame: &mut Frame) {
    assert_eq!(frame.vector, TICK_VECTOR.into());
    TICKS.tick::<Here>(unit::interrupted(frame));
}
