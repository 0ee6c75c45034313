//! While the interrupt is held, the processor records until its buffer is full. The interrupt then takes all that is there, the
//! sampler says that it was full, and sampling goes on.

use harness::Guest as _;
use pmu::Handled;

use crate::guest::precise::{self, Counters};
use crate::guest::sampling::{Presented as _, Room, interrupted};
use crate::guest::{Here, instructions};
use crate::trap::Frame;

/// The words before the records, and those of the records.
const BEFORE: usize = 32;
const BEHIND: usize = 100;

static RECORDS: Room = Room::new();

pub fn test() {
    let sampler = precise::find_in(BEFORE + BEHIND, 1);
    sampler.open(note);
    let program = RECORDS.encode(&sampler, &Counters::after(Counters::LEAST)).expect("it can be sampled");
    let room = (BEHIND / precise::words_of_record()) as u64;
    RECORDS.start(&sampler, program);
    let held = (room + 2) * Counters::LEAST;
    Here::hold_interrupts(held);
    instructions::exactly(held - 100);
    assert_eq!((received(), sampler.found_full()), (0, 0), "the interrupt is held");
    instructions::exactly(200);
    assert_eq!((received(), sampler.found_full()), (room, 1));
    instructions::exactly(Counters::LEAST + 100);
    assert_eq!((received(), sampler.found_full()), (room + 1, 1), "it goes on");
    RECORDS.stop(&sampler, 0).expect("it was started");
}

/// How many records were taken in.
fn received() -> u64 {
    RECORDS.statistics().received
}

fn note(frame: &mut Frame) {
    assert_eq!(RECORDS.on_interrupt(&Counters::opened(), interrupted(frame)), Handled::Overflow);
}
