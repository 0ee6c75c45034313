//! A period that ends once, and says so.

use pmu::{CounterId, Pmu, Session, Unit};

use crate::amid::Book;
use crate::{Tally, Verdicts};

/// A unit that samples once, whose interrupts are noted.
pub struct OneShot<K: Book> {
    /// The unit.
    pub unit: &'static Unit<K::Driver, 8>,
    /// Whose its interrupts were.
    pub verdicts: &'static Verdicts,
    /// Longer than the interrupt's own instructions and a start's.
    pub period: u64,
}

impl<K: Book> OneShot<K> {
    /// It counts another period after `rearm`, and after a stop and a `resume`; and a start begins from 0.
    pub fn counts_again(&self, pmu: &Pmu<'static, K::Driver>, counter: CounterId) {
        let (part, enough) = (self.period / 2, self.period * 3);
        let mut session = pmu.open([K::request(counter).once_after(self.period)]).expect("the counter is free");
        session.start().expect("it is stopped");
        assert_eq!((session.has_ended(0), self.overflows_during(part)), (false, 0), "not yet");
        assert_eq!(self.overflows_during(enough), 1);
        self.assert_ended_after(&session, 1);
        session.rearm().expect("it runs");
        assert_eq!((session.has_ended(0), self.overflows_during(part)), (false, 0), "the next one has begun");
        assert_eq!(self.overflows_during(enough), 1);
        self.assert_ended_after(&session, 2);
        session.stop().expect("it runs");
        assert_eq!(self.overflows_during(enough), 0, "it is stopped");
        session.resume().expect("it is stopped");
        assert_eq!(self.overflows_during(enough), 1);
        self.assert_ended_after(&session, 3);
        session.stop().expect("it runs");
        session.start().expect("it is stopped");
        assert_eq!(self.overflows_during(enough), 1);
        self.assert_ended_after(&session, 1);
    }

    fn overflows_during(&self, instructions: u64) -> u64 {
        K::exactly(instructions);
        let Tally { overflow, late, foreign } = self.verdicts.take();
        assert_eq!((late, foreign), (0, 0));
        overflow
    }

    /// It has counted so many whole periods, and left one sample since this was asked last.
    fn assert_ended_after(&self, session: &Session<'_, K::Driver, 1>, periods: u64) {
        assert_eq!((session.has_ended(0), session.read()), (true, Ok([periods * self.period])));
        assert_eq!(self.unit.samples().map(Iterator::count), Ok(1));
    }
}
