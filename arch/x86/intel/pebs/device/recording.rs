//! The words of a record.

use super::super::format::{BASIC, BRANCH, Format, MEMORY, REGISTERS, Source, THIRD, VECTORS};
use super::super::registers::Data;
use crate::event::{CounterSet, Record};

/// What a record has beside the instruction.
pub(super) struct Head {
    /// The counters that it stands for.
    pub(super) counters: CounterSet,
    /// The time-stamp counter.
    pub(super) time: u64,
    /// The groups of format 4.
    pub(super) groups: Data,
}

/// Returns the number of a record's words.
pub(super) const fn words(format: Format, groups: Data) -> usize {
    match format {
        Format::Third => THIRD,
        Format::Fourth { .. } => {
            BASIC + memory(groups) + registers(groups) + vectors(groups) + BRANCH * groups.branches()
        }
    }
}

const fn memory(groups: Data) -> usize {
    if groups.contains(Data::MEMORY) { MEMORY } else { 0 }
}

const fn registers(groups: Data) -> usize {
    if groups.contains(Data::REGISTERS) { REGISTERS } else { 0 }
}

const fn vectors(groups: Data) -> usize {
    if groups.contains(Data::VECTORS) { VECTORS } else { 0 }
}

/// Calls `put` with each word and its place.
pub(super) fn write<E>(
    format: Format,
    head: &Head,
    of: &Record,
    general: &[u64; REGISTERS],
    mut put: impl FnMut(usize, u64) -> Result<(), E>,
) -> Result<(), E> {
    let source = Source::of(of.source, of.translation, of.is_locked == Some(true)).bits();
    let [address, data] = [of.address, of.data_address].map(Option::unwrap_or_default);
    let (counters, latency) = (head.counters.bits(), u64::from(of.latency.unwrap_or(0)));
    let mut all = match format {
        Format::Third => {
            let [flags, next, ax, cx, dx, bx, sp, bp, si, di, others @ ..] = *general;
            let low = [flags, next, ax, bx, cx, dx, si, di, bp, sp];
            let high = [counters, data, source, latency, address, 0, head.time];
            return low
                .into_iter()
                .chain(others)
                .chain(high)
                .enumerate()
                .try_for_each(|(place, word)| put(place, word));
        }
        Format::Fourth { .. } => 0..words(format, head.groups),
    };
    let size = 8 * all.len() as u64;
    let basic = [head.groups.bits() & 0xFFFF_FFFF | size << 48, address, counters, head.time];
    let access = [data, source, latency, 0].into_iter().take(memory(head.groups));
    let general = general.iter().copied().take(registers(head.groups));
    let words = basic.into_iter().chain(access).chain(general).chain(core::iter::repeat(0));
    words.zip(&mut all).try_for_each(|(word, place)| put(place, word))
}
