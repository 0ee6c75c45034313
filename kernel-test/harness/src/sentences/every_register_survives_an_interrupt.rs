//! The crate's entry for the overflow interrupt gives back every register and flag, whichever instruction it interrupts.

use crate::Kernel;
use crate::amid::on_every_instruction;
use crate::booked::Booked;
use crate::claim::sampling;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    let counter = K::counters(&pmu.description()).lowest().expect("there are counters");
    let every = |period| K::request(counter).every(period);
    let keep = |_: &mut Booked<K>| {
        K::keep_registers();
        0
    };
    on_every_instruction(&pmu, every, keep, |_, _, _| ());
}
