//! What the host's own instructions cost: three constants, measured at boot, that are taken off
//! every passage through the guest.
//!
//! Under QEMU's instruction clock they are exact, so whatever is left over would be a mistake; the
//! test `calibration_leaves_no_residue` looks for it.

use core::arch::naked_asm;

use super::processor::Processor;
use super::world::Passage;

/// The instructions of the host that the clock sees around a passage.
#[derive(Clone, Copy, Debug)]
pub struct Overhead {
    /// Between the two readings of the clock.
    passage: u64,
    /// From the first reading of the clock to the guest's first instruction.
    entry: u64,
    /// From the start of the timer to the guest's first instruction.
    timer: u64,
}

impl Overhead {
    /// Measures it, with guests that do next to nothing.
    pub fn measure(processor: &mut Processor) -> Self {
        let passage = elapsed(processor, leave_at_once, 0);
        elapsed(processor, read_clock, 0);
        let entry = processor.wide();
        Self { passage, entry, timer: timer_overhead(processor, passage) }
    }

    /// A passage in which the guest's clock begins at `guest_clock`, and which the timer ends when
    /// `instructions` have retired.
    pub fn passage(&self, guest_clock: u64, instructions: u64) -> Passage {
        Passage {
            guest_clock: guest_clock.wrapping_sub(self.entry),
            timer: (instructions + self.timer).min(u32::MAX.into()),
            ..Passage::default()
        }
    }

    /// How many instructions of the guest retired during a passage.
    pub fn retired(&self, passage: &Passage) -> u64 {
        (passage.left - passage.entered).saturating_sub(self.passage)
    }
}

/// The timer counts from its start: what it has to count beyond what the guest shall retire. Taken
/// from above: with too little the timer would fire before the guest's first instruction, for ever.
fn timer_overhead(processor: &mut Processor, passage: u64) -> u64 {
    const LONG: u64 = 10_000;
    let retired = elapsed(processor, turn, LONG) - passage;
    LONG - retired
}

fn elapsed(processor: &mut Processor, guest: extern "C" fn() -> !, timer: u64) -> u64 {
    let mut passage = Passage { timer, ..Passage::default() };
    processor.begin_at(guest, 0);
    processor.enter(&mut passage);
    passage.left - passage.entered
}

#[unsafe(naked)]
extern "C" fn leave_at_once() -> ! {
    naked_asm!("vmmcall")
}

#[unsafe(naked)]
extern "C" fn read_clock() -> ! {
    naked_asm!("rdtsc", "vmmcall")
}

#[unsafe(naked)]
extern "C" fn turn() -> ! {
    naked_asm!("2:", "jmp 2b")
}
