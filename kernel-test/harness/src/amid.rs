//! An overflow on every instruction of an operation: on the first, on the second, up to the last.

use pmu::Request;

use crate::accounts::{Accounts, assert_all_free};
use crate::booked::Booked;
use crate::effort::Effort;
use crate::follow::Followed;
use crate::kernel::{Claimed, Kernel};

/// What overflows amid an operation: a session, or a thread. The host keeps a book of its counter.
pub trait Sampler<K: Kernel> {
    /// Asks for this, on a counter that nobody else uses. Nothing is counted yet.
    fn open(pmu: &Claimed<K>, request: Request) -> Self;
    /// Counts from now on.
    fn start(&mut self, pmu: &Claimed<K>);
    /// What it has counted by the book, while it counts or not.
    fn booked(&self) -> u64;
    /// Stops counting.
    fn stop(&mut self, pmu: &Claimed<K>);
    /// Compares its count with the book; it is stopped.
    fn check(&mut self);
}

impl<K: Kernel> Sampler<K> for Booked<K> {
    fn open(pmu: &Claimed<K>, request: Request) -> Self {
        Self::open(pmu, request)
    }

    #[inline(always)]
    fn start(&mut self, _: &Claimed<K>) {
        self.start();
    }

    #[inline(always)]
    fn booked(&self) -> u64 {
        self.booked()
    }

    #[inline(always)]
    fn stop(&mut self, _: &Claimed<K>) {
        self.stop();
    }

    fn check(&mut self) {
        self.count();
    }
}

impl<K: Kernel> Sampler<K> for Followed<K> {
    fn open(pmu: &Claimed<K>, request: Request) -> Self {
        Self::new(pmu, 1, request)
    }

    #[inline(always)]
    fn start(&mut self, pmu: &Claimed<K>) {
        self.come(pmu);
    }

    #[inline(always)]
    fn booked(&self) -> u64 {
        self.booked_so_far()
    }

    #[inline(always)]
    fn stop(&mut self, pmu: &Claimed<K>) {
        self.leave(pmu);
    }

    fn check(&mut self) {
        self.count_or_frozen();
    }
}

/// A moment in the life of a session.
struct Moment {
    counted: u64,
    retired: u64,
}

/// What an operation was seen to do.
pub struct Passage {
    begin: Moment,
    end: Moment,
    /// What the operation says that it has counted itself.
    pub others: u64,
}

impl Passage {
    /// Instructions of the operation that the sampling counter was on for.
    pub fn counted(&self) -> u64 {
        self.end.counted - self.begin.counted
    }

    /// Instructions of the operation that it was off for.
    pub fn halted(&self) -> u64 {
        self.end.retired - self.begin.retired - self.counted()
    }
}

/// Samples by what `request` makes of a period, and does `operation` meanwhile: once for each of the
/// instructions that are counted in it (or those that [`Kernel::tried`] names, or a [sample](Effort) of them), with the overflow on just
/// that one, which has a number from 1. `compare` is given the operation without and with it. In the
/// end each counter is free.
pub fn on_every_instruction<K: Kernel, S: Sampler<K>>(
    pmu: &Claimed<K>,
    request: impl Fn(u64) -> Request,
    operation: impl FnMut(&mut S) -> u64,
    compare: impl FnMut(u64, &Passage, &Passage),
) {
    let counter = request(K::LEAD).counters.lowest().expect("it is pinned");
    by_effort(Effort::on::<K>(pmu, counter), pmu, request, operation, compare);
}

/// The same with this effort.
pub fn by_effort<K: Kernel, S: Sampler<K>>(
    effort: Effort,
    pmu: &Claimed<K>,
    request: impl Fn(u64) -> Request,
    mut operation: impl FnMut(&mut S) -> u64,
    mut compare: impl FnMut(u64, &Passage, &Passage),
) {
    let mut run = |period| Accounts::around::<K, _>(|| passage(pmu, S::open(pmu, request(period)), &mut operation));
    // The first time selects events, which later ones find selected.
    run(2 * K::LEAD);
    let (calm, accounts) = run(2 * K::LEAD);
    assert_eq!(accounts, Accounts::NOTHING, "the period is too short: {} and {}", calm.begin.counted, calm.counted());
    assert!((1..K::LEAD).contains(&calm.counted()), "the operation is too long");
    for instruction in effort.of(K::tried(calm.counted()), calm.counted()) {
        let (stormy, accounts) = run(calm.begin.counted + instruction);
        assert_eq!(stormy.begin.counted, calm.begin.counted, "instruction {instruction}");
        assert_eq!(accounts, Accounts::ONE, "instruction {instruction}");
        compare(instruction, &calm, &stormy);
    }
    assert_all_free::<K>(pmu);
}

fn passage<K: Kernel, S: Sampler<K>>(
    pmu: &Claimed<K>,
    mut sampler: S,
    operation: &mut impl FnMut(&mut S) -> u64,
) -> Passage {
    sampler.start(pmu);
    K::exactly(K::LEAD);
    let begin = Moment { retired: K::retired(), counted: sampler.booked() };
    let others = operation(&mut sampler);
    let end = Moment { counted: sampler.booked(), retired: K::retired() };
    sampler.stop(pmu);
    sampler.check();
    Passage { begin, end, others }
}
