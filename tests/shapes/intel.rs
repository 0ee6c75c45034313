//! Intel: an event may have a fixed counter of its own and any general one; an offcore event takes
//! one of two auxiliary registers, each with its own event code.
//!
//! Registers: Intel SDM vol. 3, "Architectural Performance Monitoring" and "Off-core Response
//! Performance Monitoring"; addresses in vol. 4.

use crate::demand::{Demand, Field, Way};
use pmu::placement::Register;
use pmu::{Backend, CounterId, CounterSet, Event, Image, Refusal, Remaining, Request, Slot, Width};

use crate::Shape;
use crate::image::{Memory, Program, alike};
use crate::processor::{BITS, Chip, File, Processor};

const GENERAL: CounterSet = CounterSet::from_bits(0b1111);
const FIXED: CounterSet = CounterSet::from_bits(0b11 << 32);
const COUNTERS: CounterSet = GENERAL.or(FIXED);
const PMC: u32 = 0xC1;
const PERFEVTSEL: u32 = 0x186;
const FIXED_CTR: u32 = 0x309;
const FIXED_CTRL: u32 = 0x38D;
const GLOBAL_STATUS: u32 = 0x38E;
const GLOBAL_CTRL: u32 = 0x38F;
const GLOBAL_OVF_CTRL: u32 = 0x390;
static OFFCORE: [Register; 2] = [Register::new(0x1A6, "MSR_OFFCORE_RSP_0"), Register::new(0x1A7, "MSR_OFFCORE_RSP_1")];
/// OFF_CORE_RESPONSE_0 and _1.
const RESPONSE: [u64; 2] = [0x1B7, 0x1BB];
/// What the fixed counters count: INST_RETIRED.ANY, CPU_CLK_UNHALTED.THREAD.
const FIXED_EVENTS: [u64; 2] = [0xC0, 0x3C];

fn count(counter: CounterId) -> u32 {
    let number = u32::from(counter.number());
    if number < 32 { PMC + number } else { FIXED_CTR + number - 32 }
}

/// The steps between two events: an instruction each, every other one a cycle, a third a branch.
fn rate(event: u64) -> u64 {
    match event & 0xFFFF {
        0xC0 => 1,
        0x3C => 2,
        0xC4 => 3,
        _ => event >> 16,
    }
}

pub(crate) struct Intel;

impl Chip for Intel {
    fn step(file: &File, happens: &dyn Fn(u64) -> bool) {
        for counter in CounterSet::from_bits(file.get(GLOBAL_CTRL)) {
            let event = Self::selected(file, counter).map_or(0, rate);
            if happens(event) && file.count(count(counter), counter, 1) {
                file.set(GLOBAL_STATUS, file.get(GLOBAL_STATUS) | counter.only().bits());
                file.pull();
            }
        }
    }

    fn write(file: &File, at: u32, value: u64) {
        match at {
            GLOBAL_OVF_CTRL => file.set(GLOBAL_STATUS, file.get(GLOBAL_STATUS) & !value),
            _ => file.set(at, value),
        }
    }
}

impl Shape for Intel {
    type Backend = Driver;

    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(0xC0)),
        Request::new(Event::raw(0x3C)),
        Request::new(Event::raw(0xC4)),
        Request::new(Event::raw_with(0x1B7, 1)),
        Request::new(Event::raw_with(0x1B7, 2)),
        Request::new(Event::raw_with(0x1B7, 3)),
    ];

    fn backend(processor: &'static Processor<Self>) -> Driver {
        Driver(processor)
    }

    fn selected(file: &File, counter: CounterId) -> Option<u64> {
        if FIXED.contains(counter) {
            let number = counter.number() - 32;
            let enabled = file.get(FIXED_CTRL) >> (4 * number) & 3 != 0;
            return enabled.then(|| FIXED_EVENTS[usize::from(number)]);
        }
        let event = file.get(PERFEVTSEL + u32::from(counter.number())) & 0xFFFF;
        match RESPONSE.iter().position(|response| *response == event) {
            Some(side) => Some(RESPONSE[0] | file.get(u32::from(OFFCORE[side].number())) << 16),
            None => Some(event),
        }
    }

    fn wanted(request: &Request) -> u64 {
        let Event::Raw { code, auxiliary } = request.event else { return 0 };
        code | auxiliary << 16
    }

    fn every(request: &Request) -> u64 {
        rate(Self::wanted(request))
    }
}

pub(crate) struct Driver(&'static Processor<Intel>);

impl Backend for Driver {
    alike!(COUNTERS);
    type Handle = u32;
    type WayBack = ();

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let Event::Raw { code, auxiliary } = request.event else { return Err(Refusal::UnknownEvent) };
        let offcore =
            |side: usize| Way::one(GENERAL, RESPONSE[side], [Field::new(&OFFCORE[side], u64::MAX, auxiliary)]);
        if auxiliary != 0 {
            return Ok(Demand { ways: [offcore(0), offcore(1)] });
        }
        let fixed = FIXED_EVENTS.iter().position(|event| *event == code);
        let own = fixed.map_or(CounterSet::EMPTY, |number| CounterSet::from_bits(1 << 32 << number));
        Ok(Demand { ways: [Way::one(own, 0b1011, [Field::NOTHING]), Way::one(GENERAL, code, [Field::NOTHING])] })
    }

    fn load(&self, image: &Memory, program: &Program, slots: &[Slot], _running: CounterSet) {
        image.note(program, slots);
        for (slot, auxiliary) in slots.iter().zip(program) {
            if !auxiliary.is_nothing() {
                self.0.write(u32::from(auxiliary.register.number()), auxiliary.value);
            }
            if GENERAL.contains(slot.counter) {
                self.0.write(PERFEVTSEL + u32::from(slot.counter.number()), slot.bits);
            }
        }
        let fixed = image.occupied().and(FIXED).into_iter();
        let fields = fixed.map(|counter| image.control(counter) << (4 * (counter.number() - 32)));
        self.0.write(FIXED_CTRL, fields.fold(0, |word, field| word | field));
    }

    fn width(&self, _image: &Memory, _counter: CounterId) -> Width {
        Width::wrapping(BITS).unwrap()
    }

    fn preset(&self, image: &Memory, counter: CounterId, remaining: Remaining) {
        self.0.write(count(counter), self.width(image, counter).start(remaining));
    }

    fn run(&self, _image: &Memory, exactly: CounterSet) {
        self.0.write(GLOBAL_CTRL, exactly.bits());
    }

    fn overflowed(&self, _image: &Memory, armed: CounterSet) -> CounterSet {
        armed.and(CounterSet::from_bits(self.0.read(GLOBAL_STATUS)))
    }

    fn acknowledge(&self, _image: &Memory, counters: CounterSet) {
        self.0.write(GLOBAL_OVF_CTRL, counters.bits());
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    fn handle(&self, _image: &Memory, counter: CounterId) -> u32 {
        count(counter)
    }

    fn read(&self, counter: u32) -> u64 {
        self.0.read(counter)
    }
}
