//! UltraSPARC III: one control register for two counters, which share their modes, cannot stop
//! singly, sit in one register, and do not say which of them overflowed.
//!
//! Registers: UltraSPARC III Cu User's Manual, "Performance Instrumentation" (PCR, PIC), and
//! "SOFTINT Register".

use crate::demand::{Demand, Field, Way};
use pmu::placement::Register;
use pmu::{Backend, CounterId, CounterSet, Event, Mode, Refusal, Remaining, Request, Slot, Width};

use crate::Shape;
use crate::image::{Memory, Program, alike};
use crate::processor::{BITS, Chip, File, Processor};

const COUNTERS: CounterSet = CounterSet::from_bits(0b11);
static PCR: Register = Register::new(16, "%pcr");
const PIC: u32 = 17;
const CLEAR_SOFTINT: u32 = 21;
/// %pil, beside the numbers of the ancillary registers.
const PIL: u32 = 0x100;
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

    fn is_masked(file: &File) -> bool {
        file.get(PIL) >= 15
    }
}

impl Shape for UltraSparc {
    type Backend = Driver;

    // Selector, and the one counter that has it << 8.
    const REQUESTS: &'static [Request] = &[
        Request::new(Event::raw(0)),
        Request::new(Event::raw(0)).modes(pmu::Modes::KERNEL),
        Request::new(Event::raw(1)),
        Request::new(Event::raw(0x102)),
        Request::new(Event::raw(0x209)).modes(pmu::Modes::KERNEL),
    ];

    fn backend(processor: &'static Processor<Self>) -> Driver {
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
        let level = self.0.read(PIL);
        self.0.write(PIL, 15);
        self.write_pcr(image, CounterSet::EMPTY);
        act();
        self.write_pcr(image, image.running.counters());
        self.0.write(PIL, level);
    }
}

impl Backend for Driver {
    alike!(COUNTERS);
    type Handle = u32;
    type WayBack = ();

    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
        let Event::Raw { code, .. } = request.event else { return Err(Refusal::UnknownEvent) };
        let counters = if code >> 8 == 0 { COUNTERS } else { CounterSet::from_bits(code >> 8) };
        let modes = Field::new(&PCR, USER | SYSTEM, modes(request));
        Ok(Demand { ways: [Way::one(counters, code & 0x3F, [modes]), Way::NEVER] })
    }

    fn load(&self, image: &Memory, program: &Program, slots: &[Slot], running: CounterSet) {
        image.note(program, slots);
        self.run(image, running);
    }

    fn width(&self, _image: &Memory, _counter: CounterId) -> Width {
        Width::wrapping(BITS).unwrap()
    }

    /// The other counter, in the same register, is halted meanwhile and keeps its value.
    fn preset(&self, image: &Memory, counter: CounterId, remaining: Remaining) {
        let start = self.width(image, counter).start(remaining);
        self.undisturbed(image, || {
            let other = self.0.read(PIC) & !(0xFFFF_FFFF << shift(counter));
            self.0.write(PIC, other | start << shift(counter));
        });
    }

    fn run(&self, image: &Memory, exactly: CounterSet) {
        image.running.set(exactly.bits());
        self.write_pcr(image, exactly);
    }

    fn overflowed(&self, image: &Memory, armed: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| self.width(image, *counter).past(self.read(shift(*counter))).is_some();
        armed.into_iter().filter(past).collect()
    }

    fn acknowledge(&self, _image: &Memory, _counters: CounterSet) {
        self.0.write(CLEAR_SOFTINT, 1 << 15);
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    fn handle(&self, _image: &Memory, counter: CounterId) -> u32 {
        shift(counter)
    }

    fn read(&self, shift: u32) -> u64 {
        self.0.read(PIC) >> shift & 0xFFFF_FFFF
    }
}
