//! What is made of counts and samples: chains, statistics, and the streams and lines that other programs read.

mod chains;
mod events_shown;
mod perf_data;
mod scripts;
mod statistics;
#[path = "../support/mod.rs"]
mod support;
