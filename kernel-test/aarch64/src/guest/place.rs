//! Where the kernel runs, for what a test keeps once for each place.

use core::ops::Deref;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where a kernel runs, and on which unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At EL1, on the machine's.
    El1,
    /// At EL2, on the machine's.
    El2,
    /// At EL2 with user programs below it (FEAT_VHE), on the machine's.
    Vhe,
    /// At EL1, on the crate's own, in software.
    Model,
    /// The same, with overflow interrupts that come as FIQ, which no operation masks: they are NMIs to the driver.
    Nmi,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::El1, Self::El2, Self::Vhe, Self::Model, Self::Nmi];
}

static HERE: AtomicUsize = AtomicUsize::new(0);

/// The kernel runs there from now on.
pub fn enter(place: Place) {
    HERE.store(place as usize, Relaxed);
}

/// Are there user programs below it?
pub fn has_programs() -> bool {
    !is(Place::El2)
}

/// Is it on the unit in software?
pub fn is_on_model() -> bool {
    is(Place::Model) || is(Place::Nmi)
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
