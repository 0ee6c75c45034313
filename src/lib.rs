#![doc = "Bare-metal drivers and software models of the processors' performance-monitoring units."]
#![cfg_attr(not(test), no_std)]

pub mod assign;
mod backend;
mod counter;
mod error;
mod event;
mod overflow;
mod pmu;
mod registers;
mod sample;
mod session;
pub mod virt;
mod word;

#[path = "../arch/mod.rs"]
pub mod arch;

pub use backend::{Backend, Description, Image, Overflow, Slot};
pub use counter::{CounterId, CounterSet, Counters, Remaining, Width};
pub use error::{Conflict, Contention, CpuId, Error, Refusal, Result};
pub use event::{Event, Flag, Flags, Generic, Mode, Modes, Repeat, Request, Sampling};
pub use overflow::Handled;
pub use pmu::{Pmu, StillClaimed, Unit};
pub use registers::{Access, Recorder, Registers};
pub use sample::{Interrupted, Lost, Sample, Samples};
pub use session::{Counts, Reader, Session};
pub use word::Word;
