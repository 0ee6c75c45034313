//! Where samples are taken by the clock, what passes while interrupts are off is found where they are let in, and the
//! ticks that came to nothing are counted.

use harness::ticks::{Ticking, Ticks};
use pmu::Interrupted;

use super::amid::Here;
use crate::guest::{hold_exceptions, instructions, on_overflow, take_exceptions};

static TICKS: Ticks = Ticks::new();

impl Ticking for Here {
    fn deafly(instructions: u64) {
        hold_exceptions();
        instructions::exactly(instructions);
        take_exceptions();
    }

    fn is_where_interrupts_come(address: u64) -> bool {
        /// `mtmsrd rS, 1`, or `mtmsr rS` where registers have 32 bits, whichever register S is.
        const LETS_IN: u32 = crate::by_width!(0x7c01_0164, 0x7c00_0124);
        const SOURCE: u32 = 31 << 21;
        // SAFETY: it is a sample's, so code lies there and before it.
        unsafe { ((address - 4) as *const u32).read() & !SOURCE == LETS_IN }
    }
}

pub fn test() {
    on_overflow(on_tick);
    TICKS.expect_blindness::<Here>();
    on_overflow(|_| ());
}

fn on_tick(at: Interrupted) {
    TICKS.tick::<Here>(at);
}
