//! Whichever instruction of a suspend or a resume a session overflows on, it counts right and goes on, and the overflow
//! leaves its sample or is said to be lost.

use crate::amid::on_every_instruction;
use crate::booked::Booked;
use crate::claim::{least_once, sampling};
use crate::{Claimed, Kernel};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    for counter in K::few(&pmu.description()) {
        let least = least_once::<K>(&pmu, K::request(counter));
        let every = |period| K::request(counter).every(period);
        on_every_instruction(&pmu, every, sleep::<K>(&pmu, least), |instruction, calm, stormy| {
            assert!(stormy.counted() + K::SPARED >= calm.counted(), "instruction {instruction}: it does not run");
        });
        let once_after = |period| K::request(counter).once_after(period);
        on_every_instruction(&pmu, once_after, sleep::<K>(&pmu, least), |_, _, _| ());
    }
}

/// Suspends and resumes. Meanwhile the count can be read, and the book confirms it. The counter cannot wait for fewer
/// events than `least`.
fn sleep<K: Kernel>(pmu: &Claimed<K>, least: u64) -> impl FnMut(&mut Booked<K>) -> u64 + use<'_, K> {
    move |sampler| {
        pmu.suspend().expect("no thread is in");
        sampler.count();
        sampler.is_preset_anew(least);
        K::unit().resume().expect("it sleeps");
        0
    }
}
