//! A session that is read while it overflows, on whichever instruction of the reading, has never counted less than
//! before it nor more than after it.

use crate::Kernel;
use crate::amid::on_every_instruction;
use crate::booked::Booked;
use crate::claim::sampling;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    for counter in K::few(&pmu.description()) {
        let every = |period| K::request(counter).every(period);
        on_every_instruction(&pmu, every, read::<K>, |_, _, _| ());
    }
}

fn read<K: Kernel>(own: &mut Booked<K>) -> u64 {
    let before = own.booked();
    let count = own.read();
    let after = own.booked();
    assert!((before..=after).contains(&count), "{count} is not between {before} and {after}");
    0
}
