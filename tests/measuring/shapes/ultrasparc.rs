//! UltraSPARC III: one control register for two counters, which share their modes, cannot stop
//! singly, sit in one register, and do not say which of them overflowed.
//!
//! Registers: UltraSPARC III Cu User's Manual, "Performance Instrumentation" (PCR, PIC), and
//! "SOFTINT Register".

use crate::placement::demand::{Demand, Field, Way};
use pmu::driver::placement::Register;
use pmu::driver::{Control, Counter, Counters, Plan, Registers, Remaining, Slot, Word};
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Event, Mode, Request};

use crate::shapes::Shape;
use crate::shapes::image::{Memory, Program, alike};
use crate::shapes::processor::{Chip, File, Processor, WIDTH};

const COUNTERS: CounterSet = CounterSet::from_bits(0b11);
static PCR: Register = Register::new(16, "%pcr");
const PIC: u32 = 17;
const CLEAR_SOFTINT: u32 = 21;
const SYSTEM: u64 = 1 << 1;
const USER: u64 = 1 << 2;
/// PCR.SL and PCR.SU.
const SELECT: [u32; 2] = [4, 11];
/// What counts nothing while no program marks it (SW_count0, SW_count1): a parked counter.
const PARKED: [u64; 2] = [0x14, 0x1C];

fn index(counter: CounterId) -> usize {
    usize::from(counter.number() & 1)
}

fn shift(counter: CounterId) -> u32 {
    32 * u32::from(counter.number())
}

pub(crate) struct UltraSparc;

impl Chip for UltraSparc {
    /// Level 15, which %pil masks.
    const IS_NMI: bool = false;

    fn step(file: &File, happens: &dyn Fn(u64) -> bool) {
        for counter in COUNTERS {
            let selected = Self::selected(file, counter).unwrap_or(0);
            let parked = selected & 0x3F == PARKED[index(counter)];
            let counts = selected >> 8 & SYSTEM != 0 && !parked && happens((selected & 0x3F) + 1);
            if counts && file.count_at(PIC, shift(counter), counter, 1) {
                file.pull();
            }
        }
    }
}

impl Shape for UltraSparc {
    type Driver = Driver;

    const REGISTERS: &'static [u32] = &[16, PIC];

    // Selector, and the one counter that has it << 8.
    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(0)),
        Request::new(Event::raw(0)).modes(pmu::Modes::KERNEL),
        Request::new(Event::raw(1)),
        Request::new(Event::raw(0x102)),
        Request::new(Event::raw(0x209)).modes(pmu::Modes::KERNEL),
    ];

    fn driver(processor: &'static Processor<Self>) -> Driver {
        Driver(processor)
    }

    fn selected(file: &File, counter: CounterId) -> Option<u64> {
        let pcr = file.get(u32::from(PCR.number()));
        Some(pcr >> SELECT[index(counter)] & 0x3F | (pcr & (USER | SYSTEM)) << 8)
    }

    fn wanted(request: &Request) -> u64 {
        let Event::Raw { code, .. } = request.event else { return 0 };
        code & 0x3F | modes(request) << 8
    }

    fn every(request: &Request) -> u64 {
        (Self::wanted(request) & 0x3F) + 1
    }
}

fn modes(request: &Request) -> u64 {
    let flag = |mode, flag| if request.modes.contains(mode) { flag } else { 0 };
    flag(Mode::User, USER) | flag(Mode::Kernel, SYSTEM)
}

pub(crate) struct Driver(&'static Processor<UltraSparc>);

impl Driver {
    fn write_pcr(&self, image: &Memory, exactly: CounterSet) {
        let select = |counter| if exactly.contains(counter) { image.control(counter) } else { PARKED[index(counter)] };
        let selectors = COUNTERS.into_iter().fold(0, |pcr, counter| pcr | select(counter) << SELECT[index(counter)]);
        let modes = if exactly.is_empty() { 0 } else { image.shared(PCR.number()) };
        self.0.write(u32::from(PCR.number()), selectors | modes);
    }

    /// Does something that no overflow may interrupt, with both counters halted.
    fn undisturbed(&self, image: &Memory, act: impl FnOnce()) {
        let before = self.0.mask();
        self.write_pcr(image, CounterSet::EMPTY);
        act();
        self.write_pcr(image, image.running.counters());
        self.0.unmask(before);
    }
}

impl Plan for Driver {
    alike!(Plan for UltraSparc, 0x3000_0000_0003, COUNTERS);

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let Event::Raw { code, .. } = request.event else { return Err(Refusal::UnknownEvent) };
        let counters = if code >> 8 == 0 { COUNTERS } else { CounterSet::from_bits(code >> 8) };
        let modes = Field::new(&PCR, USER | SYSTEM, modes(request));
        Ok(Demand { ways: [Way::one(counters, code & 0x3F, [modes]), Way::NEVER] })
    }

    fn counter(&self, slot: &Slot) -> Counter<u32> {
        let longest = Remaining::events(WIDTH.longest());
        Counter { handle: shift(slot.counter), width: WIDTH, longest, user_index: None }
    }
}

impl Counters for Driver {
    alike!(Counters);

    fn run(&self, image: &Memory, exactly: CounterSet) {
        image.running.set(exactly.bits());
        self.write_pcr(image, exactly);
    }

    fn read(&self, shift: u32) -> u64 {
        Registers::read(self.0, PIC) >> shift & 0xFFFF_FFFF
    }

    /// The other counter, in the same register, is halted meanwhile and keeps its value.
    fn preset(&self, image: &Memory, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = Remaining::events(remaining.count().min(WIDTH.longest()));
        self.undisturbed(image, || {
            let other = Registers::read(self.0, PIC) & !(0xFFFF_FFFF << shift(counter));
            self.0.write(PIC, other | WIDTH.start(actual) << shift(counter));
        });
        actual
    }

    fn overflowed(&self, _: &Memory, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among {
            if let Some(past) = WIDTH.past(self.read(shift(counter))) {
                found(counter, past as i64);
            }
        }
    }

    fn acknowledge(&self, _: &Memory, _: CounterSet) {
        self.0.write(CLEAR_SOFTINT, 1 << 15);
    }
}

impl Control for Driver {
    /// PCR, PIC.
    type Saved = [Word; 2];

    const NOTHING_SAVED: [Word; 2] = [const { Word::new(0) }; 2];

    /// Only noted: PCR is written as a whole, and with it what counts.
    fn load(&self, image: &Memory, program: &Program, slots: &[Slot]) {
        image.note(program, slots);
    }

    fn release(&self, image: &Memory, counters: CounterSet) {
        image.release(counters);
    }

    fn reload(&self, image: &Memory) {
        self.run(image, CounterSet::EMPTY);
        self.acknowledge(image, COUNTERS);
    }

    fn save(&self, [pcr, pic]: &Self::Saved) {
        pcr.set(Registers::read(self.0, u32::from(PCR.number())));
        self.0.write(u32::from(PCR.number()), 0);
        pic.set(Registers::read(self.0, PIC));
        self.0.write(CLEAR_SOFTINT, 1 << 15);
    }

    fn restore(&self, [pcr, pic]: &Self::Saved) {
        self.0.write(u32::from(PCR.number()), 0);
        self.0.write(PIC, pic.get());
        self.0.write(u32::from(PCR.number()), pcr.get());
    }
}
