//! Whichever instruction of one session's life another session overflows on, both count right, go on, and the overflow
//! leaves its sample.

use pmu::CounterId;
use pmu::driver::Description;

use crate::amid::{Passage, by_effort};
use crate::booked::Booked;
use crate::claim::sampling;
use crate::{Claimed, Effort, Kernel};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    let unit = pmu.description();
    let counters = K::counters(&unit);
    for sampler in [counters.lowest(), counters.and(unit.fixed).lowest()].into_iter().flatten() {
        let every = |period| K::request(sampler).every(period);
        let effort = Effort::on::<K>(&pmu, sampler);
        for ([first, second], effort) in others::<K>(&unit, sampler).zip([effort, effort.elsewhere()]) {
            let lives = |_: &mut Booked<K>| live::<K>(&pmu, first) + live::<K>(&pmu, second);
            by_effort(effort, &pmu, every, lives, expect_both_to_go_on::<K>(&unit));
        }
    }
}

/// Counters to use one after the other beside the sampler's: the same twice, and two kinds.
fn others<K: Kernel>(unit: &Description, sampler: CounterId) -> impl Iterator<Item = [CounterId; 2]> + use<K> {
    let free = K::counters(unit).without(sampler.only());
    let (low, high) = (free.lowest(), free.highest().filter(|_| free.has_several()));
    [low.zip(low), low.zip(high)].into_iter().flatten().map(|(first, second)| [first, second])
}

/// Open, start, work, stop, read, close.
fn live<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) -> u64 {
    let mut other = Booked::<K>::open(pmu, K::request(counter));
    other.around(|| K::exactly(10));
    other.count()
}

/// A handler adds what it executes before it halts the unit and after it has let it go on. What it executes in between
/// is always the same, unless it has to ask each counter that is in use. What it has worked out is spared to an
/// operation behind it, which may be more.
fn expect_both_to_go_on<K: Kernel>(unit: &Description) -> impl FnMut(u64, &Passage, &Passage) + use<K> {
    let is_constant = !K::asks_each_counter(unit);
    let mut constant = None;
    move |instruction, calm, stormy| {
        // Behind the last instruction, which asks for the book, nothing is counted any more.
        let is_last = K::SPARED > 0 && instruction == calm.counted();
        let counted = (stormy.counted(), calm.counted());
        assert!(is_last || counted.0 + K::SPARED > counted.1, "instruction {instruction}: the sampler: {counted:?}");
        let others = (stormy.others, calm.others);
        assert!(others.0 + K::SPARED >= others.1, "instruction {instruction}: the other: {others:?}");
        let halted = stormy.halted() - calm.halted();
        assert!(
            is_last || !is_constant || halted == *constant.get_or_insert(halted),
            "instruction {instruction}: {halted}"
        );
    }
}
