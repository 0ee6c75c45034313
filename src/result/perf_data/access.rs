//! An access to memory as perf has it: `PERF_SAMPLE_ADDR`, `PERF_SAMPLE_WEIGHT` and `PERF_SAMPLE_DATA_SRC`.
//!
//! What a record does not know is `PERF_MEM_*_NA`, or 0: an address, a weight, the number of the level, the hops to another node.
//! Source: Linux, `include/uapi/linux/perf_event.h` (`perf_mem_data_src`, `PERF_MEM_*`). Which of its words Linux
//! chooses for the source that a processor names is in its arch/x86/events/amd/ibs.c; these agree with them.

use crate::event::{DataSource, Operation, Record, Translation};

/// The data's address, the latency, and the source.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) address: u64,
    pub(super) latency: u64,
    pub(super) source: u64,
}

/// Nothing is known, as of a sample by overflow.
impl Default for Access {
    fn default() -> Self {
        Self::of(&Record::default())
    }
}

impl Access {
    pub(super) fn of(record: &Record) -> Self {
        let address = record.data_address.unwrap_or(0);
        Self { address, latency: record.latency.unwrap_or(0).into(), source: source(record) }
    }
}

/// `PERF_MEM_OP_*`, in the lowest bits: what was done.
mod operation {
    pub(super) const UNKNOWN: u64 = 0x01;
    pub(super) const LOAD: u64 = 0x02;
    pub(super) const STORE: u64 = 0x04;
    pub(super) const PREFETCH: u64 = 0x08;
    pub(super) const FETCH: u64 = 0x10;
}

/// `PERF_MEM_LVL_*`, from bit 5 on: where the data were found.
mod level {
    const SHIFT: u32 = 5;
    const HIT: u64 = 0x02;
    pub(super) const UNKNOWN: u64 = 0x01 << SHIFT;
    /// Found, where the older words have no place for it.
    pub(super) const ELSEWHERE: u64 = HIT << SHIFT;
    pub(super) const LEVEL_1: u64 = (HIT | 0x08) << SHIFT;
    pub(super) const FILL_BUFFER: u64 = (HIT | 0x10) << SHIFT;
    pub(super) const LEVEL_2: u64 = (HIT | 0x20) << SHIFT;
    pub(super) const LEVEL_3: u64 = (HIT | 0x40) << SHIFT;
    pub(super) const MEMORY: u64 = (HIT | 0x80) << SHIFT;
    pub(super) const FAR_MEMORY: u64 = (HIT | 0x100) << SHIFT;
    pub(super) const NEAR_CACHE: u64 = (HIT | 0x400) << SHIFT;
    pub(super) const FAR_CACHE: u64 = (HIT | 0x800) << SHIFT;
    pub(super) const DEVICE: u64 = (HIT | 0x1000) << SHIFT;
    pub(super) const UNCACHED: u64 = (HIT | 0x2000) << SHIFT;
}

/// `PERF_MEM_LVLNUM_*`, from bit 33 on: the same in newer words.
mod number {
    const SHIFT: u32 = 33;
    pub(super) const LEVEL_1: u64 = 0x01 << SHIFT;
    pub(super) const LEVEL_2: u64 = 0x02 << SHIFT;
    pub(super) const LEVEL_3: u64 = 0x03 << SHIFT;
    pub(super) const EXTENSION: u64 = 0x09 << SHIFT;
    pub(super) const DEVICE: u64 = 0x0A << SHIFT;
    pub(super) const CACHE: u64 = 0x0B << SHIFT;
    pub(super) const FILL_BUFFER: u64 = 0x0C << SHIFT;
    pub(super) const MEMORY: u64 = 0x0D << SHIFT;
    pub(super) const PERSISTENT: u64 = 0x0E << SHIFT;
}

/// `PERF_MEM_REMOTE_REMOTE`, and `PERF_MEM_HOPS_0`: another core of the same node.
const REMOTE: u64 = 1 << 37;
const OTHER_CORE: u64 = 0x01 << 43;

/// `PERF_MEM_LOCK_*`, from bit 24 on.
const LOCK_UNKNOWN: u64 = 0x01 << 24;
const LOCKED: u64 = 0x02 << 24;

/// `PERF_MEM_TLB_*`, from bit 26 on. What no TLB had missed the second level.
const TLB_UNKNOWN: u64 = 0x01 << 26;
const TLB_HIT: u64 = 0x02 << 26;
const TLB_MISS: u64 = 0x04 << 26;
const TLB_LEVEL_1: u64 = 0x08 << 26;
const TLB_LEVEL_2: u64 = 0x10 << 26;

/// `PERF_MEM_SNOOP_NA` and `PERF_MEM_BLK_NA`: no record has either.
const UNRECORDED: u64 = 0x01 << 19 | 0x01 << 40;

/// Returns `perf_mem_data_src`.
fn source(record: &Record) -> u64 {
    let lock = record.is_locked.map_or(LOCK_UNKNOWN, |is_locked| if is_locked { LOCKED } else { 0 });
    let translation = record.translation.map_or(TLB_UNKNOWN, translation);
    operation(record.operation) | record.source.map_or(level::UNKNOWN, level) | lock | translation | UNRECORDED
}

const fn operation(operation: Option<Operation>) -> u64 {
    match operation {
        None | Some(Operation::None) => operation::UNKNOWN,
        Some(Operation::Load) => operation::LOAD,
        Some(Operation::Store) => operation::STORE,
        Some(Operation::LoadAndStore) => operation::LOAD | operation::STORE,
        Some(Operation::Prefetch) => operation::PREFETCH,
        Some(Operation::Fetch) => operation::FETCH,
    }
}

const fn level(source: DataSource) -> u64 {
    match source {
        DataSource::Level1 => level::LEVEL_1 | number::LEVEL_1,
        DataSource::Pending => level::FILL_BUFFER | number::FILL_BUFFER,
        DataSource::Level2 => level::LEVEL_2 | number::LEVEL_2,
        DataSource::Level3 => level::LEVEL_3 | number::LEVEL_3,
        DataSource::NearCache => level::NEAR_CACHE | number::CACHE | REMOTE | OTHER_CORE,
        DataSource::FarCache => level::FAR_CACHE | number::CACHE | REMOTE,
        DataSource::Memory => level::MEMORY | number::MEMORY,
        DataSource::FarMemory => level::FAR_MEMORY | number::MEMORY | REMOTE,
        DataSource::PersistentMemory => level::ELSEWHERE | number::PERSISTENT,
        DataSource::ExtensionMemory => level::ELSEWHERE | number::EXTENSION,
        DataSource::Device => level::DEVICE | number::DEVICE,
        DataSource::Uncached => level::UNCACHED,
    }
}

const fn translation(translation: Translation) -> u64 {
    match translation {
        Translation::Level1 => TLB_HIT | TLB_LEVEL_1,
        Translation::Level2 => TLB_HIT | TLB_LEVEL_2,
        Translation::Missed => TLB_MISS | TLB_LEVEL_2,
    }
}
