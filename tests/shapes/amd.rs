//! AMD family 17h: an event that adds more than 15 in one cycle takes an even counter and has the
//! odd one after it merged: together they are one counter, wider by what the odd one holds, and
//! reading the even one reads both.
//!
//! Registers: AMD64 Architecture Programmer's Manual vol. 2, "Performance Monitoring Counters";
//! Processor Programming Reference for family 17h, "Large Increment per Cycle Events".

use crate::demand::{Demand, Field, Way};
use pmu::{Backend, CounterId, CounterSet, Event, Image, Refusal, Remaining, Request, Slot, Width};

use crate::Shape;
use crate::image::{Memory, Program, alike};
use crate::processor::{BITS, Chip, File, Processor};

const COUNTERS: CounterSet = CounterSet::from_bits(0b11_1111);
const EVEN: CounterSet = CounterSet::from_bits(0b01_0101);
const PERF_CTL: u32 = 0xC001_0200;
const INTERRUPT: u64 = 1 << 20;
const ENABLE: u64 = 1 << 22;
const EVENT: u64 = 0xF_0000_00FF;
/// Event 0xFFF, Merge.
const MERGE: u64 = 0xF_0000_00FF;
/// How many bits of the odd counter are the pair's highest.
const HIGH: u32 = 2;
/// Retired SSE and AVX operations: adds 20 each time here, or 15 if no counter is merged.
const LARGE: u64 = 0x03;

fn control(counter: CounterId) -> u32 {
    PERF_CTL + 2 * u32::from(counter.number())
}

fn count(counter: CounterId) -> u32 {
    control(counter) + 1
}

fn next(counter: CounterId) -> CounterId {
    CounterId::new(counter.number() ^ 1).unwrap()
}

pub(crate) struct Amd;

impl Amd {
    fn is_merged(file: &File, counter: CounterId) -> bool {
        EVEN.contains(counter) && file.get(control(next(counter))) & (EVENT | ENABLE) == MERGE | ENABLE
    }
}

impl Chip for Amd {
    fn step(file: &File, happens: &dyn Fn(u64) -> bool) {
        for counter in COUNTERS {
            let select = file.get(control(counter));
            if select & ENABLE == 0 || select & EVENT == MERGE || !happens(select >> 8 & 0xFF) {
                continue;
            }
            let merged = Self::is_merged(file, counter);
            let amount = if select & EVENT != LARGE {
                1
            } else if merged {
                20
            } else {
                15
            };
            let mut wraps = file.count(count(counter), counter, amount);
            if wraps && merged {
                let high = (file.get(count(next(counter))) + 1) % (1 << HIGH);
                file.set(count(next(counter)), high);
                wraps = high == 0;
            }
            if wraps && select & INTERRUPT != 0 {
                file.pull();
            }
        }
    }
}

impl Shape for Amd {
    type Backend = Driver;

    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(0x176)),
        Request::new(Event::raw(0x2C0)),
        Request::new(Event::raw(0x103)),
        Request::new(Event::raw(0x303)),
    ];

    fn backend(processor: &'static Processor<Self>) -> Driver {
        Driver(processor)
    }

    fn selected(file: &File, counter: CounterId) -> Option<u64> {
        Some(file.get(control(counter)) & 0xFFFF | u64::from(Self::is_merged(file, counter)) << 16)
    }

    fn wanted(request: &Request) -> u64 {
        let Event::Raw { code, .. } = request.event else { return 0 };
        code | u64::from(code & 0xFF == LARGE) << 16
    }

    fn every(request: &Request) -> u64 {
        Self::wanted(request) >> 8 & 0xFF
    }

    fn amount(request: &Request) -> u64 {
        if Self::wanted(request) & 0xFF == LARGE { 20 } else { 1 }
    }
}

/// A counter, and whether it reads as a pair.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    counter: CounterId,
    paired: bool,
}

pub(crate) struct Driver(&'static Processor<Amd>);

impl Driver {
    fn write_control(&self, image: &Memory, counter: CounterId, enable: u64) {
        self.0.write(control(counter), image.control(counter) | INTERRUPT | enable);
        if image.is_paired(counter) {
            self.0.write(control(next(counter)), MERGE | enable);
        }
    }
}

impl Backend for Driver {
    alike!(COUNTERS);
    type Handle = Place;
    type WayBack = ();

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let Event::Raw { code, .. } = request.event else { return Err(Refusal::UnknownEvent) };
        let nothing = [Field::NOTHING];
        let large = code & 0xFF == LARGE;
        let way = if large { Way::pair(EVEN, code, nothing) } else { Way::one(COUNTERS, code, nothing) };
        Ok(Demand { ways: [way, Way::NEVER] })
    }

    fn load(&self, image: &Memory, program: &Program, slots: &[Slot], _running: CounterSet) {
        image.note(program, slots);
        for slot in slots {
            self.write_control(image, slot.counter, 0);
        }
    }

    fn width(&self, image: &Memory, counter: CounterId) -> Width {
        Width::wrapping(if image.is_paired(counter) { BITS + HIGH } else { BITS }).unwrap()
    }

    fn preset(&self, image: &Memory, counter: CounterId, remaining: Remaining) {
        let start = self.width(image, counter).start(remaining);
        if image.is_paired(counter) {
            self.0.write(count(next(counter)), start >> BITS);
        }
        self.0.write(count(counter), start % (1 << BITS));
    }

    fn run(&self, image: &Memory, exactly: CounterSet) {
        for counter in image.occupied().without(image.second.counters()) {
            self.write_control(image, counter, if exactly.contains(counter) { ENABLE } else { 0 });
        }
    }

    fn overflowed(&self, image: &Memory, armed: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| {
            let raw = self.read(self.handle(image, *counter));
            self.width(image, *counter).past(raw).is_some()
        };
        armed.without(image.second.counters()).into_iter().filter(past).collect()
    }

    /// There is no status.
    fn acknowledge(&self, _image: &Memory, _counters: CounterSet) {}

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    fn handle(&self, image: &Memory, counter: CounterId) -> Place {
        Place { counter, paired: image.is_paired(counter) }
    }

    fn read(&self, at: Place) -> u64 {
        let low = self.0.read(count(at.counter));
        let high = if at.paired { self.0.file.get(count(next(at.counter))) } else { 0 };
        high << BITS | low
    }
}
