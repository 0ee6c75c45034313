//! A guest that panics has failed, and the next test runs.

use crate::Kernel;

/// Shows it.
pub fn test<K: Kernel>() {
    panic!("to order");
}
