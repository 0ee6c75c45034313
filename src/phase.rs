//! Who may operate on a unit now: one thread at a time, on the unit's own CPU.
//!
//! The whole of it is one word: the number of the CPU whose unit it is while nobody operates, and
//! one of two others that no CPU has. So an operation begins with one exchange, which fails on
//! another CPU, amid another operation, and where nothing is claimed. What it is to hold afterwards
//! lies beside it, so that nobody need look for it elsewhere.

use crate::sync::atomic::AtomicUsize;
use crate::sync::atomic::Ordering::Relaxed;

use crate::event::CpuId;
use crate::sync::fence;

/// Whether a unit is claimed, and whether an operation on it is in progress.
pub(crate) struct Phase {
    now: AtomicUsize,
    /// What the word holds while the unit is ready.
    ready: AtomicUsize,
}

/// The CPU that somebody is on, as the word would have it.
#[derive(Clone, Copy)]
pub(crate) struct Here(usize);

impl Here {
    #[inline(always)]
    pub(crate) fn is(cpu: CpuId) -> Self {
        Self((cpu.0 as usize).min(Phase::NOWHERE))
    }
}

impl Phase {
    const BUSY: usize = usize::MAX;
    const UNCLAIMED: usize = usize::MAX - 1;
    /// Where the word has no more bits than a CPU's number, what the last of these are taken for.
    const NOWHERE: usize = usize::MAX - 2;

    pub(crate) const fn unclaimed() -> Self {
        Self { now: AtomicUsize::new(Self::UNCLAIMED), ready: AtomicUsize::new(Self::UNCLAIMED) }
    }

    /// Can a unit of this CPU be told from one that is busy or not claimed?
    pub(crate) fn knows(cpu: CpuId) -> bool {
        Here::is(cpu).0 != Self::NOWHERE
    }

    /// Does the interrupt find a unit that is ours?
    #[inline(always)]
    pub(crate) fn is_claimed(&self) -> bool {
        self.now.load(Relaxed) != Self::UNCLAIMED
    }

    /// From here on the unit is ours, and ready.
    pub(crate) fn claim(&self, cpu: CpuId) {
        fence();
        self.ready.store(Here::is(cpu).0, Relaxed);
        self.leave();
    }

    /// An operation begins, by who is on this CPU: false if it cannot, here or now.
    #[inline(always)]
    pub(crate) fn enter(&self, here: Here) -> bool {
        self.now.compare_exchange(here.0, Self::BUSY, Relaxed, Relaxed).is_ok()
    }

    /// The operation is done, and the unit its CPU's as before.
    #[inline(always)]
    pub(crate) fn leave(&self) {
        self.now.store(self.ready.load(Relaxed), Relaxed);
    }

    /// The operation ends with the unit given back: from here on the interrupt leaves it alone.
    pub(crate) fn unclaim(&self) {
        self.now.store(Self::UNCLAIMED, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: CpuId = CpuId(3);

    #[test]
    fn an_operation_begins_on_the_units_own_cpu_only() {
        let phase = Phase::unclaimed();
        phase.claim(HOME);
        assert!(!phase.enter(Here::is(CpuId(4))));
        assert!(phase.enter(Here::is(HOME)));
    }

    #[test]
    fn no_cpu_begins_an_operation_where_nothing_is_claimed() {
        let phase = Phase::unclaimed();
        assert!(![0, u32::MAX - 2, u32::MAX - 1, u32::MAX].map(CpuId).iter().any(|cpu| phase.enter(Here::is(*cpu))));
    }

    #[test]
    fn no_cpu_begins_an_operation_amid_another_and_its_own_does_after_it() {
        let phase = Phase::unclaimed();
        phase.claim(HOME);
        assert!(phase.enter(Here::is(HOME)));
        let others = [HOME.0, u32::MAX - 2, u32::MAX - 1, u32::MAX];
        assert!(!others.map(CpuId).iter().any(|cpu| phase.enter(Here::is(*cpu))));
        phase.leave();
        assert!(phase.enter(Here::is(HOME)));
    }

    #[test]
    fn an_operation_may_end_with_the_unit_given_back() {
        let phase = Phase::unclaimed();
        phase.claim(HOME);
        assert!(phase.is_claimed() && phase.enter(Here::is(HOME)));
        phase.unclaim();
        assert!(!phase.is_claimed() && !phase.enter(Here::is(HOME)));
    }

    #[test]
    fn a_number_is_refused_only_where_the_word_has_no_more_bits() {
        assert!(Phase::knows(CpuId(u32::MAX - 3)));
        assert_eq!(Phase::knows(CpuId(u32::MAX - 2)), usize::BITS > u32::BITS);
    }
}
