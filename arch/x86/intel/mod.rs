//! Intel's architectural performance monitoring, versions 1 to 6.
//!
//! # Limits
//!
//! - The work of firmware in system-management mode is counted as the kernel's. Set IA32_DEBUGCTL.FREEZE_WHILE_SMM if you do not
//!   want that ([`PerfCapabilities::FREEZE_IN_SMM`] says whether it exists).
//! - Counters that count for firmware or a watchdog when the unit is detected are left out (from version 4 on), and so is counter 3
//!   of some Skylakes unless IA32_TSX_FORCE_ABORT gives it to software:
//!   [`Description::used_by_others`](crate::driver::Description::used_by_others) has them.
//! - Some processors miscount events. [`Capabilities::miscount`] returns which events include the other thread's (D0H to D3H from
//!   Sandy Bridge to Haswell), which may count far transfers more than once (Atoms), and which need a register that both
//!   threads of the core share (off-core responses of Nehalem and Westmere).
//! - Version 1 has no global control: the estimates of a [`Multiplex`](crate::Multiplex) are low by the events between reading the
//!   clock and starting the counters in each turn. Choose long turns.
//!
//! # Codes of events
//!
//! An event code has the layout of IA32_PERFEVTSELx: the event in bits 0 to 7, its unit mask in
//! bits 8 to 15 and, from version 6 on, in bits 40 to 47. The event number 0 is for events that only fixed
//! counters have: unit mask n is fixed counter n - 1, as in Intel's public event lists.
//!
//! An architectural event can be counted on all counters that are offered for it. Many of the processor's own
//! events, which are requested by code ([`Event::raw`](crate::Event::raw)), are counted only on some counters; others count nothing
//! or something else. Which ones they are depends on the model. The driver places a code on any general counter
//! that the request may use. A request by a name of the model's catalogue ([`Capabilities::catalogue`]) is limited to the
//! right counters; a request by code must name them ([`Request::on`](crate::Request::on)).

mod auxiliary;
mod capabilities;
mod catalogue;
mod counter_kind;
mod device;
mod driver;
mod encode;
mod errata;
mod events;
mod fields;
mod identity;
mod least;
mod model;
mod nehalem;
#[cfg(target_has_atomic = "64")]
pub mod pebs;
mod presets;
mod program;
mod registers;
mod saved;
mod shared;
mod sharing;
mod state;

pub use auxiliary::{Auxiliary, AuxiliaryRegister};
pub use capabilities::{Architectural, Capabilities};
pub use device::Device;
pub use driver::Intel;
pub use errata::Miscount;
pub use identity::Identity;
pub use model::{Core, Microarchitecture};
pub use registers::{DebugControl, FixedControl, GlobalStatus, PerfCapabilities, Select};
