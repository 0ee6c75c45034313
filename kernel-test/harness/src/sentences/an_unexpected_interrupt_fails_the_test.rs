//! An overflow interrupt without a handler ends the guest.

use crate::Kernel;

/// Shows it.
pub fn test<K: Kernel>() {
    K::raise_interrupt();
    K::exactly(1000);
}
