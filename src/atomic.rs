//! The machine's atomics; where interleavings are tried, those of [loom](https://docs.rs/loom).

#[cfg(all(test, loom))]
#[path = "../tests/interleavings/atomic.rs"]
mod tried;

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::*;
#[cfg(all(test, loom))]
pub(crate) use tried::*;
