//! Samples with the branches that led to them.
//!
//! A kernel that wants branches calls [`Unit::on_overflow_with_branches`](crate::Unit::on_overflow_with_branches) instead of
//! `on_overflow`, with the recorder of its CPU: see [`Branches`]. The branches are read only if a sample was
//! taken, while unit and recorder are halted. A kernel that does not want them pays nothing.
//!
//! [`BranchLists`] keeps the branches of one unit's samples in a ring of its own, and [`BranchLists::pair`] returns each sample
//! with its branches. When the ring is full the branches are lost, and the sample is kept.

use core::fmt;

use super::lists::{Entry, Lists};
use super::{Numbers, Samples};
use crate::contract::Branches;
use crate::event::{Branch, BranchKind, BranchList, Result};
use crate::sample::Sample;
use crate::sync::Cell;

/// The addresses, and the rest.
const WORDS: usize = 3;
/// The rest: the kind's number, bits 0-7, and whether there is one, 8; whether it is known whether it was mispredicted, 9, and
/// whether it was, 10; whether the cycles are known, 11, and the cycles, 32-63.
const HAS_KIND: u64 = 1 << 8;
const HAS_PREDICTION: u64 = 1 << 9;
const MISPREDICTED: u64 = 1 << 10;
const HAS_CYCLES: u64 = 1 << 11;
const CYCLES_SHIFT: u32 = 32;

#[inline(always)]
fn pack(branch: Branch) -> [u64; WORDS] {
    let kind = branch.kind.map_or(0, |kind| HAS_KIND | kind as u64);
    let prediction = branch.is_mispredicted.map_or(0, |wrong| HAS_PREDICTION | if wrong { MISPREDICTED } else { 0 });
    let cycles = branch.cycles.map_or(0, |cycles| HAS_CYCLES | u64::from(cycles) << CYCLES_SHIFT);
    [branch.from, branch.to, kind | prediction | cycles]
}

fn unpack([from, to, rest]: [u64; WORDS]) -> Branch {
    let has = |bit: u64| rest & bit != 0;
    let mut branch = Branch::new(from, to);
    branch.kind = if has(HAS_KIND) { BranchKind::of_number(rest as u8) } else { None };
    branch.is_mispredicted = has(HAS_PREDICTION).then_some(has(MISPREDICTED));
    branch.cycles = has(HAS_CYCLES).then_some((rest >> CYCLES_SHIFT) as u32);
    branch
}

/// The branches that led to the samples of one unit. It has room for `N` lists (0 or a power of two) of up to `DEPTH` branches,
/// the newest, 24 bytes for each branch and 16 more. The branches of samples of the same interrupt are one list.
///
/// It can be created in a constant, and must be used with only one unit, because lists identify their samples by number.
pub struct BranchLists<const DEPTH: usize, const N: usize> {
    lists: Lists<WORDS, DEPTH, N>,
}

impl<const DEPTH: usize, const N: usize> Default for BranchLists<DEPTH, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const DEPTH: usize, const N: usize> BranchLists<DEPTH, N> {
    /// Creates an empty ring.
    #[must_use]
    pub const fn new() -> Self {
        Self { lists: Lists::new() }
    }

    /// Reads the branches for these samples of an interrupt, which are not published yet. The recorder is halted.
    #[inline(always)]
    pub(crate) fn follow(&self, samples: Numbers, recorder: &impl Branches) {
        self.lists.add(samples, |places| {
            let (mut free, mut length) = (places.iter(), 0);
            recorder.each(|branch| {
                if let Some(place) = free.next() {
                    place.iter().zip(pack(branch)).for_each(|(cell, word)| cell.set(word));
                    length += 1;
                }
            });
            (length, 0)
        });
    }

    /// Creates a reader of samples with their branches. It may be called on any CPU.
    ///
    /// # Errors
    /// Returns [`Error::ReaderTaken`](crate::Error::ReaderTaken) while there is another reader of the branches. `samples` is
    /// dropped then.
    pub fn pair<'l, const SAMPLES: usize>(
        &'l self,
        samples: Samples<'l, SAMPLES>,
    ) -> Result<Branched<'l, DEPTH, N, SAMPLES>> {
        self.lists.reserve_reader()?;
        Ok(Branched { lists: self, samples })
    }

    /// Returns how many lists were lost because the ring was full. Their samples are kept nevertheless.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lists.lost()
    }
}

impl<const DEPTH: usize, const N: usize> fmt::Debug for BranchLists<DEPTH, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lists } = self;
        let (kept, waiting, lost) = (lists.kept(), lists.waiting(), lists.lost());
        write!(f, "BranchLists {{ kept: {kept}, waiting: {waiting}, lost: {lost} }}")
    }
}

fn list<const DEPTH: usize>(entry: &Entry<WORDS, DEPTH>) -> BranchList<DEPTH> {
    let mut list = BranchList::new();
    entry.items().iter().for_each(|place| {
        list.push(unpack(place.each_ref().map(Cell::get)));
    });
    list
}

/// The only reader of a unit's samples and of their branches: an iterator over those that are there now, the oldest first. A
/// sample has no branches if their ring was full.
///
/// It may be used on another CPU than the unit's. When it is dropped, other readers can be created.
pub struct Branched<'l, const DEPTH: usize, const N: usize, const SAMPLES: usize> {
    lists: &'l BranchLists<DEPTH, N>,
    samples: Samples<'l, SAMPLES>,
}

impl<'l, const DEPTH: usize, const N: usize, const SAMPLES: usize> Branched<'l, DEPTH, N, SAMPLES> {
    /// Returns the reader of the samples, for its statistics. A sample that is read from it is read without its branches.
    pub const fn samples(&mut self) -> &mut Samples<'l, SAMPLES> {
        &mut self.samples
    }
}

impl<const DEPTH: usize, const N: usize, const SAMPLES: usize> Iterator for Branched<'_, DEPTH, N, SAMPLES> {
    type Item = (Sample, Option<BranchList<DEPTH>>);

    fn next(&mut self) -> Option<Self::Item> {
        let (number, sample) = self.samples.next_numbered()?;
        Some((sample, self.lists.lists.of_sample(number, list)))
    }
}

impl<const DEPTH: usize, const N: usize, const SAMPLES: usize> Drop for Branched<'_, DEPTH, N, SAMPLES> {
    fn drop(&mut self) {
        self.lists.lists.release_reader();
    }
}

impl<const DEPTH: usize, const N: usize, const SAMPLES: usize> fmt::Debug for Branched<'_, DEPTH, N, SAMPLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Branched").field("samples", &self.samples).field("branches", &self.lists).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_comes_out_of_its_words_as_it_went_in() {
        let mut branch = Branch::new(u64::MAX, 0);
        for kind in BranchKind::ALL.into_iter().map(Some).chain([None]) {
            for is_mispredicted in [None, Some(false), Some(true)] {
                for cycles in [None, Some(0), Some(u32::MAX)] {
                    (branch.kind, branch.is_mispredicted, branch.cycles) = (kind, is_mispredicted, cycles);
                    assert_eq!(unpack(pack(branch)), branch);
                }
            }
        }
    }
}
