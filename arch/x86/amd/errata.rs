//! Events that some processors are known to miscount, and the counter of some that does not.
//!
//! Sources: "perf/amd: Implement erratum #1292 workaround for F19h M00-0Fh" (AMD, linux-kernel, 3 February 2022), which
//! has the events, the workaround from the Revision Guide for family 19h models 00H to 0FH, and that all earlier Zen have the
//! erratum and another workaround; numbers 990 and 1291 of the Revision Guides for family 17h models 00H to 0FH and 30H to
//! 3FH, "Certain Performance Counters For Retire Based Events May Overcount", as rr-debugger/rr#2034 and icl-utk-edu/papi#160
//! cite them. In the discussion of the patch AMD calls the conditions rare.

use super::capabilities::Capabilities;
use super::events::{generic_code, is_retired};
use super::registers::Select;
use crate::event::Event;

/// How an event is miscounted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Miscount {
    /// The count may be too high, under conditions that AMD calls rare: what retires, as instructions, branches and
    /// mispredictions (errata 990, 1291 and 1292). [`Capabilities::exact`] returns the event without the error, where there
    /// is one.
    Overcounts,
}

impl Capabilities {
    /// Returns what is known to be wrong with the counts of an event, if anything is known: of family 17h, and of family 19h
    /// models 0 to 0FH. Nothing is, of an event that [`Capabilities::exact`] returned.
    #[must_use]
    pub fn miscount(&self, event: Event) -> Option<Miscount> {
        let has_erratum = self.family == 0x17 || self.has_exact_counter();
        let overcounts = |code: &u64| has_erratum && code & Select::EXACT.bits() == 0;
        self.retired(event).filter(overcounts).map(|_| Miscount::Overcounts)
    }

    /// Returns the event that counts exactly what `event` may overcount, on family 19h models 0 to 0FH.
    ///
    /// Only counter 2 counts it, so that of two such requests one is refused. It does not interrupt: it takes no period, and
    /// a kernel that counts more than 2^47 of them without a stop calls `Unit::on_overflow` meanwhile, as from its tick.
    #[must_use]
    pub fn exact(&self, event: Event) -> Option<Event> {
        let code = self.retired(event).filter(|_| self.has_exact_counter())?;
        Some(Event::raw(code | Select::EXACT.bits()))
    }

    /// Returns true if counter 2 has [`Select::EXACT`].
    pub(super) const fn has_exact_counter(&self) -> bool {
        self.family == 0x19 && self.model <= 0x0F
    }

    /// Returns the event's code, if it is one that the errata name.
    fn retired(&self, event: Event) -> Option<u64> {
        let code = match event {
            Event::Generic(generic) => generic_code(self, generic).ok()?,
            Event::Raw { code, .. } => code,
        };
        is_retired(Select::from_bits_retain(code)).then_some(code)
    }
}
