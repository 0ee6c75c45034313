//! Results as text, in the layouts that users of other systems know.
//!
//! Every type here implements [`core::fmt::Display`], so that a kernel can print it with its own
//! `println!` or write it to any [`core::fmt::Write`]. Where a layout is another system's, it is the same to
//! the byte. Where that system left something open, the type's documentation says what was chosen.

mod calls;
mod cpc;
mod folded;
mod graph;
mod header;
mod listing;
mod opreport;
mod perfex;
mod plain;
mod pmc;
mod profile;
mod ranking;
mod samples;
mod summary;

pub use calls::CallReport;
pub use cpc::{
    Columns, CpustatOf, CpustatRow, CpustatTitle, CputrackNote, CputrackRow, CputrackTitle, LifeCycle, Noted,
    Processes, Reading,
};
pub use folded::FoldedStack;
pub use graph::CallGraphReport;
pub use header::{OpreportHeader, SampledEvent};
pub use listing::Listing;
pub use perfex::{PerfexRow, PerfexTable};
pub use plain::{NamedCount, NamedSeries, Plain, PlainLine, Record};
pub use pmc::PmcResults;
pub use profile::{ProfileReport, ProfileRow};
pub use summary::SymbolSummary;
