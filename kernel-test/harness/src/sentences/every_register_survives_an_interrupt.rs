//! The crate's entry for the overflow interrupt gives back every register and flag, whichever instruction it interrupts.

use crate::amid::on_every_instruction;
use crate::booked::Booked;
use crate::claim::sampling;
use crate::{Claimed, Effort, Kernel};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    if K::has_interrupts() { with_overflows::<K>(&pmu) } else { with_others::<K>() }
}

fn with_overflows<K: Kernel>(pmu: &Claimed<K>) {
    let counter = K::counters(&pmu.description()).lowest().expect("there are counters");
    let every = |period| K::request(counter).every(period);
    let keep = |_: &mut Booked<K>| {
        K::keep_registers();
        0
    };
    on_every_instruction(pmu, every, keep, |_, _, _| ());
}

/// Where no overflow interrupts, somebody else's interrupt comes to the same entry.
fn with_others<K: Kernel>() {
    let begin = K::retired();
    K::keep_registers();
    let length = K::retired() - begin;
    for instruction in Effort::chosen().of(K::tried(length), length) {
        let interrupts = K::interrupts();
        K::interrupt_after(instruction - 1);
        K::keep_registers();
        // The length has the instructions of its own measurement too: the last interrupts come here.
        K::exactly(100);
        assert_eq!(K::interrupts() - interrupts, 1, "instruction {instruction}");
    }
}
