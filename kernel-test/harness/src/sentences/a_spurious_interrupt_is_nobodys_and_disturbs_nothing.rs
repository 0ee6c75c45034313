//! An interrupt that no counter asked for is not claimed, and nothing is lost or miscounted: on whichever instruction it
//! comes, of a session's or of the handler of an overflow just before.

use pmu::CounterId;

use crate::accounts::accounted;
use crate::booked::Booked;
use crate::claim::{NEVER, judging, verdicts};
use crate::{Claimed, Effort, Kernel, Tally};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = judging::<K>();
    let overflow = K::periods(1, 1);
    for counter in K::few(&pmu.description()) {
        // The first one may write registers that the others find written, and last longer.
        sample_once::<K>(&pmu, counter, NEVER);
        let length = sample_once::<K>(&pmu, counter, NEVER);
        assert_eq!(verdicts(), Tally { overflow: 2 * overflow, late: 0, foreign: 0 });
        let effort = Effort::on::<K>(&pmu, counter);
        for instruction in effort.of(K::few_tried(length), length).map(|number| number - 1) {
            let interrupts = K::interrupts();
            sample_once::<K>(&pmu, counter, instruction);
            // One that comes while another waits is the same one.
            let foreign = K::interrupts() - interrupts - overflow;
            let expected = Tally { overflow, late: 0, foreign };
            assert_eq!(verdicts(), expected, "{counter}, instruction {instruction}");
        }
    }
}

/// Counts beyond one period while the interrupt comes, and returns how many instructions that took.
fn sample_once<K: Kernel>(pmu: &Claimed<K>, counter: CounterId, order: u64) -> u64 {
    let before = (accounted(K::unit()), K::overflows());
    let mut sampler = Booked::<K>::open(pmu, K::sampled(K::request(counter), K::PERIOD));
    let begin = K::retired();
    K::interrupt_after(order);
    sampler.around(|| K::exactly(K::PERIOD + 50));
    let length = K::retired() - begin;
    let count = sampler.count();
    assert_eq!(count / K::PERIOD, 1);
    let ended = K::periods(count, K::PERIOD);
    assert_eq!((accounted(K::unit()) - before.0, K::overflows() - before.1), (ended, ended));
    length
}
