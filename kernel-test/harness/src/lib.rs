//! What every test kernel has in common, whatever it boots on.
//!
//! From the boot to the end: [`CommandLine`] says what to run, [`tests!`] lists the tests with what each [needs](Need), [`Report`]
//! says how they ended, [`demo`] shows what the crate is good for, [`bench`] measures what it costs.
//!
//! What is true of every processor stands here once, in [`sentences`]; a kernel is what they are shown on, a [`Kernel`]. Most
//! are a [`Guest`] above a host, and ask it by [`Call`]s; the [`host`] of those whose unit QEMU has not is here too.
//! [`claim`] is how each begins, [`Booked`] a session beside the host's book, [`Accounts`] what became of overflows,
//! [`amid`] brings overflows upon every instruction of an operation, or on a sample of them ([`Effort`]), [`position`] finds
//! them in a loop, [`together`] tests many counters, [`follow`] a thread, [`threads`] preempts them and [`threaded`] measures
//! them meanwhile.
//!
//! The lines are read by `xtask` (`xtask/src/suite/serial.rs`, `xtask/src/bench`).

#![no_std]

pub mod accounts;
pub mod amid;
pub mod bench;
pub mod booked;
mod call;
mod chance;
pub mod claim;
mod command_line;
pub mod console;
pub mod demo;
pub mod distance;
mod effort;
mod fingerprint;
pub mod follow;
mod fresh;
pub mod guest;
pub mod host;
mod kernel;
pub mod list;
mod modules;
mod need;
pub mod overflow;
pub mod place;
pub mod position;
mod report;
pub mod running;
pub mod sentences;
mod start;
pub mod statics;
mod taken_back;
pub mod threaded;
pub mod threads;
pub mod tick;
pub mod together;
mod verdicts;
mod width;
mod words;
pub mod world;

pub use accounts::Accounts;
pub use booked::Booked;
pub use call::{Call, Disguise, Fact};
pub use chance::Chance;
pub use command_line::{CommandLine, Problem, Run};
pub use console::Console;
pub use effort::Effort;
pub use fingerprint::Fingerprint;
pub use fresh::Fresh;
pub use guest::Guest;
pub use kernel::{Claimed, Kernel, LITTLE_ROOM, ROOM};
pub use list::{Test, Unmet};
pub use modules::symbols;
pub use need::Need;
pub use report::{Report, Verdict};
pub use start::{Named, Presented, panicked, refuse, start, words_at};
pub use taken_back::a_stop_takes_an_interrupt_back;
pub use verdicts::{Tally, Verdicts};
pub use words::Words;
