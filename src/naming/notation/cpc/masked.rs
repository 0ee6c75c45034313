//! Events that illumos names without a unit mask, and that have it in their names here: `LsDispatch,umask=0x7`.
//!
//! They are Zen's (illumos-gate, usr/src/data/amdpmc), whose names in AMD's lists end with what the mask selects. Without a
//! mask most count nothing, so it must be given.

use super::Reader;
use crate::event::Set;
use crate::naming::notation::names::{Found, event_of};
use crate::naming::notation::scan::Piece;
use crate::naming::notation::{Error, Problem};

impl Reader<'_> {
    /// Finds the event that a word names, or the code that the events with this first word share.
    pub(super) fn found(&self, name: Piece) -> Option<Found> {
        event_of(self.processor.catalogue, name).or_else(|| self.unmasked(name).map(Found::Code))
    }

    /// Returns the code of a word that names no event without a unit mask.
    #[cold]
    fn unmasked(&self, name: Piece) -> Option<u64> {
        if event_of(self.processor.catalogue, name).is_some() {
            None
        } else {
            self.processor.catalogue.of_first_word(name.text)
        }
    }

    /// Returns an error for the first event that needs a unit mask and has none. `event` are the items.
    pub(super) fn check_masks<'t, const N: usize>(
        &self,
        set: &Set<N>,
        event: impl Fn(usize) -> Piece<'t>,
    ) -> Result<(), Error> {
        for (number, request) in set.requests().iter().enumerate() {
            let item = event(number);
            let name = item.split_once(b'=').map_or(item, |(_, name)| name);
            if self.unmasked(name).is_some_and(|code| request.event == crate::Event::raw(code)) {
                return Err(name.error(Problem::Expected("the event's unit mask too, as umask=0x1")));
            }
        }
        Ok(())
    }
}
