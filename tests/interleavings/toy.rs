//! The smallest unit that wraps and interrupts: two counters of four bits, one register that runs
//! them, one that says which have overflowed.

use std::cell::Cell;

use crate::contract::{
    Control, Counter, Counters, Description, Image, Kernel, Kind, Late, Masked, Overflow, Plan, Registers, Slot, Steps,
};
use crate::event::{
    Conflict, Contention, CounterId, CounterSet, CpuId, Refusal, Remaining, Request, Requests, Result, Width,
};
use crate::sync::Word;
use crate::unit::Unit;

const COUNTERS: CounterSet = CounterSet::from_bits(0b11);
const BITS: u32 = 4;

pub(super) type ToyUnit<const SAMPLES: usize> = Unit<&'static Toy, SAMPLES>;

/// The unit's registers.
pub(super) struct Toy {
    runs: Word,
    overflowed: Word,
    counts: [Word; 2],
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) enum Register {
    Runs,
    Overflowed,
    Count(CounterId),
}

impl Toy {
    pub(super) const fn new() -> Self {
        Self { runs: Word::new(0), overflowed: Word::new(0), counts: [const { Word::new(0) }; 2] }
    }

    fn register(&self, at: Register) -> &Word {
        match at {
            Register::Runs => &self.runs,
            Register::Overflowed => &self.overflowed,
            Register::Count(counter) => &self.counts[counter.index()],
        }
    }

    /// One more event on each counter that runs; true if the unit asks for an interrupt.
    pub(super) fn event(&self) -> bool {
        for counter in self.running() {
            let count = &self.counts[counter.index()];
            count.set((count.get() + 1) % (1 << BITS));
            if count.get() == 0 {
                self.overflowed.set(self.overflowed.counters().or(counter.only()).bits());
            }
        }
        !self.overflowed.counters().is_empty()
    }

    /// The counters that run.
    pub(super) fn running(&self) -> CounterSet {
        self.runs.counters()
    }

    /// What a counter's own instruction reads.
    pub(super) fn raw(&self, index: u32) -> u64 {
        self.counts[index as usize].get()
    }
}

/// A unit and its registers, claimed, for as long as the test's process lives.
pub(super) fn claimed<const SAMPLES: usize>() -> (&'static ToyUnit<SAMPLES>, &'static Toy) {
    let toy: &Toy = Box::leak(Box::new(Toy::new()));
    let unit = unclaimed();
    unit.claim(toy).unwrap();
    (unit, toy)
}

loom::thread_local! {
    /// The CPU that this thread is on.
    static CPU: Cell<u32> = Cell::new(0);
}

/// Does this on that CPU.
pub(super) fn on_cpu(number: u32, work: impl FnOnce()) {
    let before = CPU.with(|cpu| cpu.replace(number));
    work();
    CPU.with(|cpu| cpu.set(before));
}

/// The threads' kernel.
#[derive(Clone, Copy)]
pub(super) struct Threads;

impl Kernel for Threads {
    fn cpu(&self) -> CpuId {
        CpuId(CPU.with(Cell::get))
    }
}

impl Registers for Toy {
    type Address = Register;
    type Index = CounterId;
    type Kernel = Threads;

    fn kernel(&self) -> Threads {
        Threads
    }

    fn read(&self, at: Register) -> u64 {
        self.register(at).get()
    }

    /// A 1 clears a bit of [`Register::Overflowed`]; the unit does that at once.
    fn write(&self, at: Register, value: u64) {
        match at {
            Register::Overflowed => _ = self.overflowed.update(|overflowed| overflowed & !value),
            _ => self.register(at).set(value),
        }
    }

    fn read_counter(&self, counter: CounterId) -> u64 {
        self.read(Register::Count(counter))
    }

    fn ticks(&self) -> u64 {
        0
    }

    /// The interrupts that are tried are NMIs.
    fn mask(&self) -> Masked {
        Masked::from_bits(0)
    }

    fn unmask(&self, _: Masked) {}
}

/// Made on another thread: the stacks that loom lends are too small for it.
fn unclaimed<const SAMPLES: usize>() -> &'static ToyUnit<SAMPLES> {
    std::thread::spawn(|| &*Box::leak(Box::new(Unit::new()))).join().unwrap()
}

/// Which counters are somebody's.
pub(super) struct Occupied(Word);

impl Image for Occupied {
    type Occupancy = CounterSet;

    const BLANK: Self = Self(Word::new(0));

    fn counters(&self) -> CounterSet {
        self.0.counters()
    }

    fn occupancy(&self) -> CounterSet {
        self.0.counters()
    }
}

fn width() -> Width {
    Width::wrapping(BITS).unwrap()
}

impl Plan for &Toy {
    type Registers = Toy;
    type Demand = ();
    type Program = ();
    type Occupancy = CounterSet;
    type Handle = CounterId;

    const NO_PROGRAM: () = ();

    fn registers(&self) -> &Toy {
        self
    }

    fn description(&self) -> Description {
        let mut toy = Description::new("toy", "this file", width());
        (toy.general, toy.overflow) = (COUNTERS, Overflow::Identified);
        toy
    }

    fn kind(&self) -> Kind {
        Kind::from_bits(0)
    }

    fn encode(&self, _: &Request) -> Result<(), Refusal> {
        Ok(())
    }

    fn place(&self, beside: &CounterSet, _: &[()], _: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        let mut free = COUNTERS.without(*beside).into_iter();
        for slot in out {
            let over = Contention::Counters(COUNTERS);
            slot.counter = free.next().ok_or(Conflict::new(Requests::from_bits(1), over))?;
        }
        Ok(())
    }

    fn counter(&self, slot: &Slot) -> Counter<CounterId> {
        let longest = Remaining::events(width().longest());
        let user_index = Some(u32::from(slot.counter.number()));
        Counter { handle: slot.counter, width: width(), longest, user_index }
    }
}

impl Counters for &Toy {
    type Image = Occupied;

    fn run(&self, _: &Occupied, exactly: CounterSet) {
        self.write(Register::Runs, exactly.bits());
    }

    fn read(&self, counter: CounterId) -> u64 {
        self.read_counter(counter)
    }

    fn preset(&self, _: &Occupied, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = Remaining::events(remaining.count().min(width().longest()));
        self.write(Register::Count(counter), width().start(actual));
        actual
    }

    fn overflowed(&self, _: &Occupied, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let overflowed = CounterSet::from_bits(Registers::read(*self, Register::Overflowed));
        for counter in overflowed.and(among) {
            match width().past(self.read_counter(counter)) {
                Some(past) => found(counter, past as i64),
                None => self.write(Register::Overflowed, counter.only().bits()),
            }
        }
    }

    fn acknowledge(&self, _: &Occupied, counters: CounterSet) {
        self.write(Register::Overflowed, counters.bits());
    }

    fn rearm(&self) {}

    fn late(&self) -> Late {
        Late::One { within: 100 }
    }
}

impl Control for &Toy {
    type Saved = ();

    const NOTHING_SAVED: () = ();

    fn load(&self, image: &Occupied, (): &(), slots: &[Slot]) {
        let new = slots.iter().map(|slot| slot.counter).collect();
        image.0.set(image.occupancy().or(new).bits());
    }

    fn release(&self, image: &Occupied, counters: CounterSet) {
        image.0.set(image.occupancy().without(counters).bits());
    }

    fn reload(&self, _: &Occupied) {
        self.write(Register::Runs, 0);
        self.write(Register::Overflowed, COUNTERS.bits());
    }

    fn save(&self, (): &()) {
        self.write(Register::Runs, 0);
    }

    fn restore(&self, (): &()) {
        self.write(Register::Runs, 0);
    }
}
