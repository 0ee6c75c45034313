//! Two sessions that sample beside each other.

use pmu::{CounterId, CounterSet, Pmu, Unit};

use crate::amid::{Book, Booked, accounted, assert_all_free};
use crate::{Tally, Verdicts};

/// A unit on which sessions sample beside each other, and its interrupts.
pub struct SideBySide<K: Book> {
    /// The unit.
    pub unit: &'static Unit<K::Driver, 512>,
    /// Whose its interrupts were.
    pub verdicts: &'static Verdicts,
    /// The periods of the session that stays, and of the other.
    pub periods: [u64; 2],
    /// Instructions that pass before the other one goes, and after.
    pub stretch: u64,
}

impl<K: Book> SideBySide<K> {
    /// Each at its own period; when one is closed as it runs, the other goes on undisturbed, and its counter is free.
    /// The first is one of each `kind`. Answers how many interrupts were late.
    pub fn expect_no_disturbance(&self, pmu: &Pmu<'static, K::Driver>, kinds: impl Iterator<Item = CounterId>) -> u64 {
        let all = K::counters(&pmu.description());
        let mut late = 0;
        for first in kinds {
            let rest = all.without(first.only());
            for second in [rest.lowest(), rest.highest()].into_iter().flatten() {
                late += self.pass(pmu, first, second);
            }
        }
        assert_all_free::<K>(pmu);
        late
    }

    fn pass(&self, pmu: &Pmu<'static, K::Driver>, first: CounterId, second: CounterId) -> u64 {
        let [short, long] = self.periods;
        let before = (accounted(self.unit), K::counted(second));
        let mut stays = Booked::<K>::open(pmu, K::request(first).every(short));
        let mut goes = Booked::<K>::open(pmu, K::request(second).every(long));
        stays.session.start().expect("it is stopped");
        goes.session.start().expect("it is stopped");
        K::exactly(self.stretch);
        drop(goes);
        let counted = K::counted(second);
        assert!(self.sampled().covers(first.only().or(second.only())), "both are sampled");
        K::exactly(self.stretch);
        assert_eq!(self.sampled(), first.only(), "the other one is closed");
        assert_eq!(K::counted(second), counted, "and counts no more");
        stays.session.stop().expect("it runs");
        let periods = stays.count() / short + (counted - before.1) / long;
        assert_eq!(accounted(self.unit) - before.0, periods);
        let Tally { late, foreign, .. } = self.verdicts.take();
        assert_eq!(foreign, 0);
        late
    }

    /// The counters whose samples wait to be read.
    fn sampled(&self) -> CounterSet {
        self.unit.samples().expect("nobody else reads").map(|sample| sample.counter).collect()
    }
}
