//! The machine's atomics, or those of [loom](https://docs.rs/loom) in tests of interleavings.

#[cfg(all(test, loom))]
#[path = "../../tests/interleavings/atomic.rs"]
mod tried;

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::*;
#[cfg(all(test, loom))]
pub(crate) use tried::*;
