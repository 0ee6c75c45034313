//! A guest that does anything at all to a MIPS unit: what it finds is what an oracle finds, which was written a second time
//! from the manuals, one instruction after the other. The fuzz target reads this file too.

use pmu::Mode;
use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::Device;
use pmu::arch::mips::mipsxx::Identity;
use pmu::arch::mips::mipsxx::Thread;
use pmu::virt::{Device as _, Fault, Kind, Kinds, Work};

use crate::support::choices::Choices;
use crate::support::line::Level;

/// A processor by its manual.
#[derive(Clone, Copy)]
struct Processor {
    identity: Identity,
    prid: u64,
    config1: Option<u64>,
    counters: usize,
    /// The width of a counter.
    bits: u32,
    /// The bits of a control that can be written.
    writable: u32,
    /// The events of instructions, on even and odd counters.
    instructions: [u32; 2],
    /// The event of branches on even counters.
    branches: u32,
}

/// Event fields of 4, 6, 7 and 4 bits behind EXL, K, S, U and IE; those of 34K select threads in bits 16 to 29.
const PROCESSORS: [Processor; 4] = [
    Processor {
        identity: Identity::R10000,
        prid: 0x0934,
        config1: None,
        counters: 2,
        bits: 32,
        writable: 0x1FF,
        instructions: [15, 1],
        branches: 6,
    },
    Processor {
        identity: Identity::M24K,
        prid: 0x0001_9300,
        config1: Some(0x10),
        counters: 2,
        bits: 32,
        writable: 0x7FF,
        instructions: [1, 1],
        branches: 2,
    },
    Processor {
        identity: Identity::M34K,
        prid: 0x0001_9500,
        config1: Some(0x10),
        counters: 4,
        bits: 32,
        writable: 0x3FFF_0FFF,
        instructions: [1, 1],
        branches: 2,
    },
    Processor {
        identity: Identity::M5K.wide(),
        prid: 0x0001_8100,
        config1: Some(0x10),
        counters: 2,
        bits: 64,
        writable: 0x1FF,
        instructions: [15, 1],
        branches: 6,
    },
];

/// The unit, as the manuals describe it.
struct Oracle {
    processor: Processor,
    counters: [u64; 4],
    controls: [u32; 4],
    exception: bool,
    thread: (u32, u32),
}

impl Oracle {
    const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.processor.bits)
    }

    fn read(&self, number: u8, select: u8) -> Result<u64, Fault> {
        let at = usize::from(select / 2);
        match number {
            15 => Ok(self.processor.prid),
            16 => self.processor.config1.ok_or(Fault::Absent),
            _ if at >= self.processor.counters => Err(Fault::Absent),
            _ if select % 2 == 1 => Ok(self.counters[at]),
            _ => {
                let says = self.processor.config1.is_some();
                let wide = u64::from(says && self.processor.bits == 64) << 30;
                let more = u64::from(says && at + 1 < self.processor.counters) << 31;
                Ok(u64::from(self.controls[at]) | wide | more)
            }
        }
    }

    fn write(&mut self, number: u8, select: u8, value: u64) -> Result<(), Fault> {
        self.read(number, select)?;
        let at = usize::from(select / 2);
        match number {
            15 | 16 => return Err(Fault::ReadOnly),
            _ if select % 2 == 1 => self.counters[at] = value & self.mask(),
            _ => self.controls[at] = value as u32 & self.processor.writable,
        }
        Ok(())
    }

    fn step(&mut self, mode: Mode, branches: bool) {
        for at in 0..self.processor.counters {
            let control = self.controls[at];
            let bit = match mode {
                Mode::User => 3,
                _ if self.exception => 0,
                _ => 1,
            };
            let is_thread = match control >> 20 & 3 {
                0 => true,
                1 => control >> 16 & 0xF == self.thread.0,
                2 => control >> 22 & 0xFF == self.thread.1,
                _ => false,
            };
            let event = control >> 5 & 0x3FF & (self.processor.writable >> 5 & 0x7F);
            let is_event = event == 0
                || event == self.processor.instructions[at % 2]
                || at % 2 == 0 && event == self.processor.branches && branches;
            if control >> bit & 1 == 1 && is_thread && is_event {
                self.counters[at] = self.counters[at].wrapping_add(1) & self.mask();
            }
        }
    }

    /// The level of the line: a counter's top bit and its IE.
    fn is_high(&self) -> bool {
        let top = self.processor.bits - 1;
        let counters = self.counters.iter().zip(self.controls).take(self.processor.counters);
        counters.into_iter().any(|(counter, control)| counter >> top & control as u64 >> 4 & 1 == 1)
    }
}

/// A unit and its oracle.
struct Pair {
    unit: Device<Level>,
    oracle: Oracle,
}

const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::Branches);

fn one(mode: Mode, branches: bool) -> Work {
    Work::instructions(mode, 1).with(Kind::Branches, branches.into())
}

impl Pair {
    fn new(processor: Processor) -> Self {
        let unit = Device::new(&processor.identity, OBSERVED, Level::default());
        let oracle = Oracle { processor, counters: [0; 4], controls: [0; 4], exception: false, thread: (0, 0) };
        Self { unit, oracle }
    }

    fn act(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0 | 1 => self.read(register(choices)),
            2..=7 => self.write(register(choices), value(choices)),
            8..=10 => self.work(mode(choices), choices.below(20)),
            11 | 12 => self.approach(mode(choices)),
            13 => self.set_exception(choices.below(2) == 1),
            14 => self.set_thread(choices.below(3), choices.below(3)),
            _ => self.migrate(),
        }
    }

    fn read(&self, (number, select): (u8, u8)) {
        let Some(at) = Cp0::from_number(number, select) else { return };
        assert_eq!(self.unit.try_read(at), self.oracle.read(number, select), "{at:?}");
    }

    fn write(&mut self, (number, select): (u8, u8), value: u64) {
        let Some(at) = Cp0::from_number(number, select) else { return };
        let before = self.unit.state();
        let outcome = self.unit.try_write(at, value);
        assert_eq!(outcome, self.oracle.write(number, select, value), "{at:?} <- {value:#x}");
        assert!(outcome.is_ok() || self.unit.state() == before, "a fault changed something");
    }

    /// So many instructions, of which the last is a branch.
    fn work(&mut self, mode: Mode, count: u8) {
        (0..count).rev().for_each(|left| self.step(mode, left == 0));
    }

    fn set_exception(&mut self, exception: bool) {
        self.unit.set_exception(exception);
        self.oracle.exception = exception;
    }

    fn set_thread(&mut self, vpe: u8, tc: u8) {
        self.unit.set_thread(Thread { vpe, tc });
        self.oracle.thread = (vpe.into(), tc.into());
    }

    fn step(&mut self, mode: Mode, branches: bool) {
        self.unit.advance(&one(mode, branches));
        self.oracle.step(mode, branches);
    }

    /// The device foretells in how many instructions it interrupts: not before, and not later.
    fn approach(&mut self, mode: Mode) {
        let Some(steps) = self.unit.until_overflow(&one(mode, false)).filter(|&steps| steps <= 40) else { return };
        for left in (0..steps).rev() {
            assert_eq!(self.unit.until_overflow(&one(mode, false)), Some(left + 1));
            self.step(mode, false);
            assert_eq!(self.oracle.is_high(), left == 0);
        }
    }

    fn migrate(&mut self) {
        let there = Device::new(&self.oracle.processor.identity, OBSERVED, Level::default());
        assert_eq!(there.restore(self.unit.snapshot().as_bytes()), Ok(()));
        self.unit = there;
    }

    fn check(&self) {
        assert_eq!(self.unit.trigger().is_high(), self.oracle.is_high(), "the line");
        assert_eq!(self.unit.state().counters, self.oracle.counters);
        assert_eq!(self.unit.state().controls, self.oracle.controls);
    }
}

/// Values near the edges of a counter, controls that count, those that choose a thread, and any.
fn value(choices: &mut Choices) -> u64 {
    match choices.below(8) {
        0 => choices.word(),
        1 => (1 << 31) - u64::from(choices.below(12)),
        2 => (1 << 32) - 1 - u64::from(choices.below(12)),
        3 => (1 << 63) - u64::from(choices.below(12)),
        4 | 5 => control(choices),
        _ => {
            let [limit, vpe, tc] = [4, 3, 3].map(|end| u64::from(choices.below(end)));
            control(choices) | limit << 20 | vpe << 16 | tc << 22
        }
    }
}

/// An event above the modes, EXL and IE.
fn control(choices: &mut Choices) -> u64 {
    u64::from(choices.below(16)) << 5 | u64::from(choices.below(32))
}

fn mode(choices: &mut Choices) -> Mode {
    [Mode::User, Mode::Kernel][usize::from(choices.below(2))]
}

/// Mostly a counter or its control, sometimes PRId or Config1, and sometimes any.
fn register(choices: &mut Choices) -> (u8, u8) {
    match choices.below(16) {
        0 => (15, 0),
        1 => (16, 1),
        2 => (choices.byte(), choices.byte()),
        _ => (25, choices.below(8)),
    }
}

/// Makes the accesses that the bytes encode, and returns their number.
pub(crate) fn run(bytes: &[u8]) -> u64 {
    let mut choices = Choices::new(bytes);
    let mut pair = Pair::new(PROCESSORS[usize::from(choices.byte()) % PROCESSORS.len()]);
    let mut accesses = 0;
    while !choices.is_empty() {
        pair.act(&mut choices);
        pair.check();
        accesses += 1;
    }
    accesses
}
