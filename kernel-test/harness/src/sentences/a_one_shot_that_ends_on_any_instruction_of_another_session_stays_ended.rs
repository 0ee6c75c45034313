//! Whichever instruction of another session's life a one-shot period ends on, it has counted that period and no event
//! more, and nothing makes it go on.

use pmu::CounterId;

use crate::amid::on_every_instruction;
use crate::booked::Booked;
use crate::claim::sampling;
use crate::{Claimed, Kernel};

/// A handler executes fewer instructions before it halts the unit, another session's start before it notices that a
/// period has ended meanwhile, and an operation that masks interrupts before it lets them through. (The kernels of the tests
/// are compiled without link-time optimisation.)
const ENTRY: u64 = 320;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    for sampler in K::few(&pmu.description()) {
        let other = K::counters(&pmu.description()).without(sampler.only()).lowest().expect("there are two");
        let once_after = |period| K::request(sampler).once_after(period);
        let life = |_: &mut Booked<K>| live::<K>(&pmu, other);
        on_every_instruction(&pmu, once_after, life, |instruction, calm, stormy| {
            let more = stormy.counted() - instruction;
            assert!(more < ENTRY + K::left_on(), "instruction {instruction}: it was on for {more} more");
            let others = (stormy.others, calm.others);
            assert!(
                others.0 + K::started_after() + K::SPARED >= others.1,
                "instruction {instruction}: the other: {others:?}"
            );
            assert!(others.0 > 0, "instruction {instruction}: the other was not let go on");
        });
    }
}

/// Open, start, stop, go on, stop, close; how much has it counted?
fn live<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) -> u64 {
    let mut other = Booked::<K>::open(pmu, K::request(counter));
    other.start();
    other.stop();
    other.start();
    other.stop();
    other.count()
}
