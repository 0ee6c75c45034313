//! You used another system: here is the same with this crate. Or you write a [script](scripts), or a
//! [hypervisor].
//!
//! Each page but those takes the calls, commands or options of one system and says what does their work here.
//! What differs, differs because there is no operating system beneath: nothing is opened or closed,
//! there are no signals, and the kernel that embeds the crate decides what a thread, a clock or a
//! console is.
//!
//! The examples run on a software unit, as everywhere in these pages; lines that a kernel does not
//! need are hidden.

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
