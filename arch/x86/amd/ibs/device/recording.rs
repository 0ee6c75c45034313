//! The bits by which the registers say what an op or a fetch was.

use super::super::Capabilities;
use super::super::capabilities::Features;
use super::super::registers::{FetchControl, OpData, OpData2, OpData3};
use crate::event::{Branch, BranchKind, DataSource, Operation, Record, Translation};

/// Did it miss the third-level cache?
pub(super) fn misses_level_3(record: &Record) -> bool {
    record.source.is_some_and(|source| source > DataSource::Level3 && source < DataSource::Uncached)
}

/// Returns the bits that say what a fetch was.
pub(super) fn fetched(of: Capabilities, fetch: &Record) -> FetchControl {
    let mut bits = FetchControl::of_latency(fetch.latency.unwrap_or(0));
    let beyond = |level| fetch.source.is_some_and(|source| source > level);
    bits.set(FetchControl::MISS, beyond(DataSource::Level1));
    bits.set(FetchControl::LEVEL_2_MISS, of.marks_level_2() && beyond(DataSource::Level2));
    bits.set(FetchControl::LEVEL_3_MISS, of.has(Features::MISSES) && beyond(DataSource::Level3));
    bits.set(FetchControl::PHYSICAL, fetch.physical_address.is_some());
    bits.set(FetchControl::TLB_MISS, fetch.translation > Some(Translation::Level1));
    bits.set(FetchControl::TLB_2_MISS, fetch.translation > Some(Translation::Level2));
    bits
}

/// Returns the bits that say where a load's data came from.
pub(super) fn source(of: Capabilities, op: &Record) -> OpData2 {
    let is_load = matches!(op.operation, Some(Operation::Load | Operation::LoadAndStore | Operation::Prefetch));
    let is_fine = of.has(Features::MISSES);
    let number = match op.source.filter(|_| is_load) {
        Some(DataSource::Level3) if is_fine => 1,
        Some(DataSource::Level3 | DataSource::NearCache) => 2,
        Some(DataSource::Memory | DataSource::FarMemory) => 3,
        Some(DataSource::FarCache) => {
            if is_fine {
                5
            } else {
                4
            }
        }
        Some(DataSource::PersistentMemory) if is_fine => 6,
        Some(DataSource::ExtensionMemory) if is_fine => 8,
        Some(DataSource::Device) => 7,
        _ => 0,
    };
    let mut bits = OpData2::of_source(number);
    bits.set(OpData2::FAR, is_load && op.source == Some(DataSource::FarMemory));
    bits
}

/// Returns the bits that say how an op retired, and what branch it was.
pub(super) fn retirement(op: &Record) -> OpData {
    let mut bits = OpData::of_retirement(op.retirement.unwrap_or(0));
    bits.set(OpData::NO_ADDRESS, op.address.is_none());
    if let Some(Branch { kind, is_mispredicted, .. }) = op.branch {
        bits.insert(OpData::BRANCH);
        bits.set(OpData::TAKEN, kind != Some(BranchKind::NotTaken));
        bits.set(OpData::RETURN, kind == Some(BranchKind::Return));
        bits.set(OpData::MISPREDICTED, is_mispredicted == Some(true));
    }
    bits
}

/// Returns the bits that say what an op's load or store was.
pub(super) fn access(op: &Record) -> OpData3 {
    let is = |operations: [Operation; 2]| op.operation.is_some_and(|operation| operations.contains(&operation));
    let beyond = |level| op.source.is_some_and(|source| source > level && source < DataSource::Uncached);
    let mut bits = OpData3::of_latency(op.latency.unwrap_or(0));
    bits.set(OpData3::LOAD, is([Operation::Load, Operation::LoadAndStore]) || is([Operation::Prefetch; 2]));
    bits.set(OpData3::STORE, is([Operation::Store, Operation::LoadAndStore]));
    bits.set(OpData3::PREFETCH, is([Operation::Prefetch; 2]));
    bits.set(OpData3::LINEAR, op.data_address.is_some());
    bits.set(OpData3::PHYSICAL, op.physical_address.is_some());
    bits.set(OpData3::MISS, beyond(DataSource::Level1));
    bits.set(OpData3::PENDING, op.source == Some(DataSource::Pending));
    bits.set(OpData3::LEVEL_2_MISS, beyond(DataSource::Level2) || op.source == Some(DataSource::Pending));
    bits.set(OpData3::UNCACHED, op.source == Some(DataSource::Uncached));
    bits.set(OpData3::TLB_MISS, op.translation > Some(Translation::Level1));
    bits.set(OpData3::TLB_2_MISS, op.translation > Some(Translation::Level2));
    bits.set(OpData3::LOCKED, op.is_locked == Some(true));
    bits.set(OpData3::MISALIGNED, op.is_misaligned == Some(true));
    bits
}
