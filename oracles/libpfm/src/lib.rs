//! libpfm4, as far as it is asked: its units, their events, and what a string is encoded as; and the presets of PAPI, which
//! are in libpfm4's words.

#![cfg(test)]

mod agreement;
mod library;
mod netburst;
mod papi;
#[path = "../../../tests/support/mod.rs"]
mod support;
mod units;
