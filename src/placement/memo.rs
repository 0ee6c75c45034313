//! Which states a search has found hopeless.
//!
//! Decisions in another order lead to the same state. The states that were found hopeless last are kept, as they are:
//! a state that is not found again is searched again, and none is taken for another.

use super::matching::MOST;

/// How many states are kept.
const KEPT: usize = 16;

/// What decisions have left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// The ways that are left for the requests that are not decided: some, where a search goes on.
    pub(super) live: u64,
    /// The counters that pairs have taken.
    pub(super) taken: u64,
    /// How many requests have been decided to go each way.
    pub(super) counts: [u8; MOST],
}

/// The states that were found hopeless last, if any was: most searches end before one is.
pub(super) struct Memo(Option<[State; KEPT]>);

impl Memo {
    /// No state was found hopeless.
    pub(super) const EMPTY: Self = Self(None);

    /// Keeps a hopeless state, in the place of another.
    pub(super) fn keep(&mut self, state: State) {
        let none = State { live: 0, taken: 0, counts: [0; MOST] };
        self.0.get_or_insert([none; KEPT])[place(&state)] = state;
    }

    /// Returns true if the state was found hopeless.
    pub(super) fn knows(&self, state: &State) -> bool {
        self.0.as_ref().is_some_and(|states| states[place(state)] == *state)
    }
}

/// Where a state is kept: its masks, mixed by a multiplication with an odd number.
const fn place(state: &State) -> usize {
    let mixed = (state.live ^ state.taken.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 60) as usize % KEPT
}
