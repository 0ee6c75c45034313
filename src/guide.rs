//! Guides for a [kernel], for one that is optimised by its own profile ([fdo]), for a [hypervisor], for [scripts] that
//! read what a kernel printed, and for users of other systems. `docs/tables.md` in the repository compares our tables of
//! events with those of others.
//!
//! Each of the other pages lists the calls, commands or options of one system, and what does the same here.
//! The differences come from having no operating system: nothing is opened or closed, there are no signals,
//! and the kernel that embeds the crate decides what a thread, a clock or a console is.
//!
//! The examples run on a unit in software, as everywhere in these pages. Lines that a kernel does not need are
//! hidden.

#[doc = include_str!("guide/kernel.md")]
pub mod kernel {}

#[doc = include_str!("guide/fdo.md")]
pub mod fdo {}

#[doc = include_str!("guide/libcpc.md")]
pub mod libcpc {}

#[doc = include_str!("guide/cpustat.md")]
pub mod cpustat {}

#[doc = include_str!("guide/perfex.md")]
pub mod perfex {}

#[doc = include_str!("guide/pmc.md")]
pub mod pmc {}

#[doc = include_str!("guide/oprofile.md")]
pub mod oprofile {}

#[doc = include_str!("guide/libpfm.md")]
pub mod libpfm {}

#[doc = include_str!("guide/scripts.md")]
pub mod scripts {}

#[doc = include_str!("guide/hypervisor.md")]
pub mod hypervisor {}
