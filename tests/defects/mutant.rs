//! A driver with one of the mistakes that existing drivers have made.

use std::cell::Cell;

use pmu::{
    Backend, Conflict, Contention, CounterId, CounterSet, Description, Image, Late, Refusal, Remaining, Request,
    Requests, Slot, Steps, Width,
};

/// A mistake, as it was found in somebody's driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Defect {
    /// None: the driver as it is.
    None,
    /// The handler writes back the zero that it has just written, so sampling ends after one
    /// interrupt.
    RearmsWithZero,
    /// The handler takes the lock that the interrupted thread holds.
    LocksInTheHandler,
    /// Only the first four counters' overflows are cleared, and never a fixed one's.
    ClearsFourCounters,
    /// The counter is preset with MAX - n, and overflows on event n + 1.
    PresetsOneTooFar,
    /// Raw values are subtracted without regard to the counter's width.
    ForgetsTheWidth,
    /// The counter is taken before the request is validated, and kept when it is refused.
    TakesBeforeItChecks,
    /// An interrupt whose status is already clear is nobody's.
    DisownsTheLateInterrupt,
    /// The handler presets, lets the unit go on, and clears the overflows last, those that have
    /// come meanwhile among them.
    ClearsLast,
    /// Wraps of counters that only count are cleared with the others, and not accounted for.
    ClearsWrapsUnseen,
    /// A program may read the counters, and what others have left there stays.
    LeavesOthersCounts,
}

/// A driver with a defect.
pub(crate) struct Mutant<B> {
    pub(crate) driver: B,
    pub(crate) defect: Defect,
    /// An overflow is being accounted for: where [`Defect::RearmsWithZero`] strikes.
    accounting: Cell<bool>,
    locked: Cell<bool>,
    /// The counters that a refused set has kept.
    taken: Cell<CounterSet>,
    /// The counters that only count.
    counting: Cell<CounterSet>,
    /// The overflows that are to be cleared last.
    late: Cell<CounterSet>,
    /// The handler found its lock taken: on one CPU it would now wait for ever.
    pub(crate) deadlocked: Cell<bool>,
}

impl<B: Backend> Mutant<B> {
    pub(crate) fn new(driver: B, defect: Defect) -> Self {
        let flag = || Cell::new(false);
        let set = || Cell::new(CounterSet::EMPTY);
        Self {
            driver,
            defect,
            accounting: flag(),
            locked: flag(),
            taken: set(),
            counting: set(),
            late: set(),
            deadlocked: flag(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    fn with_lock<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.has(Defect::LocksInTheHandler) && self.locked.replace(true) {
            self.deadlocked.set(true);
        }
        let result = work();
        self.locked.set(false);
        result
    }
}

impl<B: Backend> Backend for Mutant<B> {
    type Demand = B::Demand;
    type Program = B::Program;
    type Occupancy = B::Occupancy;
    type Image = B::Image;
    type Handle = B::Handle;
    type WayBack = B::WayBack;

    fn description(&self) -> Description {
        self.driver.description()
    }

    fn encode(&self, request: &Request) -> Result<B::Demand, Refusal> {
        self.driver.encode(request)
    }

    fn place(
        &self,
        beside: &B::Occupancy,
        new: &[B::Demand],
        steps: Steps,
        out: &mut [Slot],
    ) -> Result<B::Program, Conflict> {
        let program = self.driver.place(beside, new, steps, out);
        let (one, first) = (new.first_chunk::<1>().expect("a request"), &mut [Slot::EMPTY]);
        if program.is_err()
            && self.has(Defect::TakesBeforeItChecks)
            && self.driver.place(beside, one, steps, first).is_ok()
        {
            self.taken.set(first[0].occupies());
        }
        let requests = out.iter().enumerate().filter(|(_, slot)| !slot.occupies().and(self.taken.get()).is_empty());
        let requests = Requests::from_bits(requests.fold(0, |set, (position, _)| set | 1 << position));
        let over = Contention::Counters(CounterSet::EMPTY);
        if requests.is_empty() { program } else { program.and(Err(Conflict { requests, over })) }
    }

    fn load(&self, image: &B::Image, program: &B::Program, slots: &[Slot], running: CounterSet) {
        self.with_lock(|| self.driver.load(image, program, slots, running));
    }

    fn release(&self, image: &B::Image, counters: CounterSet) {
        self.driver.release(image, counters);
    }

    fn width(&self, image: &B::Image, counter: CounterId) -> Width {
        let width = self.driver.width(image, counter);
        if self.has(Defect::ForgetsTheWidth) { Width::wrapping(64).unwrap_or(width) } else { width }
    }

    fn longest(&self, image: &B::Image, counter: CounterId) -> Remaining {
        self.driver.longest(image, counter)
    }

    fn preset(&self, image: &B::Image, counter: CounterId, remaining: Remaining) {
        let rearming = self.accounting.get() && self.has(Defect::RearmsWithZero);
        let whole = Remaining::events(self.driver.longest(image, counter).count());
        let further = Remaining::events(remaining.count() + 1);
        let others = self.counting.get().without(counter.only());
        self.counting.set(if remaining == whole { others.or(counter.only()) } else { others });
        match self.defect {
            Defect::LeavesOthersCounts if !image.occupied().contains(counter) => {}
            _ if rearming => self.driver.preset(image, counter, whole),
            Defect::PresetsOneTooFar if remaining < whole => self.driver.preset(image, counter, further),
            _ => self.driver.preset(image, counter, remaining),
        }
    }

    fn run(&self, image: &B::Image, exactly: CounterSet) {
        self.driver.run(image, exactly);
        let late = self.late.take();
        if !late.is_empty() {
            self.driver.acknowledge(image, late);
        }
    }

    fn overflowed(&self, image: &B::Image, armed: CounterSet) -> CounterSet {
        let overflowed = self.with_lock(|| self.driver.overflowed(image, armed));
        self.accounting.set(!overflowed.is_empty());
        if self.has(Defect::ClearsWrapsUnseen) { overflowed.without(self.counting.get()) } else { overflowed }
    }

    fn acknowledge(&self, image: &B::Image, counters: CounterSet) {
        self.accounting.set(false);
        match self.defect {
            Defect::ClearsFourCounters => self.driver.acknowledge(image, counters.and(CounterSet::first(4))),
            Defect::ClearsWrapsUnseen => self.driver.acknowledge(image, counters.or(self.counting.get())),
            Defect::ClearsLast => self.late.set(counters),
            _ => self.driver.acknowledge(image, counters),
        }
    }

    fn rearm(&self) {
        self.driver.rearm();
    }

    fn late(&self) -> Late {
        if self.has(Defect::DisownsTheLateInterrupt) { Late::Never } else { self.driver.late() }
    }

    fn way_back(&self, image: &B::Image, slot: &Slot) -> B::WayBack {
        self.driver.way_back(image, slot)
    }

    fn handle(&self, image: &B::Image, counter: CounterId) -> B::Handle {
        self.driver.handle(image, counter)
    }

    fn read(&self, counter: B::Handle) -> u64 {
        self.driver.read(counter)
    }

    fn ticks(&self) -> u64 {
        self.driver.ticks()
    }

    fn save(&self, image: &B::Image) {
        self.driver.save(image);
    }

    fn restore(&self, image: &B::Image) {
        self.driver.restore(image);
    }
}
