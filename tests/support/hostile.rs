//! A guest that does anything at all: bytes in, accesses out, and after each of them what must
//! always hold of a unit in software, whatever its family. The fuzz targets read this file too.

use std::fmt::Debug;

use pmu::Mode;
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device, Fault, Kind, Work};

use super::choices;
pub(crate) use super::choices::Choices;
pub(crate) use super::line::Line;
use super::put::put;

/// The register at an address, by the manual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Register {
    Absent,
    ReadOnly,
    /// Accepts any value, and keeps these bits.
    Dropping(u64),
    /// Keeps these bits, and faults at others.
    Plain(u64),
    /// Accepts these bits, faults at others, and reads as 0.
    Command(u64),
}

impl Register {
    pub(crate) fn write(self, value: u64) -> Result<(), Fault> {
        match self {
            Self::Absent => Err(Fault::Absent),
            Self::ReadOnly => Err(Fault::ReadOnly),
            Self::Plain(bits) | Self::Command(bits) if value & !bits != 0 => Err(Fault::Reserved),
            _ => Ok(()),
        }
    }

    pub(crate) fn there(present: bool, register: Self) -> Self {
        if present { register } else { Self::Absent }
    }
}

/// What a guest of an x86 unit chooses.
impl Choices<'_> {
    /// Returns mostly a register near one of these, sometimes any.
    fn address(&mut self, near: &[u32]) -> u32 {
        match self.below(16) {
            0 => u32::from(self.byte()) << 8 | u32::from(self.byte()),
            choice => near[usize::from(choice) % near.len()] + u32::from(self.below(12)),
        }
    }

    /// Values near the edges, and few bits at a time: all random ones are nearly always reserved.
    pub(crate) fn value(&mut self) -> u64 {
        match self.below(8) {
            0 => self.word(),
            1 => u64::MAX << self.below(64),
            2 => 1 << self.below(64),
            3 => self.byte().into(),
            4 => u64::from(self.byte()).wrapping_neg(),
            5 => 0x0053_0000 | self.word() & 0xFFFF,
            6 => 0x0043_00C0 | self.word() & 0x0023_0000,
            _ => self.word() & 0xF_0000_00FF,
        }
    }

    fn work(&mut self) -> Work {
        let mode = [Mode::User, Mode::Kernel, Mode::Hypervisor][usize::from(self.below(3))];
        let amount = if self.below(4) == 0 { self.word() } else { self.byte().into() };
        Work::instructions(mode, amount).with(Kind::Branches, self.byte().into()).with(Kind::Slots, self.value())
    }
}

/// A processor whose unit the guests use, and the registers in its manual.
pub(crate) trait Subject: Copy {
    type Unit: Device<Address = Msr, Index = Index, State: Debug>;

    /// The registers are near these.
    const NEAR: &[u32];

    /// One of the processors of its family.
    fn chosen(choice: u8) -> Self;
    /// A new unit, with a line of its own.
    fn unit(&self) -> Self::Unit;
    fn line(unit: &Self::Unit) -> &Line;

    /// What is at this address.
    fn register(&self, address: u32) -> Register;
    /// The bits that a read of it may show.
    fn shows(&self, address: u32) -> u64;
    /// A bit for each counter, as RDPMC numbers them.
    fn counters(&self) -> u64;
    /// Returns true if RDPMC has the Pentium 4's fast reads.
    fn reads_fast(&self) -> bool {
        false
    }
    /// Returns true if every bit of the state is one that its register has.
    fn allows(&self, state: &State<Self>) -> bool;
    /// Returns the state with one modification.
    fn forged(state: State<Self>, choices: &mut Choices) -> State<Self>;
}

type State<S> = <<S as Subject>::Unit as Device>::State;

/// Two units that must not differ: one is used throughout, the other is restored from snapshots.
struct Pair<S: Subject> {
    subject: S,
    unit: S::Unit,
    twin: S::Unit,
}

impl<S: Subject> Pair<S> {
    fn new(subject: S) -> Self {
        Self { subject, unit: subject.unit(), twin: subject.unit() }
    }

    fn step(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0..=5 => self.write(choices.address(S::NEAR), choices.value()),
            6..=8 => self.read(choices.address(S::NEAR)),
            9 => self.read_counter(choices.value() as u32),
            10..=12 => self.advance(&choices.work()),
            13 => self.replace_unit(),
            14 => self.predict(choices.byte().into()),
            15 if choices.below(2) == 0 => self.forge_bytes(choices),
            _ => self.forge(choices),
        }
    }

    fn write(&self, address: u32, value: u64) {
        let register = self.subject.register(address);
        let Some(msr) = Msr::from_address(address) else { return assert_eq!(register, Register::Absent) };
        let before = self.unit.state();
        let outcome = self.unit.try_write(msr, value);
        assert_eq!(outcome, register.write(value), "writing {value:#x} to {msr:?}");
        assert_eq!(outcome, self.twin.try_write(msr, value));
        if outcome.is_err() {
            assert_eq!(self.unit.state(), before, "a fault changed something: {value:#x} to {msr:?}");
        }
    }

    fn read(&self, address: u32) {
        let Some(msr) = Msr::from_address(address) else { return };
        let value = self.unit.try_read(msr);
        assert_eq!(value, self.twin.try_read(msr));
        match self.subject.register(address) {
            Register::Absent => assert_eq!(value, Err(Fault::Absent), "{msr:?}"),
            _ => assert_eq!(value.map(|value| value & !self.subject.shows(address)), Ok(0), "{msr:?}"),
        }
    }

    fn read_counter(&self, ecx: u32) {
        let Some(index) = Index::from_raw(ecx) else { return };
        let there = self.subject.counters() >> index.counter().number() & 1 == 1;
        let there = there && (self.subject.reads_fast() || !index.is_fast());
        let value = self.unit.try_read_counter(index);
        assert_eq!((value.is_ok(), value), (there, self.twin.try_read_counter(index)));
    }

    fn advance(&self, work: &Work) {
        self.unit.advance(work);
        self.twin.advance(work);
    }

    /// Replaces the twin by a new unit with its state, as on another machine.
    fn replace_unit(&mut self) {
        self.twin = self.subject.unit();
        assert_eq!(self.twin.restore(self.unit.snapshot().as_bytes()), Ok(()));
        S::line(&self.unit).go_on_from(S::line(&self.twin));
    }

    /// Checks that the overflow comes at the predicted step, and not before.
    fn predict(&self, instructions: u64) {
        let copy = self.subject.unit();
        assert_eq!(copy.restore(self.unit.snapshot().as_bytes()), Ok(()));
        let step = Work::instructions(Mode::User, instructions);
        let steps = copy.until_overflow(&step).unwrap_or(1 << 20);
        let is_foretold = copy.until_overflow(&step).is_some();
        if steps <= 1 << 50 {
            copy.advance(&Work::instructions(Mode::User, instructions * (steps - 1)));
            assert_eq!(S::line(&copy).rises(), 0, "before step {steps} of {instructions}");
            copy.advance(&step);
            assert_eq!(S::line(&copy).rises() > 0, is_foretold, "at step {steps} of {instructions}");
        }
    }

    /// A modified snapshot is refused, or it is one that the unit could hold.
    fn forge(&self, choices: &mut Choices) {
        let before = self.unit.state();
        let forged = S::forged(before, choices);
        let outcome = put(&self.unit, &forged);
        assert_eq!(outcome, put(&self.twin, &forged));
        assert_eq!(outcome.is_ok(), self.subject.allows(&forged), "{forged:x?}");
        assert_eq!(self.unit.state(), if outcome.is_ok() { forged } else { before });
    }

    /// Bytes that somebody changed are refused, or they are a snapshot that the unit could have made.
    fn forge_bytes(&self, choices: &mut Choices) {
        let before = self.unit.snapshot();
        let mut bytes = before.as_bytes().to_vec();
        let at = usize::from(choices.byte()) << 8 | usize::from(choices.byte());
        match choices.below(4) {
            0 => bytes.truncate(at % bytes.len()),
            1 => bytes.push(choices.byte()),
            _ => {
                let at = at % bytes.len();
                bytes[at] = choices.byte();
            }
        }
        let outcome = self.unit.restore(&bytes);
        assert_eq!(outcome, self.twin.restore(&bytes));
        assert_eq!(self.unit.snapshot().as_bytes(), if outcome.is_ok() { &bytes } else { before.as_bytes() });
    }

    fn check(&self) {
        let state = self.unit.state();
        assert!(self.subject.allows(&state), "a reserved bit is stored: {state:x?}");
        let [rises, others] = [&self.unit, &self.twin].map(|unit| S::line(unit).rises());
        assert_eq!((state, rises), (self.twin.state(), others));
    }
}

/// Makes the accesses that the bytes encode, and returns their number.
pub(crate) fn run<S: Subject>(bytes: &[u8]) -> u64 {
    let mut choices = Choices::new(bytes);
    let mut pair = Pair::new(S::chosen(choices.byte()));
    let mut accesses = 0;
    while !choices.is_empty() {
        pair.step(&mut choices);
        pair.check();
        accesses += 1;
    }
    accesses
}

/// Makes a million random accesses, the same in every run.
pub(crate) fn run_a_million<S: Subject>() {
    choices::a_million(run::<S>);
}
