//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence
//! is not true, and add the sentence to the list here, under the places where it is to be true.

mod clocked;
mod verdicts;

use harness::End;

use crate::host::Place;

/// Where a test runs, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// In every place, where it comes to grief: the harness tests itself.
    Grief,
    /// At EL1, likewise.
    GriefAtEl1,
    /// In every place.
    Everywhere,
}

impl Group {
    /// Does it run there?
    pub fn is_for(self, place: Place) -> bool {
        match self {
            Self::GriefAtEl1 => place == Place::El1,
            Self::Grief | Self::Everywhere => true,
        }
    }

    /// How it is to end.
    pub const fn end(self) -> End {
        match self {
            Self::Grief | Self::GriefAtEl1 => End::Grief,
            Self::Everywhere => End::Return,
        }
    }
}

harness::tests! {
    Group:
    Grief {
        a_panic_fails_the_test
        an_unexpected_exception_fails_the_test
        an_unexpected_interrupt_fails_the_test
    }
    GriefAtEl1 {
        a_halt_fails_the_test
    }
    Everywhere {
        known_loops_have_their_length
        the_processor_is_the_one_presented
        counts_of_known_loops_are_exact
        a_period_ends_on_its_nth_event
        software_increments_are_counted_and_overflow
        a_one_shot_period_counts_again_to_order
        another_processor_is_refused
        a_second_claim_is_refused
    }
}
