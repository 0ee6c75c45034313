//! A thread's context beside the host's book: what its counts are to be, whatever a kernel does with it.
//!
//! The book knows counters, not threads. So a thread's share is what its counter counted while the thread was
//! switched in, and no preset, eviction or inheritance changes that.

use pmu::{Context, CounterId, Request};

use crate::kernel::{Claimed, Kernel};
use crate::running;

/// A thread of one request, pinned to a counter.
pub struct Followed<K: Kernel> {
    /// What it counts with.
    pub context: Context<K::Driver, 1>,
    counter: CounterId,
    booked: u64,
    /// The event on which it is frozen, if its request notifies.
    end: u64,
}

impl<K: Kernel> Followed<K> {
    /// A thread that asks for this.
    pub fn new(pmu: &Claimed<K>, number: u32, request: Request) -> Self {
        let mut context = Context::new(number);
        context.bind(pmu, [request]).expect("nobody else has the counter");
        Self::of(context)
    }

    /// A thread with this context, which has counted nothing since its count began.
    pub fn of(context: Context<K::Driver, 1>) -> Self {
        let counter = context.requests()[0].counters.lowest().expect("its request is pinned");
        let [booked] = context.counts().expect("it is bound and out").raw;
        let end = context.requests()[0].sampling.map_or(0, |sampling| sampling.period);
        Self { context, counter, booked, end }
    }

    /// Is in for so many instructions; its counter counts those, and some of the switches'.
    pub fn run(&mut self, pmu: &Claimed<K>, instructions: u64) {
        self.run_with(pmu, || K::exactly(instructions));
    }

    /// Is in for as long as this takes.
    pub fn run_with(&mut self, pmu: &Claimed<K>, body: impl FnOnce()) {
        self.come(pmu);
        body();
        self.leave(pmu);
    }

    /// Switches the thread in. Returns true if it is to be notified.
    #[inline(always)]
    pub fn come(&mut self, pmu: &Claimed<K>) -> bool {
        running::is(self.context.thread());
        self.booked = self.booked.wrapping_sub(K::counted(self.counter));
        pmu.switch_in(&mut self.context)
    }

    /// Switches the thread out.
    #[inline(always)]
    pub fn leave(&mut self, pmu: &Claimed<K>) {
        pmu.switch_out(&mut self.context);
        self.booked = self.booked.wrapping_add(K::counted(self.counter));
    }

    /// What it has counted by the book; it is in.
    #[inline(always)]
    pub fn booked_so_far(&self) -> u64 {
        self.booked.wrapping_add(K::counted(self.counter))
    }

    /// What it has counted; the book confirms it.
    pub fn count(&self) -> u64 {
        let [count] = self.context.counts().expect("it is bound and out").raw;
        assert!(
            !K::has_book() || count == self.booked,
            "thread {}, {}: {count} and {}",
            self.context.thread(),
            self.counter,
            self.booked
        );
        count
    }

    /// What it has counted: the book confirms it, or it is frozen at the end of its one period.
    pub fn count_or_frozen(&mut self) {
        if self.context.is_frozen() {
            self.assert_frozen_after(self.end);
        } else {
            self.count();
        }
    }

    /// Its counter is about to be preset to what is left of its period, and cannot wait for fewer events than `least`: its
    /// request notifies on the first event that it can wait for.
    pub fn is_preset_anew(&mut self, least: u64) {
        if !self.context.is_frozen() {
            self.end = self.end.max(self.count() + least);
        }
    }

    /// It has counted this period and is frozen: the counter was on for a little longer, until the interrupt had
    /// halted it.
    pub fn assert_frozen_after(&mut self, period: u64) {
        assert!(self.context.is_frozen(), "thread {}, {}", self.context.thread(), self.counter);
        assert!(
            !K::has_book() || self.booked >= period,
            "thread {}: {} of {period}",
            self.context.thread(),
            self.booked
        );
        self.booked = period;
        self.count();
    }

    /// Counts from 0, with a whole period.
    pub fn restart(&mut self) {
        self.context.restart().expect("it is bound and out");
        self.booked = 0;
    }

    /// Asks for this from now on: it was invalidated.
    pub fn bind_anew(&mut self, pmu: &Claimed<K>, request: Request) {
        self.context.bind(pmu, [request]).expect("an invalid context may be bound");
        self.booked = 0;
    }

    /// Gives its request another period.
    pub fn set_period(&mut self, pmu: &Claimed<K>, period: u64) {
        self.context.set_period(pmu, 0, period).expect("it asks for overflows, and may with this period");
    }
}
