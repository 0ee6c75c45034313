//! Interrupts that no counter asked for.

use pmu::{CounterId, Pmu, Unit};

use crate::amid::{Book, Booked, accounted};
use crate::{Tally, Verdicts};

/// A unit that samples, and its interrupts.
pub struct Spurious<K: Book> {
    /// The unit.
    pub unit: &'static Unit<K::Driver, 64>,
    /// Whose its interrupts were.
    pub verdicts: &'static Verdicts,
    /// More than a session's operation.
    pub period: u64,
    /// From one instruction that has its turn to the next.
    pub stride: u64,
    /// Longer than the test lasts.
    pub never: u64,
}

impl<K: Book> Spurious<K> {
    /// Such an interrupt is not claimed, and nothing is lost or miscounted: on whichever instruction it comes, of a
    /// session's or of the handler of an overflow just before.
    pub fn expect_nobodys(&self, pmu: &Pmu<'static, K::Driver>, counter: CounterId) {
        let length = self.sample_once(pmu, counter, self.never);
        assert_eq!(self.verdicts.take(), Tally { overflow: 1, late: 0, foreign: 0 });
        let first = u64::from(counter.number()) % self.stride;
        for instruction in (first..length).step_by(self.stride as usize) {
            let interrupts = K::interrupts();
            self.sample_once(pmu, counter, instruction);
            // One that comes while another waits is the same one.
            let foreign = K::interrupts() - interrupts - 1;
            let expected = Tally { overflow: 1, late: 0, foreign };
            assert_eq!(self.verdicts.take(), expected, "{counter:?}, instruction {instruction}");
        }
    }

    /// Counts beyond one period while the interrupt comes, and returns how many instructions that took.
    fn sample_once(&self, pmu: &Pmu<'static, K::Driver>, counter: CounterId, order: u64) -> u64 {
        let before = (accounted(self.unit), K::overflows());
        let mut sampler = Booked::<K>::open(pmu, K::request(counter).every(self.period));
        let begin = K::retired();
        K::interrupt_after(order);
        sampler.session.start().expect("it is stopped");
        K::exactly(self.period + 50);
        sampler.session.stop().expect("it runs");
        let length = K::retired() - begin;
        assert_eq!(sampler.count() / self.period, 1);
        assert_eq!((accounted(self.unit) - before.0, K::overflows() - before.1), (1, 1));
        length
    }
}
