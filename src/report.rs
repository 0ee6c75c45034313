//! Results as text, in the layouts that users of other systems know.
//!
//! Everything here is a [`core::fmt::Display`], so that a kernel prints it with its own `println!`
//! or writes it to any [`core::fmt::Write`]. A layout that is another system's is that system's to
//! the byte; where it left something open, the type's documentation says what was fixed.

mod calls;
mod cpc;
mod graph;
mod listing;
mod perfex;
mod plain;
mod pmc;
mod profile;
mod ranking;
mod samples;

pub use calls::CallReport;
pub use cpc::{
    Columns, CpustatOf, CpustatRow, CpustatTitle, CputrackRow, CputrackTitle, LifeCycle, Processes, Reading,
};
pub use graph::CallGraphReport;
pub use listing::Listing;
pub use perfex::{PerfexRow, PerfexTable};
pub use plain::{Line, NamedCount, NamedSeries, Plain, Record};
pub use pmc::PmcResults;
pub use profile::{ProfileReport, ProfileRow};
