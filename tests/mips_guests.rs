//! Guests that do anything at all to a MIPS unit: what they find is what an oracle finds, which was written a second time
//! from the manuals, one instruction after the other.

use std::cell::Cell;

use pmu::Mode;
use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::Device;
use pmu::arch::mips::mipsxx::Identity;
use pmu::arch::mips::mipsxx::device::Thread;
use pmu::virt::{Device as _, Fault, Kind, Kinds, Trigger, Work};
use proptest::prelude::*;

/// What a guest, or its host, does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Read(u8, u8),
    Write(u8, u8, u64),
    /// So many instructions, of which the last is a branch.
    Work(Mode, u8),
    /// To where the device says that an overflow will interrupt.
    Approach(Mode),
    Exception(bool),
    Thread(u8, u8),
    Migrate,
}

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
        identity: Identity::M34K.with_counters(4),
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

/// A line that knows its level.
#[derive(Debug, Default)]
struct Line(Cell<bool>);

impl Trigger for Line {
    fn interrupt(&self) {
        assert!(!self.0.replace(true), "the line is high already");
    }

    fn withdraw(&self) {
        assert!(self.0.replace(false), "the line is low already");
    }
}

/// A unit and its oracle.
struct Pair {
    unit: Device<Line>,
    oracle: Oracle,
}

const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::Branches);

fn one(mode: Mode, branches: bool) -> Work {
    Work::instructions(mode, 1).with(Kind::Branches, branches.into())
}

impl Pair {
    fn new(processor: Processor) -> Self {
        let unit = Device::new(&processor.identity, OBSERVED, Line::default());
        let oracle = Oracle { processor, counters: [0; 4], controls: [0; 4], exception: false, thread: (0, 0) };
        Self { unit, oracle }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Read(number, select) => {
                let Some(at) = Cp0::from_number(number, select) else { return };
                assert_eq!(self.unit.try_read(at), self.oracle.read(number, select), "{at:?}");
            }
            Act::Write(number, select, value) => {
                let Some(at) = Cp0::from_number(number, select) else { return };
                let before = self.unit.state();
                let outcome = self.unit.try_write(at, value);
                assert_eq!(outcome, self.oracle.write(number, select, value), "{at:?} <- {value:#x}");
                assert!(outcome.is_ok() || self.unit.state() == before, "a fault changed something");
            }
            Act::Work(mode, count) => (0..count).rev().for_each(|left| self.step(mode, left == 0)),
            Act::Approach(mode) => self.approach(mode),
            Act::Exception(exception) => {
                self.unit.set_exception(exception);
                self.oracle.exception = exception;
            }
            Act::Thread(vpe, tc) => {
                self.unit.set_thread(Thread { vpe, tc });
                self.oracle.thread = (vpe.into(), tc.into());
            }
            Act::Migrate => self.migrate(),
        }
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
        let there = Device::new(&self.oracle.processor.identity, OBSERVED, Line::default());
        assert_eq!(there.restore(self.unit.snapshot().as_bytes()), Ok(()));
        self.unit = there;
    }

    fn check(&self) {
        assert_eq!(self.unit.trigger().0.get(), self.oracle.is_high(), "the line");
        assert_eq!(self.unit.state().counters, self.oracle.counters);
        assert_eq!(self.unit.state().controls, self.oracle.controls);
    }
}

/// Values near the edges of a counter, and controls that count.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        (0u64..12).prop_map(|left| (1 << 31) - left),
        (0u64..12).prop_map(|left| (1 << 63) - left),
        (0u64..12).prop_map(|left| u64::from(u32::MAX) - left),
        (0u64..16, 0u64..32).prop_map(|(event, modes)| event << 5 | modes),
        (0u64..3, 0u64..32, 0u64..4, 0u64..3, 0u64..3).prop_map(|(event, modes, limit, vpe, tc)| event << 5
            | modes
            | limit << 20
            | vpe << 16
            | tc << 22),
        any::<u64>(),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::User), Just(Mode::Kernel)]
}

fn register() -> impl Strategy<Value = (u8, u8)> {
    prop_oneof![12 => (Just(25), 0u8..8), 1 => Just((15, 0)), 1 => Just((16, 1)), 1 => (any::<u8>(), any::<u8>())]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        2 => register().prop_map(|(number, select)| Act::Read(number, select)),
        6 => (register(), value()).prop_map(|((number, select), value)| Act::Write(number, select, value)),
        3 => (mode(), 0u8..20).prop_map(|(mode, count)| Act::Work(mode, count)),
        2 => mode().prop_map(Act::Approach),
        1 => any::<bool>().prop_map(Act::Exception),
        1 => (0u8..3, 0u8..3).prop_map(|(vpe, tc)| Act::Thread(vpe, tc)),
        1 => Just(Act::Migrate),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_guest_finds_what_the_oracle_finds(which in 0..PROCESSORS.len(), acts in prop::collection::vec(act(), 1..60)) {
        let mut pair = Pair::new(PROCESSORS[which]);
        for act in acts {
            pair.act(act);
            pair.check();
        }
    }
}
