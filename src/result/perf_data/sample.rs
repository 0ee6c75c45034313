//! The record of a sample: its fields, in the order of `PERF_RECORD_SAMPLE`.

use core::fmt;

use super::access::Access;
use super::record::{Misc, Type};
use super::sink::Sink;
use super::{PerfData, branches};
use crate::event::Branch;

/// `PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD`.
pub(super) const SAMPLED: u64 = 1 << 0 | 1 << 1 | 1 << 8;
/// `PERF_SAMPLE_CALLCHAIN`.
pub(super) const CALL_CHAIN: u64 = 1 << 5;
/// `PERF_SAMPLE_BRANCH_STACK`.
pub(super) const BRANCH_STACK: u64 = 1 << 11;
/// `PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC`.
pub(super) const ACCESS: u64 = 1 << 3 | 1 << 14 | 1 << 15;

/// What a sample has beside its address and numbers: the callers or the branches that led to it, or its access to memory.
#[derive(Clone, Copy, Default)]
pub(super) struct Details<'p> {
    pub(super) callers: &'p [u64],
    pub(super) branches: &'p [Branch],
    pub(super) access: Access,
}

impl<S: Sink> PerfData<S> {
    pub(super) const fn has(&self, field: u64) -> bool {
        self.sampled & field != 0
    }

    /// Writes `PERF_RECORD_SAMPLE`.
    pub(super) fn write_sample(
        &mut self,
        misc: Misc,
        address: u64,
        [process, thread]: [u32; 2],
        events: u64,
        Details { callers, branches, access }: Details<'_>,
    ) -> fmt::Result {
        let chain = if self.has(CALL_CHAIN) { 24 + 8 * callers.len() } else { 0 };
        let stack = if self.has(BRANCH_STACK) { 8 + 24 * branches.len() } else { 0 };
        let memory = if self.has(ACCESS) { 24 } else { 0 };
        self.record(Type::Sample, misc, 24 + chain + stack + memory)?;
        self.word(address)?;
        self.numbers(process, thread)?;
        if self.has(ACCESS) {
            self.word(access.address)?;
        }
        self.word(events)?;
        if self.has(CALL_CHAIN) {
            self.chain(misc, address, callers)?;
        }
        if self.has(BRANCH_STACK) {
            self.branch_stack(branches)?;
        }
        if self.has(ACCESS) { self.word(access.latency).and_then(|()| self.word(access.source)) } else { Ok(()) }
    }

    /// Writes branches: how many, and each with what is known of it.
    fn branch_stack(&mut self, branches: &[Branch]) -> fmt::Result {
        self.word(branches.len() as u64)?;
        branches.iter().flat_map(branches::words).try_for_each(|word| self.word(word))
    }

    /// Writes a chain as Linux does: its length, a marker for the mode, the sampled address and its callers.
    fn chain(&mut self, misc: Misc, address: u64, callers: &[u64]) -> fmt::Result {
        self.word(2 + callers.len() as u64)?;
        self.word(misc.context())?;
        self.word(address)?;
        callers.iter().try_for_each(|&caller| self.word(caller))
    }
}
