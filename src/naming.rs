//! Reads requests from text and prints them, and says which of a processor's own events a generic event is.

pub mod native;
pub mod notation;
