//! libpfm4, as far as it is asked: its units, their events, and what a string is encoded as.

#![cfg(test)]

mod agreement;
mod library;
mod netburst;
mod units;
