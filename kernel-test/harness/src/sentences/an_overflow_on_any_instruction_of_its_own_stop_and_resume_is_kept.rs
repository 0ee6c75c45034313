//! Whichever instruction of its own stop or resume a session overflows on, it counts right, and the overflow leaves its
//! sample or is said to be lost.

use crate::Kernel;
use crate::amid::on_every_instruction;
use crate::booked::Booked;
use crate::claim::sampling;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    for counter in K::few(&pmu.description()) {
        let every = |period| K::request(counter).every(period);
        on_every_instruction(&pmu, every, stop_and_resume::<K>, |instruction, calm, stormy| {
            assert!(stormy.counted() >= calm.counted(), "instruction {instruction}: it does not run");
        });
        let once_after = |period| K::request(counter).once_after(period);
        on_every_instruction(&pmu, once_after, stop_and_resume::<K>, |_, _, _| ());
    }
}

/// Returns nothing to compare: a one-shot period may end in it, so that it goes on or not.
fn stop_and_resume<K: Kernel>(own: &mut Booked<K>) -> u64 {
    own.stop();
    own.count();
    own.start();
    0
}
