//! All counters of the unit overflow on the same instruction.

use pmu::{CounterId, Pmu, Request, Unit};

use crate::amid::Book;

/// Longer than the test lasts.
const NEVER: u64 = 1 << 30;

/// A unit with room for all samples, and the loop in which its overflows come.
pub struct AtOnce<K: Book> {
    /// The unit.
    pub unit: &'static Unit<K::Driver, 1024>,
    /// Goes round the loop so often, and says how many of its instructions had retired when the last interrupt came.
    pub turn: fn(u64) -> u64,
    /// More than a start takes.
    pub period: u64,
    /// How often they then go on to overflow together.
    pub periods: u64,
}

impl<K: Book> AtOnce<K> {
    /// One interrupt comes, and each of them leaves its sample; and so they go on together.
    pub fn expect_all_sampled<const N: usize>(&self, pmu: &Pmu<K::Driver>, counters: [CounterId; N]) {
        // Where there is no global control, a counter that is started earlier has to wait longer.
        let alone = counters.map(|counter| self.shoot(pmu, counters.map(|each| self.only(counter, each))));
        let last = alone.into_iter().max().expect("there are counters");
        let place = |counter| counters.iter().position(|&each| each == counter).unwrap_or(0);
        let wait = |counter| self.period + last - alone[place(counter)];
        let before = (K::overflows(), K::interrupts());
        let position = self.shoot(pmu, counters.map(|counter| K::request(counter).once_after(wait(counter))));
        assert_eq!((K::overflows() - before.0, K::interrupts() - before.1), (1, 1), "on one instruction");
        assert_eq!(position, last);
        let samples = self.unit.samples().expect("nobody else reads").map(|sample| sample.counter);
        assert!(samples.skip(N).eq(counters), "one of each, after those that came alone");
        self.go_on_together(pmu, counters);
    }

    /// All counters have a period, for those that have one may be started after those that have none.
    fn only(&self, sampled: CounterId, counter: CounterId) -> Request {
        K::request(counter).once_after(if counter == sampled { self.period } else { NEVER })
    }

    /// Where in the loop the last interrupt comes.
    fn shoot<const N: usize>(&self, pmu: &Pmu<K::Driver>, requests: [Request; N]) -> u64 {
        let mut session = pmu.open(requests).expect("there are as many counters");
        session.start().expect("it is stopped");
        let position = (self.turn)(self.period);
        session.stop().expect("it runs");
        position
    }

    fn go_on_together<const N: usize>(&self, pmu: &Pmu<K::Driver>, counters: [CounterId; N]) {
        let requests = counters.map(|counter| K::request(counter).every(self.period));
        let mut session = pmu.open(requests).expect("they are free");
        session.start().expect("it is stopped");
        K::exactly(self.period * self.periods);
        session.stop().expect("it runs");
        let counts = session.read().expect("this is its CPU");
        let mut numbers = [0; 64];
        let mut samples = self.unit.samples().expect("nobody else reads");
        samples.by_ref().for_each(|sample| numbers[usize::from(sample.counter.number())] += 1);
        let expected = counts.map(|count| count / self.period);
        assert_eq!(counters.map(|counter| numbers[usize::from(counter.number())]), expected);
        assert_eq!(samples.lost().total(), 0);
    }
}
