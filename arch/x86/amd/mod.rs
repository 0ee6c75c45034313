//! AMD's core performance counters: Athlon (K7), K8, families 10h, 15h and 16h and related ones, Zen 1 to 5.
//!
//! A request that is limited to guests ([`Flag::GuestOnly`](crate::request::Flag::GuestOnly)) or to the host
//! ([`Flag::HostOnly`](crate::request::Flag::HostOnly)) counts nothing while EFER.SVME is clear (APM vol. 2, "Performance
//! Monitoring Counters", table "Host/Guest Only Bits"). That register belongs to the hypervisor, and the driver
//! does not read it.
//!
//! # Limits
//!
//! - Before PerfMonV2 there is no global control: the estimates of a [`Multiplex`](crate::Multiplex) are low by the events
//!   between reading the clock and starting the counters in each turn. Choose long turns.
//! - Zen 1 to 3 (family 17h, and 19h models 0 to 0FH; of others it is not known) may overcount what retires, as instructions,
//!   branches and mispredictions: [`Capabilities::miscount`] returns for which events. On those of family 19h
//!   [`Capabilities::exact`] returns the event without the error, for counter 2 alone and without a period.
//!
//! # Codes of events
//!
//! An event code has the layout of a selector: the event's low eight bits in bits 0 to 7, its unit
//! mask in bits 8 to 15, its high four bits in bits 32 to 35.
//!
//! Events of the northbridge and of the third-level cache are known by name and refused: all cores of a processor share them. A cache reference here is one to the
//! second level.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod errata;
mod events;
mod fields;
pub mod ibs;
mod identity;
mod pairs;
mod program;
mod registers;
mod saved;
mod state;

pub use capabilities::{Capabilities, Microarchitecture};
pub use device::{Device, Svm};
pub use driver::Amd;
pub use errata::Miscount;
pub use identity::Identity;
pub use registers::{Select, Status};
