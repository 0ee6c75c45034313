//! Samples with the branches that led to them (`PERF_SAMPLE_BRANCH_STACK`, `struct perf_branch_entry`).

use std::io;

use super::{Attributes, Event, Hardware, Modes, Ring, THIS_THREAD};

const SAMPLE_BRANCHES: u64 = 1 << 11;
/// Which branches are recorded: those that lead to user mode, to the kernel, and of every kind.
const TO_USER: u64 = 1 << 0;
const TO_KERNEL: u64 = 1 << 1;
const OF_ANY_KIND: u64 = 1 << 3;

/// A sample.
pub struct Stack {
    pub address: u64,
    /// The sources and targets, the newest first.
    pub branches: Vec<[u64; 2]>,
}

impl Event {
    /// Opens an event that interrupts after each `period` instructions in user mode, and has the branches recorded that lead to
    /// these modes.
    pub fn sample_branches(to: Modes, period: u64) -> io::Result<Self> {
        let to = match to {
            Modes::User => TO_USER,
            Modes::Kernel => TO_KERNEL,
            Modes::Both => TO_USER | TO_KERNEL,
        };
        let attributes = Attributes::new(Hardware::Instructions, Modes::User, period);
        let sample_type = attributes.sample_type | SAMPLE_BRANCHES;
        Self::open_as(Attributes { sample_type, branches: to | OF_ANY_KIND, ..attributes }, None, THIS_THREAD)
    }
}

impl Ring {
    /// Returns all samples, or `None` if the ring has other records as well, or has wrapped.
    pub fn stacks(&self) -> Option<Vec<Stack>> {
        self.samples()?.iter().map(|words| Stack::of(words)).collect()
    }
}

impl Stack {
    fn of(words: &[u64]) -> Option<Self> {
        let (&[address, length], entries) = words.split_first_chunk()?;
        // The third word is what else is known of the branch.
        let branches: Vec<_> = entries.chunks_exact(3).map(|entry| [entry[0], entry[1]]).collect();
        (branches.len() as u64 == length).then_some(Self { address, branches })
    }
}
