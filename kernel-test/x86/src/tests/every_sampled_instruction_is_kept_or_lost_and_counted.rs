//! As often as the host has pulled the sampler's wire, a record was received or lost, or the NMI was late: through a ring that is
//! too small, and over starts and stops at which NMIs come anywhere.

use harness::{Effort, Guest};

use super::samplers;
use crate::guest::sampling::{Presented, Records, Verdicts, interrupted};
use crate::guest::{Here, instructions};
use crate::trap::Frame;

static RECORDS: Records<16> = Records::new();
static VERDICTS: Verdicts = Verdicts::none();

pub fn test() {
    samplers::say!(said);
}

fn said<S: Presented>() {
    let sampler = S::find();
    sampler.open(note::<S>);
    let before = (Here::overflows(), Here::interrupts());
    let mut program = RECORDS.encode(&sampler, &S::after(S::LEAST)).expect("it can be sampled");
    let mut read = 0;
    RECORDS.start(&sampler, program);
    // As many samples from one to the next whatever the period.
    let (turns, apart) = (Effort::length(S::TURNS), S::LEAST / 40);
    for turn in 0..turns {
        // What is read, and what is lost, and at which of its instructions a stop is met.
        instructions::exactly(700 + turn * 37 % 1_900);
        if turn % apart == 0 {
            read += RECORDS.read(&sampler).expect("nobody else reads").count() as u64;
        }
        program = RECORDS.stop(&sampler, 0).expect("it was started");
        RECORDS.start(&sampler, program);
    }
    RECORDS.stop(&sampler, 0).expect("it was started");
    read += RECORDS.read(&sampler).expect("nobody else reads").count() as u64;
    let statistics = RECORDS.statistics();
    let [served, late, foreign] = VERDICTS.take();
    let (pulled, came) = (Here::overflows() - before.0, Here::interrupts() - before.1);
    // The write that stops may be what was sampled: it clears the record, and its NMI is late.
    let stops = pulled - statistics.received - statistics.lost.ring_full;
    assert!(stops <= late, "{stops} of {pulled}: {statistics}");
    assert_eq!((read, statistics.waiting, foreign), (statistics.received, 0, 0));
    assert_eq!((served + late, served <= pulled), (came, true));
    assert!(statistics.received > 30 && statistics.lost.ring_full > 50, "{statistics}");
}

fn note<S: Presented>(frame: &mut Frame) {
    VERDICTS.note(RECORDS.on_interrupt(&S::opened(), interrupted(frame)));
}
