//! What the x86 families share: model-specific registers, RDPMC, the local APIC's line.

#[cfg(any(target_arch = "x86", target_arch = "x86_64", docsrs))]
pub mod access;
mod all;
pub mod amd;
mod block;
mod detect;
mod detect32;
mod device;
mod discipline;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", docsrs))]
pub mod entry;
mod generation;
pub mod guest;
mod identity;
mod index;
pub mod intel;
mod kind;
mod lapic;
pub mod lbr;
mod msr;
mod msrs;
mod native;
pub mod netburst;
pub mod p5;
pub mod p6;
mod place;
mod probe;
mod processor;
mod recorder;
mod request;
mod selector;

pub use block::Block;
pub use detect::{Detected, Modern};
pub use detect32::Detected32;
pub use generation::{Either, Generation, Global, Single};
pub use index::Index;
use lapic::LATE;
pub use lapic::{Apic, Line, LineRegister, Lvtpc, MappedLine, Unattached};
pub use msr::{Msr, Window};
pub use msrs::Msrs;
pub use probe::Guarded;
/// How detection asks CPUID: by the instruction (`access::Cpuid`), by an identity, or by a closure.
pub use raw_cpuid::{CpuIdReader, CpuIdResult};
use request::Demand;
use request::{LEAST, LEAST_OF_OTHERS_IN_KERNEL};
