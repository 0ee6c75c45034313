//! QEMU's unit notices no overflow of the very instruction that stops the counter, neither then nor when the counter goes
//! on. A read stops the counter where registers have 32 bits, and the interrupt of one counter stops the other.

use harness::accounts::accounted;
use harness::claim::sampling;
use harness::{Booked, Kernel};
use pmu::CounterId;

use super::here::Here;

/// More instructions than a read takes, and than lie between an overflow and the stop by its interrupt.
const DISTANCES: u64 = 300;

pub fn test() {
    let pmu = sampling::<Here>();
    let counters = Here::counters(&pmu.description());
    let sampled = |counter: CounterId, period| Booked::<Here>::open(&pmu, Here::request(counter).every(period));
    for (distance, counter) in (0..DISTANCES).flat_map(|distance| counters.into_iter().map(move |at| (distance, at))) {
        each_period_is_accounted_for([(sampled(counter, Here::PERIOD), Here::PERIOD)], distance);
        for other in counters.without(counter.only()) {
            let periods = [Here::PERIOD, Here::PERIOD + distance];
            let sessions = [sampled(counter, periods[0]), sampled(other, periods[1])];
            let mut sessions = sessions.into_iter().zip(periods);
            each_period_is_accounted_for([(); 2].map(|()| sessions.next().expect("there are two")), 0);
        }
    }
}

/// Reads the first session so many instructions before its period ends, and lets each go on for some periods.
fn each_period_is_accounted_for<const N: usize>(mut sessions: [(Booked<Here>, u64); N], before_end: u64) {
    let before = accounted(Here::unit());
    sessions.iter_mut().for_each(|(session, _)| session.start());
    Here::exactly(Here::PERIOD - before_end);
    sessions[0].0.read();
    Here::exactly(2 * Here::PERIOD);
    sessions.iter_mut().for_each(|(session, _)| session.stop());
    let ended: u64 = sessions.iter().map(|(session, period)| session.read() / period).sum();
    assert_eq!(accounted(Here::unit()) - before, ended, "{before_end}");
}
