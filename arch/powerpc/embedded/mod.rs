//! The embedded cores' unit, whose registers have numbers of their own: e300, e500 and e500mc.
//!
//! A kernel for e500v1 or e500v2, and this crate with it, MUST be compiled with `-C target-cpu=e500`. For other
//! PowerPCs the compiler uses LWSYNC for fences, which is an illegal instruction on these cores (reported
//! in concurrencykit/ck's issue 121 and jemalloc's pull request 1352). QEMU's cores accept it.
//!
//! # Codes of events
//!
//! An event code is the number in PMLCan's EVENT. Every counter can count every event, except
//! those with a threshold, which only PMC0 and PMC1 can count. Their threshold is the auxiliary value,
//! in the layout of PMLCbn: THRESHMUL in bits 8 to 10, THRESHOLD in bits 0 to 5.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod program;
mod registers;
mod saved;
mod state;

pub use capabilities::{Capabilities, Model};
pub use device::Device;
pub use driver::Embedded;
pub use identity::Identity;
pub use registers::{Pmgc0, Pmlca, Pmlcb};
