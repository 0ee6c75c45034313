//! The embedded cores' unit, with registers of its own space: e300, e500 and e500mc.
//!
//! A kernel for e500v1 or e500v2 is compiled with `-C target-cpu=e500`, this crate with it: those cores
//! refuse LWSYNC, which the compiler makes of a fence for other PowerPCs, as an illegal instruction (reported
//! in concurrencykit/ck's issue 121 and jemalloc's pull request 1352). QEMU's take it.

mod before;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod facts;
mod identity;
mod program;
mod registers;
mod state;

pub use device::Device;
pub use driver::Embedded;
pub use facts::{Core, Facts};
pub use identity::Identity;
pub use program::Image;
pub use registers::{Global, Local, Threshold};
