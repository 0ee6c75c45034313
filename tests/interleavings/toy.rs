//! The smallest unit that wraps and interrupts: two counters of four bits, one register that runs
//! them, one that says which have overflowed.

use crate::backend::{Backend, Description, Image, Late, Overflow, Slot};
use crate::contract::Steps;
use crate::event::{
    Conflict, Contention, CounterId, CounterSet, CpuId, Refusal, Remaining, Request, Requests, Result, Width,
};
use crate::pmu::Unit;
use crate::sync::Word;

const COUNTERS: CounterSet = CounterSet::from_bits(0b11);
const BITS: u32 = 4;

pub(super) type ToyUnit<const SAMPLES: usize> = Unit<&'static Toy, SAMPLES>;

/// The unit's registers.
pub(super) struct Toy {
    runs: Word,
    overflowed: Word,
    counts: [Word; 2],
}

impl Toy {
    pub(super) const fn new() -> Self {
        Self { runs: Word::new(0), overflowed: Word::new(0), counts: [const { Word::new(0) }; 2] }
    }

    /// One more event on each counter that runs; true if the unit asks for an interrupt.
    pub(super) fn event(&self) -> bool {
        for counter in self.runs.counters() {
            let count = &self.counts[counter.index()];
            count.set((count.get() + 1) % (1 << BITS));
            if count.get() == 0 {
                self.overflowed.set(self.overflowed.counters().or(counter.only()).bits());
            }
        }
        !self.overflowed.counters().is_empty()
    }

    /// Does none of its counters run?
    pub(super) fn is_halted(&self) -> bool {
        self.runs.counters().is_empty()
    }

    /// What a counter's own instruction reads.
    pub(super) fn raw(&self, index: u32) -> u64 {
        self.counts[index as usize].get()
    }
}

/// A unit and its registers, claimed, for as long as the test's process lives.
pub(super) fn claimed<const SAMPLES: usize>() -> (&'static ToyUnit<SAMPLES>, &'static Toy) {
    let toy: &Toy = Box::leak(Box::new(Toy::new()));
    let unit: &ToyUnit<SAMPLES> = Box::leak(Box::new(Unit::new()));
    unit.claim(toy, || CpuId(0)).unwrap();
    (unit, toy)
}

/// Which counters are somebody's.
pub(super) struct Occupied(Word);

impl Image for Occupied {
    type Occupancy = CounterSet;

    const BLANK: Self = Self(Word::new(0));

    fn occupied(&self) -> CounterSet {
        self.0.counters()
    }

    fn occupancy(&self) -> CounterSet {
        self.0.counters()
    }
}

impl Backend for &Toy {
    type Demand = ();
    type Program = ();
    type Occupancy = CounterSet;
    type Image = Occupied;
    type Handle = CounterId;
    type WayBack = ();

    fn description(&self) -> Description {
        let mut toy = Description::new("toy", "this file", Width::wrapping(BITS).unwrap());
        (toy.general, toy.overflow) = (COUNTERS, Overflow::Identified);
        toy
    }

    fn encode(&self, _: &Request) -> Result<(), Refusal> {
        Ok(())
    }

    fn place(&self, beside: &CounterSet, _: &[()], _: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        let mut free = COUNTERS.without(*beside).into_iter();
        for slot in out {
            let over = Contention::Counters(COUNTERS);
            slot.counter = free.next().ok_or(Conflict { requests: Requests::from_bits(1), over })?;
        }
        Ok(())
    }

    fn load(&self, image: &Occupied, (): &(), slots: &[Slot], _: CounterSet) {
        let new = slots.iter().fold(CounterSet::EMPTY, |all, slot| all.or(slot.counter.only()));
        image.0.set(image.occupied().or(new).bits());
    }

    fn release(&self, image: &Occupied, counters: CounterSet) {
        image.0.set(image.occupied().without(counters).bits());
    }

    fn width(&self, _: &Occupied, _: CounterId) -> Width {
        Width::wrapping(BITS).unwrap()
    }

    fn longest(&self, image: &Occupied, counter: CounterId) -> Remaining {
        Remaining::events(self.width(image, counter).longest())
    }

    fn preset(&self, image: &Occupied, counter: CounterId, remaining: Remaining) {
        self.counts[counter.index()].set(self.width(image, counter).start(remaining));
    }

    fn run(&self, _: &Occupied, exactly: CounterSet) {
        self.runs.set(exactly.bits());
    }

    fn overflowed(&self, _: &Occupied, armed: CounterSet) -> CounterSet {
        self.overflowed.counters().and(armed)
    }

    fn acknowledge(&self, _: &Occupied, counters: CounterSet) {
        self.overflowed.set(self.overflowed.counters().without(counters).bits());
    }

    fn rearm(&self) {}

    fn late(&self) -> Late {
        Late::One { within: 100 }
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    fn handle(&self, _: &Occupied, counter: CounterId) -> CounterId {
        counter
    }

    fn user_index(&self, counter: CounterId) -> Option<u32> {
        Some(u32::from(counter.number()))
    }

    fn read(&self, counter: CounterId) -> u64 {
        self.counts[counter.index()].get()
    }

    fn ticks(&self) -> u64 {
        0
    }

    fn save(&self, _: &Occupied) {}

    fn restore(&self, _: &Occupied) {}
}
