//! An NMI of the sampler's that comes after its stop is claimed, one without a record as well, and no second one.

use harness::Guest;

use super::samplers;
use crate::guest::sampling::{Presented, Room, Verdicts, interrupted};
use crate::guest::{Here, instructions};
use crate::trap::Frame;

static RECORDS: Room = Room::new();
static VERDICTS: Verdicts = Verdicts::none();
/// Longer than a start and a stop.
const PERIOD: u64 = 16_000;

pub fn test() {
    samplers::say!(said);
}

fn said<S: Presented>() {
    let sampler = S::find();
    sampler.open(note::<S>);
    let program = RECORDS.encode(&sampler, &S::after(PERIOD)).expect("it can be sampled");
    for is_there in [true, false] {
        RECORDS.start(&sampler, program);
        Here::hold_interrupts(4 * PERIOD);
        instructions::exactly(if is_there { 3 * PERIOD / 2 } else { PERIOD / 2 });
        RECORDS.stop(&sampler, 5).expect("it was started");
        assert_eq!(VERDICTS.take(), [0; 3], "nothing has come yet");
        if !is_there {
            Here::interrupt_after(0);
        }
        instructions::exactly(5 * PERIOD);
        assert_eq!(VERDICTS.take(), [0, 1, 0]);
        Here::interrupt_after(0);
        assert_eq!(VERDICTS.take(), [0, 0, 1]);
        let mut records = RECORDS.read(&sampler).expect("nobody else reads");
        let record = records.next().filter(|record| record.thread == 5 && record.interrupted.is_none());
        assert_eq!(record.is_some(), is_there, "what no interrupt has taken in is the stop's");
        assert!(records.next().is_none());
    }
}

fn note<S: Presented>(frame: &mut Frame) {
    VERDICTS.note(RECORDS.on_interrupt(&S::opened(), interrupted(frame)));
}
