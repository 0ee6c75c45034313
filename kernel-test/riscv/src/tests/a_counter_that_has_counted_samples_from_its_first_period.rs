//! A counter that has only counted, and so was far from its end, interrupts at the end of its first period afterwards.

use harness::accounts::accounted;
use harness::claim::sampling;
use harness::{Booked, Kernel};

use super::here::Here;

pub fn test() {
    let pmu = sampling::<Here>();
    for counter in Here::counters(&pmu.description()) {
        Booked::<Here>::open(&pmu, Here::request(counter)).around(|| Here::exactly(1000));
        let before = accounted(Here::unit());
        let mut sampler = Booked::<Here>::open(&pmu, Here::request(counter).every(Here::PERIOD));
        sampler.start();
        Here::exactly(Here::PERIOD);
        assert_eq!(accounted(Here::unit()) - before, 1, "{counter}");
        sampler.stop();
    }
}
