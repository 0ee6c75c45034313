//! What every test kernel has in common, whatever it boots on.
//!
//! From the boot to the end: [`CommandLine`] says what to run, [`tests!`] lists the tests, [`Report`] says how they
//! ended, [`Verdicts`] whose the interrupts were, [`together!`] tests many counters, [`amid`] brings overflows upon every
//! instruction of an operation, [`native`] asks what a generic event is, [`threads`] says what becomes of threads' counts
//! and [`Chance`] switches them, [`ticks`] samples by the clock, [`demo`] shows what the crate is good for, [`figure`]
//! what the bench measured. How a kernel prints is its own affair: it lends a [`core::fmt::Write`].
//!
//! The lines are read by `xtask` (`xtask/src/suite/serial.rs`, `xtask/src/bench`).

#![no_std]

pub mod amid;
pub mod at_once;
pub mod beside;
mod chance;
mod command_line;
pub mod demo;
mod figure;
mod fingerprint;
pub mod follow;
mod list;
pub mod native;
pub mod one_shot;
pub mod ownership;
mod report;
pub mod running;
pub mod spurious;
pub mod threaded;
pub mod threads;
pub mod ticks;
mod together;
mod verdicts;
mod words;

pub use chance::Chance;
pub use command_line::{CommandLine, Problem, Run};
pub use figure::{Reached, figure};
pub use fingerprint::Fingerprint;
pub use list::{End, Test, Unmet};
pub use report::{Report, Verdict};
pub use together::first;
pub use verdicts::{Tally, Verdicts};
pub use words::Words;
