//! Whichever instruction of its own stop or resume a session overflows on, it counts right, and the
//! overflow leaves its sample or is said to be lost.

use pmu::Interrupted;

use super::amid::{self, Booked};
use super::clocked;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let every = |period| clocked::request(counter).every(period);
        amid::on_every_instruction(&UNIT, &pmu, every, stop_and_resume, |instruction, calm, stormy| {
            assert!(stormy.counted() >= calm.counted(), "instruction {instruction}: it does not run");
        });
        let once_after = |period| clocked::request(counter).once_after(period);
        amid::on_every_instruction(&UNIT, &pmu, once_after, stop_and_resume, |_, _, _| ());
    }
}

/// Returns nothing to compare: a one-shot period may end in it, so that it goes on or not.
fn stop_and_resume(own: &mut Booked) -> u64 {
    own.session.stop().expect("it runs");
    own.count();
    own.session.resume().expect("it is stopped");
    0
}
