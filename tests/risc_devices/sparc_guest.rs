//! Guests of SPARC's units that do anything at all: what they find is what an oracle finds, which was written a second
//! time from the sources, one instruction after the other. The fuzz targets read this file too.

use pmu::arch::sparc::{Asr, Half};
use pmu::virt::{Device, Fault, Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

pub(crate) use crate::support::choices::Choices;
pub(crate) use crate::support::line::Line;

/// What one instruction does beside being retired in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    Other,
    Load,
    /// It refers to the last-level cache.
    LoadFromLastLevel,
    LoadThatMisses,
    Store,
    Branch,
    TakenBranch,
}

impl Instruction {
    const ALL: [Self; 7] = [
        Self::Other,
        Self::Load,
        Self::LoadFromLastLevel,
        Self::LoadThatMisses,
        Self::Store,
        Self::Branch,
        Self::TakenBranch,
    ];

    fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Other => &[],
            Self::Load => &[Kind::Loads],
            Self::LoadFromLastLevel => &[Kind::Loads, Kind::CacheReferences],
            Self::LoadThatMisses => &[Kind::Loads, Kind::CacheReferences, Kind::CacheMisses],
            Self::Store => &[Kind::Stores],
            Self::Branch => &[Kind::Branches],
            Self::TakenBranch => &[Kind::Branches, Kind::TakenBranches],
        }
    }

    fn work(self, mode: Mode) -> Work {
        self.kinds().iter().fold(Work::instructions(mode, 1), |work, &kind| work.with(kind, 1))
    }

    /// What a host observes that knows all of these.
    pub(crate) fn observed() -> Kinds {
        Self::ALL.into_iter().flat_map(Self::kinds).fold(Kinds::CLOCK, |kinds, &kind| kinds.with(kind))
    }
}

/// Both registers and the interrupt, as the sources have them.
pub(crate) trait Oracle {
    type Unit: Device<Address = Asr, Index = Half>;

    /// One of the processors of its family.
    fn chosen(choice: u8) -> Self;
    /// A new unit, with a line of its own.
    fn unit(&self) -> Self::Unit;
    fn line(unit: &Self::Unit) -> &Line;
    /// A user program's read, or its write of this value.
    fn access_in_program(unit: &Self::Unit, at: Asr, value: Option<u64>) -> Result<u64, Fault>;

    fn pcr(&self) -> u64;
    fn pic(&self) -> u64;
    fn write(&mut self, at: Asr, value: u64);
    fn step(&mut self, mode: Mode, instruction: Instruction);
    /// How often the interrupt rose and fell.
    fn heard(&self) -> (u64, u64);
    /// The counters that count something which no host observes.
    fn unfed(&self) -> CounterSet;

    /// Values that are of interest in %pcr.
    fn control(choices: &mut Choices) -> u64;
}

struct Pair<O: Oracle> {
    unit: O::Unit,
    oracle: O,
}

impl<O: Oracle> Pair<O> {
    fn act(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0 => self.read(register(choices)),
            1..=6 => self.write(register(choices), value::<O>(choices)),
            7 => self.read_in_program(register(choices)),
            8 => self.write_in_program(register(choices), value::<O>(choices)),
            9..=12 => self.work(mode(choices), choices),
            13 | 14 => self.approach(mode(choices)),
            _ => self.migrate(),
        }
    }

    fn register(&self, at: Asr) -> u64 {
        match at {
            Asr::Pcr => self.oracle.pcr(),
            Asr::Pic => self.oracle.pic(),
        }
    }

    fn read(&self, at: Asr) {
        assert_eq!(self.unit.try_read(at), Ok(self.register(at)), "{at:?}");
    }

    fn write(&mut self, at: Asr, value: u64) {
        assert_eq!(self.unit.try_write(at, value), Ok(()));
        self.oracle.write(at, value);
    }

    /// PRIV is bit 0. A program never accesses %pcr.
    fn permitted(&self, at: Asr) -> Result<(), Fault> {
        let is_open = at == Asr::Pic && self.oracle.pcr() & 1 == 0;
        if is_open { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }

    fn read_in_program(&self, at: Asr) {
        let expected = self.permitted(at).map(|()| self.register(at));
        assert_eq!(O::access_in_program(&self.unit, at, None), expected, "{at:?}");
    }

    fn write_in_program(&mut self, at: Asr, value: u64) {
        let permitted = self.permitted(at);
        let outcome = O::access_in_program(&self.unit, at, Some(value));
        assert_eq!(outcome.map(|_| ()), permitted, "{at:?} <- {value:#x}");
        if permitted.is_ok() {
            self.oracle.write(at, value);
        }
    }

    fn work(&mut self, mode: Mode, choices: &mut Choices) {
        for _ in 0..choices.below(20) {
            self.step(mode, Instruction::ALL[usize::from(choices.below(6))]);
        }
    }

    fn step(&mut self, mode: Mode, instruction: Instruction) {
        self.unit.advance(&instruction.work(mode));
        self.oracle.step(mode, instruction);
    }

    /// The device foretells in how many instructions it interrupts: not before, and not later.
    fn approach(&mut self, mode: Mode) {
        let step = Instruction::Other.work(mode);
        let Some(steps) = self.unit.until_overflow(&step).filter(|&steps| steps <= 40) else { return };
        let (before, _) = self.oracle.heard();
        for left in (0..steps).rev() {
            assert_eq!(self.unit.until_overflow(&step), Some(left + 1));
            self.step(mode, Instruction::Other);
            assert_eq!(self.oracle.heard().0 > before, left == 0);
        }
    }

    fn migrate(&mut self) {
        let there = self.oracle.unit();
        assert_eq!(there.restore(self.unit.snapshot().as_bytes()), Ok(()));
        O::line(&there).go_on_from(O::line(&self.unit));
        self.unit = there;
    }

    fn check(&self) {
        [Asr::Pcr, Asr::Pic].into_iter().for_each(|at| self.read(at));
        let line = O::line(&self.unit);
        assert_eq!((line.rises(), line.falls()), self.oracle.heard());
        assert_eq!(self.unit.unfed(), self.oracle.unfed());
    }
}

fn register(choices: &mut Choices) -> Asr {
    [Asr::Pcr, Asr::Pic][usize::from(choices.below(2))]
}

fn mode(choices: &mut Choices) -> Mode {
    [Mode::User, Mode::Kernel, Mode::Hypervisor][usize::from(choices.below(3))]
}

/// Values near the wraps of both halves, controls that count, and any.
fn value<O: Oracle>(choices: &mut Choices) -> u64 {
    match choices.below(8) {
        0 => choices.word(),
        1..=4 => O::control(choices),
        _ => {
            let [high, low] = [(); 2].map(|()| (1 << 32) - 1 - u64::from(choices.below(24)));
            high << 32 | low
        }
    }
}

/// Makes the accesses that the bytes encode, and returns their number.
pub(crate) fn run<O: Oracle>(bytes: &[u8]) -> u64 {
    let mut choices = Choices::new(bytes);
    let oracle = O::chosen(choices.byte());
    let mut pair = Pair { unit: oracle.unit(), oracle };
    let mut accesses = 0;
    while !choices.is_empty() {
        pair.act(&mut choices);
        pair.check();
        accesses += 1;
    }
    accesses
}
