//! POWER: one register, MMCR1, selects for every counter, and a part of it is shared. Counters
//! fire half-way through their modulus.
//!
//! Registers: POWER ISA 2.06B book III-S, "Performance Monitor Facility"; MMCR1's fields as in the
//! POWER7 user's manual, "MMCR1 Register".

use crate::demand::{Demand, Field, Way};
use pmu::placement::Register;
use pmu::{Backend, CounterId, CounterSet, Event, Refusal, Remaining, Request, Slot, Width};

use crate::Shape;
use crate::image::{Memory, Program, alike};
use crate::processor::{BITS, Chip, File, Processor};

/// Counters 0 to 3 are PMC1 to PMC4.
const COUNTERS: CounterSet = CounterSet::from_bits(0b1111);
const PMC1: u32 = 787;
const MMCR0: u32 = 795;
const FREEZE: u64 = 1 << 31;
const EXCEPTIONS: u64 = 1 << 26;
static MMCR1: Register = Register::new(798, "MMCR1");
/// TTM0SEL: which of the core's units the events from the bus come from.
const UNIT: u32 = 60;
/// A selector with this bit takes an event from the bus.
const BUS: u64 = 0x80;

fn selector(counter: CounterId) -> u32 {
    24 - 8 * u32::from(counter.number())
}

fn pmc(counter: CounterId) -> u32 {
    PMC1 + u32::from(counter.number())
}

pub(crate) struct Power;

impl Chip for Power {
    fn step(file: &File, happens: &dyn Fn(u64) -> bool) {
        for counter in COUNTERS {
            let event = Self::selected(file, counter).map_or(0, |event| event & 7);
            if file.get(MMCR0) & FREEZE != 0 || !happens(event) {
                continue;
            }
            let negative = || file.get(pmc(counter)) >> (BITS - 1) & 1 != 0;
            let before = negative();
            file.count(pmc(counter), counter, 1);
            if !before && negative() && file.get(MMCR0) & EXCEPTIONS != 0 {
                file.pull();
            }
        }
    }
}

impl Shape for Power {
    type Backend = Driver;

    // Selector, unit << 8, and the one counter that has it << 16.
    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(0x01)),
        Request::new(Event::raw(0x2_0002)),
        Request::new(Event::raw(0x0381)),
        Request::new(Event::raw(0x0482)),
        Request::new(Event::raw(0x4_0483)),
    ];

    fn backend(processor: &'static Processor<Self>) -> Driver {
        Driver(processor)
    }

    fn selected(file: &File, counter: CounterId) -> Option<u64> {
        let mmcr1 = file.get(u32::from(MMCR1.number()));
        let select = mmcr1 >> selector(counter) & 0xFF;
        Some(if select & BUS != 0 { select | mmcr1 >> UNIT << 8 } else { select })
    }

    fn wanted(request: &Request) -> u64 {
        let Event::Raw { code, .. } = request.event else { return 0 };
        code & 0xFFFF
    }

    fn every(request: &Request) -> u64 {
        Self::wanted(request) & 7
    }
}

pub(crate) struct Driver(&'static Processor<Power>);

impl Driver {
    /// MMCR1 if exactly these count; selector 0 counts nothing.
    fn mmcr1(image: &Memory, exactly: CounterSet) -> u64 {
        let selectors = exactly.into_iter().map(|counter| image.control(counter) << selector(counter));
        selectors.fold(image.shared(MMCR1.number()), |word, bits| word | bits)
    }
}

impl Backend for Driver {
    alike!(COUNTERS);
    type Handle = u32;
    type WayBack = ();

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let Event::Raw { code, .. } = request.event else { return Err(Refusal::UnknownEvent) };
        let counters = if code >> 16 == 0 { COUNTERS } else { CounterSet::from_bits(1 << (code >> 16) >> 1) };
        let unit = if code & BUS != 0 { Field::new(&MMCR1, 0xF << UNIT, code >> 8 << UNIT) } else { Field::NOTHING };
        Ok(Demand { ways: [Way::one(counters, code & 0xFF, [unit]), Way::NEVER] })
    }

    fn load(&self, image: &Memory, program: &Program, slots: &[Slot], running: CounterSet) {
        image.note(program, slots);
        self.run(image, running);
    }

    fn width(&self, _image: &Memory, _counter: CounterId) -> Width {
        Width::top_bit(BITS).unwrap()
    }

    fn preset(&self, image: &Memory, counter: CounterId, remaining: Remaining) {
        self.0.write(pmc(counter), self.width(image, counter).start(remaining));
    }

    fn run(&self, image: &Memory, exactly: CounterSet) {
        self.0.write(MMCR0, FREEZE);
        if !exactly.is_empty() {
            self.0.write(u32::from(MMCR1.number()), Self::mmcr1(image, exactly));
            self.0.write(MMCR0, EXCEPTIONS);
        }
    }

    fn overflowed(&self, image: &Memory, armed: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| self.width(image, *counter).past(self.0.read(pmc(*counter))).is_some();
        armed.into_iter().filter(past).collect()
    }

    /// A counter is negative until it is preset, and no other register says so.
    fn acknowledge(&self, _image: &Memory, _counters: CounterSet) {}

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    fn handle(&self, _image: &Memory, counter: CounterId) -> u32 {
        pmc(counter)
    }

    fn read(&self, counter: u32) -> u64 {
        self.0.read(counter)
    }
}
