//! Arm PMUv3: an even counter and the odd one after it make one of twice the width, where the odd
//! one counts the event CHAIN.
//!
//! Registers: Arm Architecture Reference Manual for A-profile, "The Performance Monitors
//! Extension", PMEVTYPER<n>_EL0 and the event 0x001E, CHAIN. Addresses are our own.

use crate::demand::{Demand, Field, Way};
use pmu::placement::Takes;
use pmu::{Backend, CounterId, CounterSet, Event, Image, Refusal, Remaining, Request, Slot, Width};

use crate::Shape;
use crate::image::{Memory, Program, alike};
use crate::processor::{BITS, Chip, File, Processor};

const COUNTERS: CounterSet = CounterSet::from_bits(0b11_1111);
const EVEN: CounterSet = CounterSet::from_bits(0b01_0101);
const PMEVTYPER: u32 = 0x100;
const PMEVCNTR: u32 = 0x200;
const PMCNTENSET: u32 = 1;
const PMCNTENCLR: u32 = 2;
const PMOVSCLR: u32 = 3;
const PMINTENSET: u32 = 4;
const PMINTENCLR: u32 = 5;
const PMCR: u32 = 6;
const ENABLE: u64 = 1;
const CHAIN: u64 = 0x1E;

fn typer(counter: CounterId) -> u32 {
    PMEVTYPER + u32::from(counter.number())
}

fn count(counter: CounterId) -> u32 {
    PMEVCNTR + u32::from(counter.number())
}

pub(crate) struct Arm;

impl Arm {
    /// Counts one event, and on a wrap one in the counter chained to it.
    fn count(file: &File, counter: CounterId) {
        if !file.count(count(counter), counter, 1) {
            return;
        }
        file.set(PMOVSCLR, file.get(PMOVSCLR) | counter.only().bits());
        if file.get(PMINTENSET) & counter.only().bits() != 0 {
            file.pull();
        }
        let next = CounterId::new(counter.number() + 1).filter(|next| Self::is_chained(file, *next));
        if let Some(next) = next {
            Self::count(file, next);
        }
    }

    fn is_chained(file: &File, counter: CounterId) -> bool {
        !EVEN.contains(counter)
            && file.get(typer(counter)) == CHAIN
            && file.get(PMCNTENSET) & counter.only().bits() != 0
    }
}

impl Chip for Arm {
    fn step(file: &File, happens: &dyn Fn(u64) -> bool) {
        let enabled = CounterSet::from_bits(if file.get(PMCR) & ENABLE != 0 { file.get(PMCNTENSET) } else { 0 });
        for counter in enabled {
            let event = file.get(typer(counter));
            if event != CHAIN && happens(event) {
                Self::count(file, counter);
            }
        }
    }

    fn write(file: &File, at: u32, value: u64) {
        match at {
            PMCNTENSET | PMINTENSET => file.set(at, file.get(at) | value),
            PMCNTENCLR => file.set(PMCNTENSET, file.get(PMCNTENSET) & !value),
            PMINTENCLR => file.set(PMINTENSET, file.get(PMINTENSET) & !value),
            PMOVSCLR => file.set(at, file.get(at) & !value),
            _ => file.set(at, value),
        }
    }
}

impl Shape for Arm {
    type Backend = Driver;

    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(1)),
        Request::new(Event::raw(2)).every(100),
        Request::new(Event::raw(3)).every(1 << BITS),
        Request::new(Event::raw(1)).every(3 << BITS),
    ];

    fn backend(processor: &'static Processor<Self>) -> Driver {
        Driver(processor)
    }

    fn selected(file: &File, counter: CounterId) -> Option<u64> {
        let chained = CounterId::new(counter.number() + 1).is_some_and(|next| Self::is_chained(file, next));
        Some(file.get(typer(counter)) | u64::from(chained) << 16)
    }

    fn wanted(request: &Request) -> u64 {
        Self::every(request) | u64::from(is_long(request)) << 16
    }

    fn every(request: &Request) -> u64 {
        let Event::Raw { code, .. } = request.event else { return 0 };
        code
    }
}

/// Is the period beyond what one counter can wait for?
fn is_long(request: &Request) -> bool {
    request.sampling.is_some_and(|sampling| sampling.period > 1 << (BITS - 1))
}

pub(crate) struct Driver(&'static Processor<Arm>);

impl Driver {
    /// The counter that overflows: of a pair, the second.
    fn last(image: &Memory, counter: CounterId) -> CounterId {
        CounterId::new(counter.number() + u8::from(image.is_paired(counter))).unwrap()
    }

    fn with_seconds(image: &Memory, counters: CounterSet) -> CounterSet {
        counters.into_iter().map(|counter| Self::last(image, counter)).collect::<CounterSet>().or(counters)
    }
}

impl Backend for Driver {
    alike!(COUNTERS);
    /// The counter, and the second of a pair.
    type Handle = (CounterId, Option<CounterId>);
    type WayBack = ();

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let (takes, counters) = if is_long(request) { (Takes::Pair, EVEN) } else { (Takes::One, COUNTERS) };
        let bits = Arm::every(request);
        Ok(Demand { ways: [Way { counters, takes, bits, fields: [Field::NOTHING] }, Way::NEVER] })
    }

    fn load(&self, image: &Memory, program: &Program, slots: &[Slot], _running: CounterSet) {
        image.note(program, slots);
        for slot in slots {
            self.0.write(typer(slot.counter), slot.bits);
            if let Some(second) = slot.partner {
                self.0.write(typer(second), CHAIN);
            }
            self.0.write(PMINTENCLR, slot.occupies().bits());
            self.0.write(PMINTENSET, Self::last(image, slot.counter).only().bits());
        }
    }

    fn width(&self, image: &Memory, counter: CounterId) -> Width {
        Width::wrapping(if image.is_paired(counter) { 2 * BITS } else { BITS }).unwrap()
    }

    fn preset(&self, image: &Memory, counter: CounterId, remaining: Remaining) {
        let start = self.width(image, counter).start(remaining);
        self.0.write(count(counter), start % (1 << BITS));
        if image.is_paired(counter) {
            self.0.write(count(Self::last(image, counter)), start >> BITS);
        }
    }

    fn run(&self, image: &Memory, exactly: CounterSet) {
        let enabled = Self::with_seconds(image, exactly);
        self.0.write(PMCNTENCLR, COUNTERS.without(enabled).bits());
        self.0.write(PMCNTENSET, enabled.bits());
        self.0.write(PMCR, ENABLE);
    }

    fn overflowed(&self, image: &Memory, armed: CounterSet) -> CounterSet {
        let status = CounterSet::from_bits(self.0.read(PMOVSCLR));
        armed.into_iter().filter(|counter| status.contains(Self::last(image, *counter))).collect()
    }

    fn acknowledge(&self, image: &Memory, counters: CounterSet) {
        self.0.write(PMOVSCLR, Self::with_seconds(image, counters.and(image.occupied())).bits());
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    fn handle(&self, image: &Memory, counter: CounterId) -> Self::Handle {
        (counter, image.is_paired(counter).then(|| Self::last(image, counter)))
    }

    /// Both halves are of one moment: if the upper one changed meanwhile, the lower is read again.
    fn read(&self, (first, second): Self::Handle) -> u64 {
        let upper = |second| self.0.read(count(second)) << BITS;
        let before = second.map_or(0, upper);
        let low = self.0.read(count(first));
        let after = second.map_or(0, upper);
        after | if before == after { low } else { self.0.read(count(first)) }
    }
}
