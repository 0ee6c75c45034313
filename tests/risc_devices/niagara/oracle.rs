//! Both registers of T1 and T2, written a second time from OpenSPARC's designs (T1: tlu_pib.v; T2: pmu_pct_ctl.v), as
//! numbers, so that a mistake in the library's reading of them shows.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{Device, Identity};
use pmu::virt::Fault;
use pmu::{CounterSet, Mode};

use crate::sparc_guest::{self, Choices, Instruction, Line};

/// A processor, and its registers' contents.
#[derive(Clone, Copy)]
pub(crate) struct Oracle {
    identity: Identity,
    kind: Kind,
    pcr: u64,
    pic: [u32; 2],
    interrupts: u64,
    withdrawals: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    T1,
    /// It writes HT only if it is hyperprivileged.
    T2 {
        is_hyperprivileged: bool,
    },
}

const KERNEL: Kind = Kind::T2 { is_hyperprivileged: false };
const PROCESSORS: [(Identity, Kind); 5] = [
    (Identity::T1, Kind::T1),
    (Identity::T2, KERNEL),
    (Identity::T2_HYPERVISOR, Kind::T2 { is_hyperprivileged: true }),
    (Identity::T2_PLUS, KERNEL),
    (Identity::T3, KERNEL),
];

/// What an event chooses.
enum Choice {
    Nothing,
    Unknown,
    Every,
    Of(&'static [Instruction]),
}

const MISSES: Choice = Choice::Of(&[Instruction::LoadThatMisses]);

/// Bits of T2's %pcr, for pic0 and for pic1: TOE traps, OV has overflowed, HOLDOV keeps it over a write.
const TOE: [u64; 2] = [1 << 4, 1 << 5];
const OV: [u64; 2] = [1 << 18, 1 << 31];
const HOLDOV: [u64; 2] = [1 << 62, 1 << 63];
const HT: u64 = 1 << 3;

impl Oracle {
    /// T1's pic0 has an event of 3 bits, and its pic1 counts instructions. T2's have a group of 4 bits and a mask of 8.
    fn choice(&self, half: usize) -> Choice {
        match (self.kind, half) {
            (Kind::T1, 1) => Choice::Every,
            (Kind::T1, _) if self.pcr >> 4 & 7 == 7 => MISSES,
            (Kind::T1, _) => Choice::Unknown,
            (Kind::T2 { .. }, _) => of_t2(self.pcr >> [6, 19][half] & 0xFFF),
        }
    }

    fn is_enabled(&self, mode: Mode) -> bool {
        match mode {
            Mode::Kernel => self.pcr >> 1 & 1 == 1,
            Mode::User => self.pcr >> 2 & 1 == 1,
            Mode::Hypervisor => self.kind != Kind::T1 && self.pcr >> 3 & 1 == 1,
        }
    }

    fn is_asserted(&self) -> bool {
        self.kind != Kind::T1 && (0..2).any(|half| self.pcr & TOE[half] != 0 && self.pcr & OV[half] != 0)
    }

    /// Makes a change of %pcr, and hears what the line says of it.
    fn change(&mut self, pcr: u64) {
        let before = self.is_asserted();
        self.pcr = pcr;
        self.interrupts += u64::from(!before && self.is_asserted());
        self.withdrawals += u64::from(before && !self.is_asserted());
    }

    fn written(&self, value: u64) -> u64 {
        let Kind::T2 { is_hyperprivileged } = self.kind else { return value & 0x377 };
        let held = (0..2).filter(|&half| value & HOLDOV[half] != 0).fold(0, |bits, half| bits | OV[half]);
        let kept = held | if is_hyperprivileged { 0 } else { HT };
        value & 0xFFFF_FFFF & !kept | self.pcr & kept
    }

    /// Counts an instruction on one counter. Returns its overflow bit if it overflows.
    fn count(&mut self, half: usize, mode: Mode, instruction: Instruction) -> u64 {
        let counts = match self.choice(half) {
            Choice::Every => true,
            Choice::Of(some) => some.contains(&instruction),
            Choice::Nothing | Choice::Unknown => false,
        };
        if !counts || !self.is_enabled(mode) {
            return 0;
        }
        let before = self.pic[half];
        self.pic[half] = before.wrapping_add(1);
        match self.kind {
            _ if !self.overflows(half, before) => 0,
            Kind::T1 => 1 << (8 + half),
            Kind::T2 { .. } => OV[half],
        }
    }

    /// Returns true if this event overflows the counter: on T2 early, if it traps.
    fn overflows(&self, half: usize, before: u32) -> bool {
        let is_early = self.kind != Kind::T1 && self.pcr & TOE[half] != 0;
        before == u32::MAX || is_early && before >= 0xFFFF_FFF0
    }
}

/// Without a mask nothing is counted, but by group 0, which is the cycles without a strand.
fn of_t2(select: u64) -> Choice {
    match select {
        0x000..=0x0FF => Choice::Unknown,
        0x100..=0x1FF => Choice::Nothing,
        _ if select & 0xFF == 0 => Choice::Nothing,
        0x2FD => Choice::Every,
        0x201 => Choice::Of(&[Instruction::Branch, Instruction::TakenBranch]),
        0x202 => Choice::Of(&[Instruction::TakenBranch]),
        0x208 => Choice::Of(&[Instruction::Load, Instruction::LoadFromLastLevel, Instruction::LoadThatMisses]),
        0x210 => Choice::Of(&[Instruction::Store]),
        0x320 => MISSES,
        _ => Choice::Unknown,
    }
}

impl sparc_guest::Oracle for Oracle {
    type Unit = Device<Line>;

    fn chosen(choice: u8) -> Self {
        let (identity, kind) = PROCESSORS[usize::from(choice) % PROCESSORS.len()];
        Self { identity, kind, pcr: 0, pic: [0; 2], interrupts: 0, withdrawals: 0 }
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
        u64::from(self.pic[1]) << 32 | u64::from(self.pic[0])
    }

    fn write(&mut self, at: Asr, value: u64) {
        match at {
            Asr::Pcr => self.change(self.written(value)),
            Asr::Pic => self.pic = [value as u32, (value >> 32) as u32],
        }
    }

    /// T1 interrupts at every overflow, and T2 while OV and TOE of a counter are set.
    fn step(&mut self, mode: Mode, instruction: Instruction) {
        let overflows = self.count(0, mode, instruction) | self.count(1, mode, instruction);
        self.interrupts += u64::from(self.kind == Kind::T1 && overflows != 0);
        self.change(self.pcr | overflows);
    }

    fn heard(&self) -> (u64, u64) {
        (self.interrupts, self.withdrawals)
    }

    fn unfed(&self) -> CounterSet {
        let is_unknown = |half: usize| u64::from(matches!(self.choice(half), Choice::Unknown));
        let runs = [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter().any(|mode| self.is_enabled(mode));
        CounterSet::from_bits(if runs { is_unknown(1) << 1 | is_unknown(0) } else { 0 })
    }

    /// The bits below 64 are T1's event and T2's TOE; the upper four hold or set overflows.
    fn control(choices: &mut Choices) -> u64 {
        const SELECTS: [u64; 9] = [0x2FD, 0x201, 0x202, 0x208, 0x210, 0x320, 0x200, 0x000, 0x304];
        let [first, second] = [(); 2].map(|()| SELECTS[usize::from(choices.below(9))]);
        let (modes, top) = (u64::from(choices.below(64)), u64::from(choices.below(16)));
        let overflows = [OV[0], OV[1], HOLDOV[0], HOLDOV[1]];
        let top =
            overflows.iter().enumerate().filter(|(bit, _)| top >> bit & 1 == 1).fold(0, |set, (_, bit)| set | bit);
        second << 19 | first << 6 | modes | top
    }
}
