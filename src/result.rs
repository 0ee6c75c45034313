//! What counts and samples become: costs in time, profiles, and text or streams that people and tools
//! read.

pub mod perf_data;
pub mod perfex;
pub mod profile;
pub mod report;
