//! Pentium 4: a counter selects one of the event selectors (ESCRs) that it reaches; counters whose
//! events are alike share one.
//!
//! Registers: Intel SDM vol. 3, "Performance Monitoring (Processors Based on Intel NetBurst
//! Microarchitecture)", tables of counters, CCCRs and ESCRs, and of the events.

use crate::placement::demand::{Demand, Field, Way};
use pmu::driver::placement::Register;
use pmu::driver::{Control, Counter, Counters, Plan, Registers, Remaining, Slot, Word};
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Event, Request};

use crate::shapes::Shape;
use crate::shapes::image::{Memory, Program, alike};
use crate::shapes::processor::{Chip, File, Processor, WIDTH};

/// Counters 0 to 3 are BPU_COUNTER0 to 3, counters 4 to 7 MS_COUNTER0 to 3.
const COUNTERS: CounterSet = CounterSet::from_bits(0xFF);
const COUNTER: u32 = 0x300;
const CCCR: u32 = 0x360;
const ENABLE: u64 = 1 << 12;
const OVF_PMI: u64 = 1 << 26;
const OVF: u64 = 1 << 31;
const ACTIVE_THREAD: u64 = 3 << 16;
const ESCR_SELECT: u32 = 13;
const EVENT_SELECT: u32 = 25;
const EVENT_MASK: u32 = 9;

/// One of the unit's events: on these counters through the first ESCR, and on the two after them
/// through the second.
struct Row {
    event: u64,
    select: u64,
    first: u8,
    escrs: [&'static Register; 2],
}

static ITLB: [Register; 2] = [Register::new(0x3B6, "MSR_ITLB_ESCR0"), Register::new(0x3B7, "MSR_ITLB_ESCR1")];
static FSB: [Register; 2] = [Register::new(0x3A2, "MSR_FSB_ESCR0"), Register::new(0x3A3, "MSR_FSB_ESCR1")];
static TC: [Register; 2] = [Register::new(0x3C4, "MSR_TC_ESCR0"), Register::new(0x3C5, "MSR_TC_ESCR1")];

static EVENTS: [Row; 4] = [
    Row { event: 0x18, select: 3, first: 0, escrs: [&ITLB[0], &ITLB[1]] }, // ITLB_reference
    Row { event: 0x17, select: 6, first: 0, escrs: [&FSB[0], &FSB[1]] },   // FSB_data_activity
    Row { event: 0x13, select: 6, first: 0, escrs: [&FSB[0], &FSB[1]] },   // global_power_events
    Row { event: 0x01, select: 1, first: 4, escrs: [&TC[0], &TC[1]] },     // TC_deliver_mode
];

/// The ESCRs and the counters first: nothing counts before its CCCR is there.
const REGISTERS: [u32; 22] = [
    0x3B6, 0x3B7, 0x3A2, 0x3A3, 0x3C4, 0x3C5, // ESCRs
    0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 0x306, 0x307, // counters
    0x360, 0x361, 0x362, 0x363, 0x364, 0x365, 0x366, 0x367, // CCCRs
];
const ESCRS: usize = 6;

/// The ESCR that a counter reaches by this select: where the manual's tables and the hardware meet.
fn escr(counter: u8, cccr: u64) -> Option<u32> {
    let row = EVENTS.iter().find(|row| row.select == cccr >> ESCR_SELECT & 7 && row.first == counter & 4)?;
    Some(u32::from(row.escrs[usize::from(counter >> 1 & 1)].number()))
}

pub(crate) struct Pentium4;

impl Chip for Pentium4 {
    const IS_NMI: bool = true;

    fn step(file: &File, happens: &dyn Fn(u64) -> bool) {
        for counter in COUNTERS {
            let at = CCCR + u32::from(counter.number());
            let event = Self::selected(file, counter).map_or(0, |escr| escr >> EVENT_MASK & 0xFFFF);
            let counts = file.get(at) & ENABLE != 0 && happens(event);
            if counts && file.count(COUNTER + u32::from(counter.number()), counter, 1) {
                file.set(at, file.get(at) | OVF);
                file.pull();
            }
        }
    }
}

impl Shape for Pentium4 {
    type Driver = Driver;

    const REGISTERS: &'static [u32] = &REGISTERS;

    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(0x18 | 1 << 8)),
        Request::new(Event::raw(0x17 | 1 << 8)),
        Request::new(Event::raw(0x17 | 2 << 8)),
        Request::new(Event::raw(0x13 | 3 << 8)),
        Request::new(Event::raw(0x01 | 1 << 8)),
        Request::new(Event::raw(0x01 | 2 << 8)),
        Request::new(Event::raw(0x01 | 3 << 8)),
    ];

    fn driver(processor: &'static Processor<Self>) -> Driver {
        Driver(processor)
    }

    fn selected(file: &File, counter: CounterId) -> Option<u64> {
        Some(file.get(escr(counter.number(), file.get(CCCR + u32::from(counter.number())))?))
    }

    fn wanted(request: &Request) -> u64 {
        let Event::Raw { code, .. } = request.event else { return 0 };
        (code & 0xFF) << EVENT_SELECT | code >> 8 << EVENT_MASK | 0b1100
    }

    fn every(request: &Request) -> u64 {
        Self::wanted(request) >> EVENT_MASK & 0xFFFF
    }
}

pub(crate) struct Driver(&'static Processor<Pentium4>);

impl Driver {
    fn write_cccr(&self, image: &Memory, counter: CounterId, enable: u64) {
        self.0.write(CCCR + u32::from(counter.number()), image.control(counter) | enable);
    }

    fn halt(&self) {
        COUNTERS.into_iter().for_each(|counter| self.0.write(CCCR + u32::from(counter.number()), 0));
    }

    fn enable(image: &Memory, counter: CounterId) -> u64 {
        if image.running.counters().contains(counter) { ENABLE } else { 0 }
    }
}

impl Plan for Driver {
    alike!(Plan for Pentium4, 0x50_0000_0004, COUNTERS);

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let Event::Raw { code, .. } = request.event else { return Err(Refusal::UnknownEvent) };
        let row = EVENTS.iter().find(|row| row.event == code & 0xFF).ok_or(Refusal::UnknownEvent)?;
        let way = |side: usize| {
            let counters = CounterSet::from_bits(0b11 << row.first << (2 * side));
            let escr = Field::new(row.escrs[side], u64::MAX, Pentium4::wanted(request));
            Way::one(counters, row.select << ESCR_SELECT | ACTIVE_THREAD | OVF_PMI, [escr])
        };
        Ok(Demand { ways: [way(0), way(1)] })
    }

    fn counter(&self, slot: &Slot) -> Counter<u32> {
        let handle = COUNTER + u32::from(slot.counter.number());
        Counter { handle, width: WIDTH, longest: Remaining::events(WIDTH.longest()), user_index: None }
    }
}

impl Counters for Driver {
    alike!(Counters);

    fn run(&self, image: &Memory, exactly: CounterSet) {
        image.running.set(exactly.bits());
        for counter in image.occupied() {
            self.write_cccr(image, counter, Self::enable(image, counter));
        }
    }

    fn read(&self, counter: u32) -> u64 {
        Registers::read(self.0, counter)
    }

    /// Twice: a write may not reach the counter (specification update, erratum N15).
    fn preset(&self, _: &Memory, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = Remaining::events(remaining.count().min(WIDTH.longest()));
        for _ in 0..2 {
            self.0.write(COUNTER + u32::from(counter.number()), WIDTH.start(actual));
        }
        actual
    }

    /// By the counters' values: OVF is in the register that [`Counters::run`] writes, and may be
    /// clear though the interrupt came.
    fn overflowed(&self, _: &Memory, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among {
            if let Some(past) = WIDTH.past(self.read(COUNTER + u32::from(counter.number()))) {
                found(counter, past as i64);
            }
        }
    }

    fn acknowledge(&self, image: &Memory, counters: CounterSet) {
        for counter in counters {
            self.write_cccr(image, counter, Self::enable(image, counter));
        }
    }
}

impl Control for Driver {
    type Saved = [Word; REGISTERS.len()];

    const NOTHING_SAVED: [Word; REGISTERS.len()] = [const { Word::new(0) }; REGISTERS.len()];

    fn load(&self, image: &Memory, program: &Program, slots: &[Slot]) {
        image.note(program, slots);
        for (slot, escr) in slots.iter().zip(program) {
            self.0.write(u32::from(escr.register.number()), escr.value);
            self.write_cccr(image, slot.counter, 0);
        }
    }

    fn release(&self, image: &Memory, counters: CounterSet) {
        image.release(counters);
    }

    fn reload(&self, image: &Memory) {
        self.halt();
        for escr in &REGISTERS[..ESCRS] {
            self.0.write(*escr, image.shared(*escr as u16));
        }
        image.occupied().into_iter().for_each(|counter| self.write_cccr(image, counter, 0));
    }

    fn save(&self, into: &Self::Saved) {
        for (word, at) in into.iter().zip(REGISTERS).rev() {
            word.set(Registers::read(self.0, at));
            self.0.write(at, 0);
        }
    }

    fn restore(&self, from: &Self::Saved) {
        self.halt();
        for (word, at) in from.iter().zip(REGISTERS) {
            self.0.write(at, word.get());
        }
    }
}
