//! What other lists of events say: libpfm4, as far as it is asked (its units, their events, and what a string is encoded as);
//! the presets of PAPI, which are in libpfm4's words; the files of Linux' perf, and others of their kind; OProfile's.
//!
//! `cargo xtask names` runs it: it prints how many names of each list are known, and compares that with `docs/names.md`.

mod agreement;
mod library;
mod names;
#[cfg(test)]
mod netburst;
#[allow(dead_code, reason = "what is read for a table of a kernel's own is more than is compared")]
#[path = "../../xtask/src/oprofile/mod.rs"]
mod oprofile;
mod papi;
#[path = "../../tests/support/mod.rs"]
mod support;
mod units;

use std::process::ExitCode;

fn main() -> anyhow::Result<ExitCode> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    names::run(&words)
}
