//! What a recorder of branches promises: a unit that keeps the last branches that the processor took.
//!
//! A recorder has registers of its own, so it is a value beside the driver of the counters. A kernel that does not record
//! branches links none of its code. Processors without a recorder have no such value.

use crate::event::{Branch, BranchFilter, BranchList, Refusal};

/// A recorder of branches.
///
/// Its records belong to the CPU. They name no address space, so a kernel whose threads are not to see each other's branches
/// calls [`Branches::clear`] at each switch to another thread.
///
/// All functions but [`Branches::record`] and [`Branches::around`], which a thread calls, may be called in any context: in a
/// thread, in an NMI amid another of them, in a panic. They MUST NOT allocate, lock, panic, use a float, or loop without a bound.
///
/// ```
/// use pmu::arch::riscv::hpm::ctr::{Ctr, Device};
/// use pmu::arch::riscv::hpm::Privilege;
/// use pmu::branches::{Branch, BranchFilter, BranchKind, Branches};
/// use pmu::{Mode, Modes};
///
/// let device = Device::new(Privilege::Supervisor, 16);
/// let recorder = Ctr::detect(&device, Privilege::Supervisor);
/// let call = Branch::new(0x8000_0010, 0x8000_0040).of_kind(BranchKind::Call);
/// let work = || device.transfer(call, [Mode::Kernel; 2]);
///
/// let (branches, ()) = recorder.around::<16, _>(&BranchFilter::new(Modes::KERNEL), work)?;
/// assert_eq!((branches.len(), branches[0].to), (1, 0x8000_0040));
/// # Ok::<(), pmu::request::Refusal>(())
/// ```
pub trait Branches {
    /// What a recorder recorded before it was halted.
    type Recording: Copy;

    /// Returns the greatest number of branches that can be kept.
    fn depth(&self) -> usize;

    /// Forgets all branches, and records those that the filter lets through from now on: the last access to a register starts
    /// it. A thread calls it.
    ///
    /// # Errors
    /// Returns the part of the filter that the recorder does not have. Nothing has changed then.
    fn record(&self, filter: &BranchFilter) -> Result<(), Refusal>;

    /// Records nothing from now on, until [`Branches::resume`].
    fn halt(&self) -> Self::Recording;

    /// Goes on recording as before [`Branches::halt`]. If it records then, it also thaws what an overflow froze: an interrupt's
    /// handler takes the sample in first. Halts nest: only the resume of the outermost one starts the recording, unless
    /// [`Branches::record`] has started it anew meanwhile.
    fn resume(&self, recording: Self::Recording);

    /// Calls `found` for each branch that is there, the newest first. The recorder MUST be halted.
    fn each(&self, found: impl FnMut(Branch));

    /// Forgets all branches.
    fn clear(&self);

    /// Returns the last branches, the newest first: a flight recorder, for a panic handler or an NMI. The branches that led
    /// into this function are among them, if it is not inlined. It thaws what an overflow froze, so the handler of a sampler of
    /// branches calls it after [`on_overflow_with_branches`](crate::Unit::on_overflow_with_branches).
    #[inline(always)]
    fn last<const N: usize>(&self) -> BranchList<N> {
        let recording = self.halt();
        let list = self.kept();
        self.resume(recording);
        list
    }

    /// Returns the branches that are there, the newest first. The recorder MUST be halted.
    #[inline(always)]
    fn kept<const N: usize>(&self) -> BranchList<N> {
        let mut list = BranchList::new();
        self.each(|branch| {
            list.push(branch);
        });
        list
    }

    /// Calls `work`, and returns the last branches that it took and its result. What was recorded before goes on afterwards,
    /// with no branches.
    ///
    /// # Errors
    /// Those of [`Branches::record`]. `work` was not called then.
    #[inline(always)]
    fn around<const N: usize, T>(
        &self,
        filter: &BranchFilter,
        work: impl FnOnce() -> T,
    ) -> Result<(BranchList<N>, T), Refusal> {
        let before = self.halt();
        let started = self.record(filter);
        let result = started.map(|()| {
            let result = work();
            self.halt();
            (self.kept(), result)
        });
        if result.is_ok() {
            self.clear();
        }
        self.resume(before);
        result
    }
}

impl<B: Branches + ?Sized> Branches for &B {
    type Recording = B::Recording;

    fn depth(&self) -> usize {
        (**self).depth()
    }

    #[inline(always)]
    fn record(&self, filter: &BranchFilter) -> Result<(), Refusal> {
        (**self).record(filter)
    }

    #[inline(always)]
    fn halt(&self) -> Self::Recording {
        (**self).halt()
    }

    #[inline(always)]
    fn resume(&self, recording: Self::Recording) {
        (**self).resume(recording);
    }

    #[inline(always)]
    fn each(&self, found: impl FnMut(Branch)) {
        (**self).each(found);
    }

    #[inline(always)]
    fn clear(&self) {
        (**self).clear();
    }
}
