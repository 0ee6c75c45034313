//! A guest that does anything at all to a LoongArch unit: what it finds is what an oracle finds, which was written a second
//! time from the manual, one instruction after the other. The fuzz target reads this file too.

use pmu::Mode;
use pmu::arch::loongarch::Register;
use pmu::arch::loongarch::la64::{Device, Identity};
use pmu::virt::{Device as _, Fault, Kind, Kinds, Work};

use crate::support::choices::Choices;
use crate::support::line::Level;

/// The numbers of counters of the units that guests are given.
const COUNTERS: [u8; 3] = [4, 2, 1];

/// What a guest names: a control and status register, or a word of CPUCFG.
#[derive(Clone, Copy, Debug)]
enum Named {
    Csr(u16),
    Word(u64),
}

/// The unit, as the manual describes it.
struct Oracle {
    identity: Identity,
    number: usize,
    counters: [u64; 4],
    controls: [u64; 4],
}

impl Oracle {
    /// Returns which counter a register is of, and whether it is the counter itself.
    fn place(&self, number: u16) -> Result<(usize, bool), Fault> {
        let (at, is_counter) = (usize::from(number - 0x200) / 2, number % 2 == 1);
        if at < self.number { Ok((at, is_counter)) } else { Err(Fault::Absent) }
    }

    fn read(&self, named: Named) -> Result<u64, Fault> {
        match named {
            Named::Word(0) => Ok(0x14_C010),
            Named::Word(_) => Ok(0x7F03 | (self.number as u64 - 1) << 4),
            Named::Csr(number) => {
                self.place(number).map(|(at, is)| if is { self.counters[at] } else { self.controls[at] })
            }
        }
    }

    /// The event has bits 0 to 9, the levels and PMIEn bits 16 to 20.
    fn write(&mut self, named: Named, value: u64) -> Result<(), Fault> {
        let Named::Csr(number) = named else { return Err(Fault::ReadOnly) };
        match self.place(number)? {
            (at, true) => self.counters[at] = value,
            (at, false) => self.controls[at] = value & 0x1F_03FF,
        }
        Ok(())
    }

    /// Cycles and instructions are events 0 and 1, branches 2.
    fn step(&mut self, mode: Mode, branches: bool) {
        let level = if mode == Mode::User { 19 } else { 16 };
        for (counter, control) in self.counters.iter_mut().zip(self.controls) {
            let is_event = matches!(control & 0x3FF, 0 | 1) || control & 0x3FF == 2 && branches;
            if control >> level & 1 == 1 && is_event {
                *counter = counter.wrapping_add(1);
            }
        }
    }

    /// The level of the line: a counter's top bit and its PMIEn.
    fn is_high(&self) -> bool {
        self.counters.iter().zip(self.controls).any(|(counter, control)| counter >> 63 & control >> 20 & 1 == 1)
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

fn address(named: Named) -> Option<Register> {
    match named {
        Named::Csr(number) => Register::from_number(number),
        Named::Word(number) => Register::from_word(number),
    }
}

impl Pair {
    fn new(number: u8) -> Self {
        let identity = Identity::LOONGSON_3A5000.with_counters(number);
        let unit = Device::new(&identity, OBSERVED, Level::default());
        Self { unit, oracle: Oracle { identity, number: number.into(), counters: [0; 4], controls: [0; 4] } }
    }

    fn act(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0 | 1 => self.read(register(choices)),
            2..=7 => self.write(register(choices), value(choices)),
            8..=11 => self.work(mode(choices), choices.below(20)),
            12 | 13 => self.approach(mode(choices)),
            _ => self.migrate(),
        }
    }

    fn read(&self, named: Named) {
        let Some(at) = address(named) else { return };
        assert_eq!(self.unit.try_read(at), self.oracle.read(named), "{named:?}");
    }

    fn write(&mut self, named: Named, value: u64) {
        let Some(at) = address(named) else { return };
        let before = self.unit.state();
        let outcome = self.unit.try_write(at, value);
        assert_eq!(outcome, self.oracle.write(named, value), "{named:?} <- {value:#x}");
        assert!(outcome.is_ok() || self.unit.state() == before, "a fault changed something");
    }

    /// So many instructions, of which the last is a branch.
    fn work(&mut self, mode: Mode, count: u8) {
        (0..count).rev().for_each(|left| self.step(mode, left == 0));
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
        let there = Device::new(&self.oracle.identity, OBSERVED, Level::default());
        assert_eq!(there.restore(self.unit.snapshot().as_bytes()), Ok(()));
        self.unit = there;
    }

    fn check(&self) {
        assert_eq!(self.unit.trigger().is_high(), self.oracle.is_high(), "the line");
        assert_eq!(self.unit.state().counters, self.oracle.counters);
        assert_eq!(self.unit.state().controls, self.oracle.controls);
    }
}

/// Values near the edges of a counter, configurations that count, and any.
fn value(choices: &mut Choices) -> u64 {
    match choices.below(8) {
        0 => choices.word(),
        1 | 2 => (1 << 63) - u64::from(choices.below(12)),
        3 => u64::MAX - u64::from(choices.below(12)),
        _ => u64::from(choices.below(4)) | u64::from(choices.below(32)) << 16,
    }
}

fn mode(choices: &mut Choices) -> Mode {
    [Mode::User, Mode::Kernel][usize::from(choices.below(2))]
}

/// Mostly a counter or its configuration, sometimes a word of CPUCFG, and sometimes any.
fn register(choices: &mut Choices) -> Named {
    match choices.below(16) {
        0 => Named::Word(choices.below(8).into()),
        1 => Named::Csr(choices.word() as u16),
        _ => Named::Csr(0x200 + u16::from(choices.below(8))),
    }
}

/// Makes the accesses that the bytes encode, and returns their number.
pub(crate) fn run(bytes: &[u8]) -> u64 {
    let mut choices = Choices::new(bytes);
    let mut pair = Pair::new(COUNTERS[usize::from(choices.byte()) % COUNTERS.len()]);
    let mut accesses = 0;
    while !choices.is_empty() {
        pair.act(&mut choices);
        pair.check();
        accesses += 1;
    }
    accesses
}
