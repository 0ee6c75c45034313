//! Where samples are taken by the clock, what passes while interrupts are off is found where they are let in, and the
//! ticks that came to nothing are counted.

use core::arch::asm;

use harness::ticks::{Ticking, Ticks};

use super::amid::Here;
use crate::kernel::{on_interrupt, unit};
use crate::trap::Frame;

static TICKS: Ticks = Ticks::new();

impl Ticking for Here {
    fn deafly(instructions: u64) {
        // SAFETY: this touches one register and the flags, and interrupts are on before and after.
        unsafe {
            asm!(
                "msr daifset, #2",
                "2:",
                "subs {rounds}, {rounds}, #1",
                "b.ne 2b",
                "msr daifclr, #2",
                rounds = inout(reg) instructions / 2 => _,
                options(nomem, nostack)
            );
        }
    }

    fn is_where_interrupts_come(address: u64) -> bool {
        /// `msr daifclr, #2`
        const LETS_IN: u32 = 0xd503_42ff;
        // SAFETY: it is a sample's, so code lies there and before it.
        unsafe { ((address - 4) as *const u32).read() == LETS_IN }
    }
}

pub fn test() {
    on_interrupt(on_tick);
    TICKS.expect_blindness::<Here>();
    on_interrupt(|_| ());
}

fn on_tick(frame: &mut Frame) {
    TICKS.tick::<Here>(unit::interrupted(frame));
}
