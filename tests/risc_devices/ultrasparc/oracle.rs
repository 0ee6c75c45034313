//! Both registers of UltraSPARC I to IV+, written a second time from libpfm4's tables and illumos-gate's us234_pcbe.c, as
//! numbers, so that a mistake in the library's reading of them shows.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{Device, Identity};
use pmu::virt::Fault;
use pmu::{CounterSet, Mode};

use crate::sparc_guest::{self, Choices, Instruction, Line};

/// A processor, and its registers' contents.
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
    generation: Generation,
    pcr: u64,
    pic: u64,
    interrupts: u64,
}

/// Selectors have 4 bits on I and II, which do not interrupt, and 6 from III on. IV+ has numbers of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Generation {
    Two,
    Three,
    FourPlus,
}

const PROCESSORS: [(Identity, Generation); 5] = [
    (Identity::I, Generation::Two),
    (Identity::II, Generation::Two),
    (Identity::III, Generation::Three),
    (Identity::III_I, Generation::Three),
    (Identity::IV_PLUS, Generation::FourPlus),
];

/// What a selector chooses.
enum Choice {
    Nothing,
    Unknown,
    Every,
    Of(&'static [Instruction]),
}

const LOADS: Choice = Choice::Of(&[Instruction::Load, Instruction::LoadFromLastLevel, Instruction::LoadThatMisses]);
const REFERENCES: Choice = Choice::Of(&[Instruction::LoadFromLastLevel, Instruction::LoadThatMisses]);
const HITS: Choice = Choice::Of(&[Instruction::LoadFromLastLevel]);
const MISSES: Choice = Choice::Of(&[Instruction::LoadThatMisses]);
const STORES: Choice = Choice::Of(&[Instruction::Store]);
const TAKEN: Choice = Choice::Of(&[Instruction::TakenBranch]);

impl Oracle {
    fn select(&self, half: usize) -> u64 {
        self.pcr >> [4, 11][half] & 0x3F
    }

    /// Cycles are 0 and instructions 1 of both. 14H and 1CH are the events of software.
    fn choice(&self, half: usize) -> Choice {
        match (self.generation, half, self.select(half)) {
            (_, _, 0 | 1) => Choice::Every,
            (_, 0, 0x09) => LOADS,
            (Generation::Two | Generation::Three, 0, 0x0A) | (Generation::FourPlus, 1, 0x03) => STORES,
            (Generation::Two | Generation::Three, 0, 0x0C) => REFERENCES,
            (Generation::Two, 1, 0x0C) => HITS,
            (Generation::Three, 1, 0x0C) | (Generation::FourPlus, 1, 0x31) => MISSES,
            (Generation::Three, 0, 0x16) | (Generation::FourPlus, 1, 0x1E) => TAKEN,
            (Generation::Three | Generation::FourPlus, 0, 0x14) => Choice::Nothing,
            (Generation::Three | Generation::FourPlus, 1, 0x1C) => Choice::Nothing,
            _ => Choice::Unknown,
        }
    }
}

impl sparc_guest::Oracle for Oracle {
    type Unit = Device<Line>;

    fn chosen(choice: u8) -> Self {
        let (identity, generation) = PROCESSORS[usize::from(choice) % PROCESSORS.len()];
        Self { identity, generation, pcr: 0, pic: 0, interrupts: 0 }
    }

    fn unit(&self) -> Device<Line> {
        Device::new(&self.identity, Instruction::observed(), Line::default())
    }

    fn line(unit: &Device<Line>) -> &Line {
        unit.trigger()
    }

    fn access_in_program(unit: &Device<Line>, at: Asr, value: Option<u64>) -> Result<u64, Fault> {
        match value {
            None => unit.read_from(Mode::User, at),
            Some(value) => unit.write_from(Mode::User, at, value).map(|()| value),
        }
    }

    fn pcr(&self) -> u64 {
        self.pcr
    }

    fn pic(&self) -> u64 {
        self.pic
    }

    fn write(&mut self, at: Asr, value: u64) {
        let bits = if self.generation == Generation::Two { 0x78F7 } else { 0x1_FBF7 };
        match at {
            Asr::Pcr => self.pcr = value & bits,
            Asr::Pic => self.pic = value,
        }
    }

    /// ST is bit 1, and UT bit 2. The hypervisor is none of either.
    fn step(&mut self, mode: Mode, instruction: Instruction) {
        let enabled = match mode {
            Mode::User => self.pcr >> 2 & 1 == 1,
            Mode::Kernel => self.pcr >> 1 & 1 == 1,
            Mode::Hypervisor => false,
        };
        let mut halves = [self.pic as u32, (self.pic >> 32) as u32];
        let mut has_wrapped = false;
        for (at, half) in halves.iter_mut().enumerate() {
            let counts = match self.choice(at) {
                Choice::Every => true,
                Choice::Of(some) => some.contains(&instruction),
                Choice::Nothing | Choice::Unknown => false,
            };
            *half = half.wrapping_add(u32::from(enabled && counts));
            has_wrapped |= enabled && counts && *half == 0;
        }
        self.pic = u64::from(halves[1]) << 32 | u64::from(halves[0]);
        self.interrupts += u64::from(has_wrapped && self.generation != Generation::Two);
    }

    fn heard(&self) -> (u64, u64) {
        (self.interrupts, 0)
    }

    fn unfed(&self) -> CounterSet {
        let is_unknown = |half: usize| u64::from(matches!(self.choice(half), Choice::Unknown));
        let runs = self.pcr >> 1 & 0b11 != 0;
        CounterSet::from_bits(if runs { is_unknown(1) << 1 | is_unknown(0) } else { 0 })
    }

    fn control(choices: &mut Choices) -> u64 {
        const FIRST: [u64; 7] = [0, 1, 0x09, 0x0A, 0x0C, 0x14, 0x16];
        const SECOND: [u64; 7] = [0, 1, 0x03, 0x0C, 0x1C, 0x1E, 0x31];
        let [first, second] = [FIRST, SECOND].map(|selects| selects[usize::from(choices.below(7))]);
        second << 11 | first << 4 | u64::from(choices.below(8))
    }
}
