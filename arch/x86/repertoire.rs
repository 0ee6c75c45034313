//! What an x86 unit can be asked for, as far as it can be worked out in advance.

use super::request::{Refinement, flags};
use crate::event::{CounterSet, Event, Flags, Generic, Refusal, Result};

/// What an event is on one processor, in its family's words.
pub(super) trait Meaning: Copy {
    /// The counters that count it; none if the processor has no such event.
    fn counters(&self) -> CounterSet;
}

/// What each generic event is, and the flags that the unit has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repertoire<M> {
    generic: [M; Generic::ALL.len()],
    flags: Flags,
}

impl<M: Meaning> Repertoire<M> {
    /// Creates the repertoire of a unit whose selectors have these bits.
    pub(super) fn new(generic: [M; Generic::ALL.len()], refinements: &[Refinement], selectable: u64) -> Self {
        Self { generic, flags: flags(refinements, selectable) }
    }

    /// Returns the flags that the unit has.
    pub(super) const fn flags(&self) -> Flags {
        self.flags
    }

    /// Returns what a generic event is.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvent`] if no counter counts it.
    pub(super) fn generic(&self, generic: Generic) -> Result<M, Refusal> {
        let meaning = self.generic.get(generic as usize).copied();
        meaning.filter(|meaning| !meaning.counters().is_empty()).ok_or(Refusal::UnknownEvent)
    }

    /// Returns what an event is. `raw` says what a code with its auxiliary value is.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvent`] if no counter counts it, and what `raw` refuses.
    #[inline(always)]
    pub(super) fn meaning(&self, event: Event, raw: impl FnOnce(u64, u64) -> Result<M, Refusal>) -> Result<M, Refusal> {
        let meaning = match event {
            Event::Generic(generic) => self.generic.get(generic as usize).copied(),
            Event::Raw { code, auxiliary } => Some(raw(code, auxiliary)?),
        };
        meaning.filter(|meaning| !meaning.counters().is_empty()).ok_or(Refusal::UnknownEvent)
    }
}
