//! A driver with one of the mistakes that existing drivers have made.

use std::cell::Cell;

use pmu::driver::{
    Control, Counter, Counters, Description, Driver, Image, Kind, Late, Plan, Remaining, Slot, Steps, Width,
};
use pmu::request::{Conflict, Contention, Generic, Refusal, Requests};
use pmu::text::catalogue::Catalogue;
use pmu::{CounterId, CounterSet, Event, Request};

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
    /// Raw values are subtracted without regard to the counter's width, as if they had 64 bits.
    ForgetsTheWidth,
    /// The counter is taken before the request is validated, and kept when it is refused.
    TakesBeforeItChecks,
    /// An interrupt whose status is already clear is treated as foreign.
    DisownsTheLateInterrupt,
    /// The handler presets, starts the unit, and clears the overflows last, including those that have
    /// come meanwhile.
    ClearsLast,
    /// Wraps of counters that only count are cleared with the others, and not accounted for.
    ClearsWrapsUnseen,
    /// A program may read the counters, and others' counts are not cleared.
    LeavesOthersCounts,
}

/// A driver with a defect.
pub(crate) struct Mutant<D> {
    driver: D,
    defect: Defect,
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

impl<D: Driver> Mutant<D> {
    pub(crate) fn new(driver: D, defect: Defect) -> Self {
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

    /// What the driver itself says of a counter.
    fn of(&self, counter: CounterId) -> Counter<D::Handle> {
        self.driver.counter(&Slot { counter, ..Slot::EMPTY })
    }
}

impl<D: Driver> Plan for Mutant<D> {
    type Registers = D::Registers;
    type Demand = D::Demand;
    type Program = D::Program;
    type Occupancy = D::Occupancy;
    type Handle = D::Handle;

    const NO_PROGRAM: D::Program = D::NO_PROGRAM;

    fn registers(&self) -> &D::Registers {
        self.driver.registers()
    }

    fn description(&self) -> Description {
        self.driver.description()
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.driver.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        self.driver.native(generic)
    }

    fn kind(&self) -> Kind {
        self.driver.kind()
    }

    fn encode(&self, request: &Request) -> Result<D::Demand, Refusal> {
        self.driver.encode(request)
    }

    fn place(
        &self,
        beside: &D::Occupancy,
        new: &[D::Demand],
        steps: Steps,
        out: &mut [Slot],
    ) -> Result<D::Program, Conflict> {
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
        if requests.is_empty() { program } else { program.and(Err(Conflict::new(requests, over))) }
    }

    fn user_offset(&self) -> u64 {
        self.driver.user_offset()
    }

    fn counter(&self, slot: &Slot) -> Counter<D::Handle> {
        let counter = self.driver.counter(slot);
        if self.has(Defect::ForgetsTheWidth) { Counter { width: WIDEST, ..counter } } else { counter }
    }
}

/// What a driver that forgets the width subtracts with.
const WIDEST: Width = Width::wrapping(64).unwrap();

impl<D: Driver> Counters for Mutant<D> {
    type Image = D::Image;

    const WRAPS: bool = D::WRAPS;

    fn run(&self, image: &D::Image, exactly: CounterSet) {
        self.driver.run(image, exactly);
        let late = self.late.take();
        if !late.is_empty() {
            self.driver.acknowledge(image, late);
        }
    }

    fn read(&self, counter: D::Handle) -> u64 {
        self.driver.read(counter)
    }

    fn preset(&self, image: &D::Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let Counter { width, longest: whole, .. } = self.of(counter);
        let others = self.counting.get().without(counter.only());
        self.counting.set(if remaining >= whole { others.or(counter.only()) } else { others });
        match self.defect {
            Defect::LeavesOthersCounts if !image.counters().contains(counter) => {}
            Defect::RearmsWithZero if self.accounting.get() => _ = self.driver.preset(image, counter, whole),
            Defect::PresetsOneTooFar if remaining < whole => {
                self.driver.preset(image, counter, Remaining::events(remaining.count() + 1));
            }
            Defect::ForgetsTheWidth => {
                let start = width.start(self.driver.preset(image, counter, remaining));
                return Remaining::events(start.wrapping_neg());
            }
            _ => return self.driver.preset(image, counter, remaining),
        }
        remaining
    }

    fn overflowed(&self, image: &D::Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let unseen = if self.has(Defect::ClearsWrapsUnseen) { self.counting.get() } else { CounterSet::EMPTY };
        self.accounting.set(true);
        self.with_lock(|| {
            self.driver.overflowed(image, among, |counter, past| {
                if !unseen.contains(counter) {
                    found(counter, past);
                }
            });
        });
        self.accounting.set(false);
    }

    fn acknowledge(&self, image: &D::Image, counters: CounterSet) {
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
}

impl<D: Driver> Control for Mutant<D> {
    type Saved = D::Saved;

    const NOTHING_SAVED: D::Saved = D::NOTHING_SAVED;

    fn load(&self, image: &D::Image, program: &D::Program, slots: &[Slot]) {
        self.with_lock(|| self.driver.load(image, program, slots));
    }

    fn release(&self, image: &D::Image, counters: CounterSet) {
        self.driver.release(image, counters);
    }

    fn reload(&self, image: &D::Image) {
        self.driver.reload(image);
    }

    fn save(&self, into: &D::Saved) {
        self.driver.save(into);
    }

    fn restore(&self, from: &D::Saved) {
        self.driver.restore(from);
    }

    fn lend(&self, image: &D::Image, counters: CounterSet) {
        self.driver.lend(image, counters);
    }
}
