//! Events, modes, requests and sets of requests, as values that can be copied.
//!
//! The types that the rest of the crate is built on are here too: counters, their widths, and errors. A
//! [`Catalogue`] has a processor's events by name.

mod branch;
pub mod catalogue;
mod conflict;
mod counter;
mod error;
mod flag;
mod mode;
mod record;
mod request;
mod requests;
mod set;
mod subcode;
mod what;

pub use branch::{Branch, BranchFilter, BranchKind, BranchList};
pub(crate) use catalogue::Catalogue;
pub use conflict::{Conflict, Contention};
pub use counter::{CounterId, CounterSet, Remaining, Width};
pub use error::{CpuId, Error, Refusal, Result};
pub use flag::{Flag, Flags};
pub use mode::{Mode, Modes};
pub use record::{DataSource, Operation, Record, Translation};
pub(crate) use request::Codes;
pub use request::{Repeat, Request, Sampling};
pub use requests::Requests;
pub use set::{Full, Set};
pub use subcode::Subcode;
pub use what::{Event, Generic};
