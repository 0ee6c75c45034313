//! Where the kernel runs, for what a test keeps once for each place.

use core::ops::Deref;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::host::Place;

static HERE: AtomicUsize = AtomicUsize::new(0);

/// The kernel runs there from now on.
pub fn enter(place: Place) {
    HERE.store(place as usize, Relaxed);
}

/// Are there user programs below it?
pub fn has_programs() -> bool {
    !is(Place::El2)
}

/// Is it there?
pub fn is(place: Place) -> bool {
    HERE.load(Relaxed) == place as usize
}

/// One of a kind for each place.
pub struct Each<T>(pub [T; Place::ALL.len()]);

impl<T> Deref for Each<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0[HERE.load(Relaxed) % Place::ALL.len()]
    }
}
