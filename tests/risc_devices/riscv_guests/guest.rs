//! A guest in machine mode that does anything at all to a RISC-V unit: what it finds is what an oracle finds, which was written
//! a second time from the manuals. Or a guest in supervisor mode that calls its firmware with anything. The fuzz target reads
//! this file too.

use pmu::Mode;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Host, NoMemory};
use pmu::arch::riscv::hpm::{Device, Identity};
use pmu::virt::{Device as _, Fault, Kinds, Unconnected, Work};

use crate::support::choices::Choices;

/// Counters 0, 2, and 3 to 6.
const COUNTERS: u32 = 0b111_1101;
/// The interrupt's bit.
const LCOFI: u64 = 1 << 13;
/// Sscofpmf: OF, and what is not counted: machine mode, supervisor mode, user mode, and a guest's two.
const OVERFLOWED: u64 = 1 << 63;
const FILTERS: u64 = 0x1F << 58;
const NOT_MACHINE: u64 = 1 << 62;
const NOT_USER: u64 = 1 << 60;
const EVENT: u64 = (1 << 56) - 1;

/// The unit, as the manuals describe it: each counter has 64 bits.
#[derive(Default)]
struct Oracle {
    is_narrow: bool,
    counters: [u64; 32],
    selects: [u64; 32],
    inhibited: u64,
    readable: u64,
    pending: u64,
    enabled: u64,
}

/// A register, and which half of it.
enum Place<'o> {
    Word(&'o mut u64, u64),
    Half(&'o mut u64, u64, u32),
    ReadOnly(u64),
}

impl<'o> Place<'o> {
    /// A register of 64 bits, or the half of it that is shifted so far.
    fn new(half: Option<u32>, whole: &'o mut u64, mask: u64) -> Self {
        match half {
            Some(shift) => Self::Half(whole, mask, shift),
            None => Self::Word(whole, mask),
        }
    }
}

impl Oracle {
    fn place(&mut self, number: u16) -> Result<Place<'_>, Fault> {
        let index = usize::from(number & 0x1F);
        let has = COUNTERS >> index & 1 == 1;
        let shift = if number & 0x80 != 0 && (0xB00..0xD00).contains(&number) || number >> 5 == 0x39 { 32 } else { 0 };
        if shift == 32 && !self.is_narrow {
            return Err(Fault::Absent);
        }
        let part = self.is_narrow.then_some(shift);
        let fixed = if index < 3 { FILTERS } else { FILTERS | OVERFLOWED | EVENT };
        Ok(match number {
            0xB00..=0xB9F if has => Place::new(part, &mut self.counters[index], u64::MAX),
            0xC00..=0xC9F if has => Place::ReadOnly(self.counters[index] >> shift & self.word()),
            0x320 => Place::Word(&mut self.inhibited, COUNTERS.into()),
            0x321 | 0x721 => Place::new(part, &mut self.selects[0], FILTERS),
            0x322..=0x33F | 0x722..=0x73F if has => Place::new(part, &mut self.selects[index], fixed),
            0x306 => Place::Word(&mut self.readable, COUNTERS.into()),
            0x344 => Place::Word(&mut self.pending, LCOFI),
            0x304 => Place::Word(&mut self.enabled, LCOFI),
            0xDA0 => Place::ReadOnly(self.overflows()),
            0xF11..=0xF13 => Place::ReadOnly(0),
            0xB00..=0xB9F | 0x322..=0x33F | 0x722..=0x73F => Place::Half(&mut self.counters[1], 0, 0),
            0xC00..=0xC9F => Place::ReadOnly(0),
            _ => return Err(Fault::Absent),
        })
    }

    fn word(&self) -> u64 {
        if self.is_narrow { 0xFFFF_FFFF } else { u64::MAX }
    }

    fn overflows(&self) -> u64 {
        (3..32).fold(0, |all, at| all | (self.selects[at] >> 63) << at)
    }

    fn read(&mut self, number: u16) -> Result<u64, Fault> {
        Ok(match self.place(number)? {
            Place::Word(word, _) => *word,
            Place::Half(whole, _, shift) => *whole >> shift & 0xFFFF_FFFF,
            Place::ReadOnly(value) => value,
        })
    }

    fn write(&mut self, number: u16, value: u64) -> Result<(), Fault> {
        match self.place(number)? {
            Place::Word(word, mask) => *word = value & mask,
            Place::Half(whole, mask, shift) => {
                let half = 0xFFFF_FFFF << shift;
                *whole = *whole & !half | (value << shift) & half & mask;
            }
            Place::ReadOnly(_) => return Err(Fault::ReadOnly),
        }
        Ok(())
    }

    /// So many instructions, of a cycle each: the SBI's indices of cycles, instructions and reference cycles.
    fn work(&mut self, mode: Mode, count: u64) {
        let filter = if mode == Mode::User { NOT_USER } else { NOT_MACHINE };
        for at in (0..32).filter(|at| COUNTERS >> at & !self.inhibited as u32 >> at & 1 == 1) {
            let counts = at < 3 || matches!(self.selects[at] & EVENT, 1 | 2 | 10);
            if !counts || self.selects[at] & filter != 0 {
                continue;
            }
            let (sum, wraps) = self.counters[at].overflowing_add(count);
            self.counters[at] = sum;
            if wraps && at >= 3 && self.selects[at] & OVERFLOWED == 0 {
                self.selects[at] |= OVERFLOWED;
                self.pending = LCOFI;
            }
        }
    }
}

/// A unit and its oracle.
struct Pair {
    identity: Identity,
    unit: Device<Unconnected>,
    oracle: Oracle,
}

impl Pair {
    fn new(is_narrow: bool) -> Self {
        let identity = if is_narrow { Identity::RV32 } else { Identity::RV64 }.with_counters(COUNTERS);
        let unit = Device::new(&identity, Kinds::CLOCK, Unconnected);
        Self { identity, unit, oracle: Oracle { is_narrow, ..Oracle::default() } }
    }

    fn act(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0..=3 => self.read(register(choices)),
            4..=10 => self.write(register(choices), choices.below(3), value(choices)),
            11..=14 => self.work(choices),
            _ => self.migrate(),
        }
        let (state, oracle) = (self.unit.state(), &self.oracle);
        assert_eq!((state.counters, state.selects), (oracle.counters, oracle.selects));
        assert_eq!((u64::from(state.inhibited), u64::from(state.readable)), (oracle.inhibited, oracle.readable));
        assert_eq!((state.is_pending, state.is_enabled), (oracle.pending != 0, oracle.enabled != 0));
    }

    fn read(&mut self, number: u16) {
        let Some(at) = Csr::from_number(number) else { return };
        assert_eq!(self.unit.try_read(at), self.oracle.read(number), "{at:?}");
    }

    /// Replaces the register, or sets or clears bits of it.
    fn write(&mut self, number: u16, kind: u8, value: u64) {
        let Some(at) = Csr::from_number(number) else { return };
        let value = value & self.oracle.word();
        let before = self.oracle.read(number).unwrap_or(0);
        let (at, whole) = match kind {
            0 => (at, value),
            1 => (at.setting(), before | value),
            _ => (at.clearing(), before & !value),
        };
        assert_eq!(self.unit.try_write(at, value), self.oracle.write(number, whole), "{at:?} <- {value:#x}");
    }

    fn work(&mut self, choices: &mut Choices) {
        let mode = if choices.below(2) == 0 { Mode::User } else { Mode::Kernel };
        let count = if choices.below(8) == 0 { choices.word() } else { choices.below(20).into() };
        self.unit.advance(&Work::instructions(mode, count));
        self.oracle.work(mode, count);
    }

    fn migrate(&mut self) {
        let there = Device::new(&self.identity, Kinds::CLOCK, Unconnected);
        assert_eq!(there.restore(self.unit.snapshot().as_bytes()), Ok(()));
        self.unit = there;
    }
}

/// Mostly a counter's or one that stops them, sometimes any.
fn register(choices: &mut Choices) -> u16 {
    let counter = u16::from(choices.below(8));
    match choices.below(16) {
        0 | 1 => 0x320,
        2 => 0x306,
        3 => 0x344,
        4 => 0x304,
        5 => 0xDA0,
        6 => choices.word() as u16 & 0xFFF,
        7 => 0xB80 + counter,
        8 => 0x720 + counter,
        9 => 0xC00 + counter,
        10..=12 => 0xB00 + counter,
        _ => 0x320 + counter,
    }
}

/// Values near the edge of a counter or of its half, selections that count, and any.
fn value(choices: &mut Choices) -> u64 {
    match choices.below(8) {
        0 => choices.word(),
        1 | 2 => u64::from(choices.below(20)).wrapping_neg(),
        3 => 0x1_0000_0000 - u64::from(choices.below(20)),
        4 => LCOFI,
        5 => 0,
        _ => u64::from(choices.below(4)) | u64::from(choices.byte()) << 56,
    }
}

/// Calls a firmware with anything, also where its own counters come right behind the clock. It answers, and its snapshot is
/// one that it takes back.
fn call(choices: &mut Choices) {
    let counters = [COUNTERS, 0b101, 0b100, 0b1, 0][choices.below(5) as usize];
    let host = Host::new(&Identity::RV64.with_counters(counters), Kinds::CLOCK, Unconnected);
    let any = |choices: &mut Choices| match choices.below(4) {
        0 => choices.word(),
        1 => 1 << choices.below(64),
        2 => 0xF_0000 | u64::from(choices.below(32)),
        _ => choices.below(64).into(),
    };
    while !choices.is_empty() {
        let function = choices.below(9).into();
        let arguments = [(); 6].map(|()| any(choices));
        let _ = host.call(0x50_4D55, function, arguments, &NoMemory);
        host.advance(&Work::instructions(Mode::Kernel, choices.byte().into()));
    }
    host.restore(host.snapshot().as_bytes()).expect("it is its own");
}

/// Makes the accesses that the bytes encode, and returns their number.
pub(crate) fn run(bytes: &[u8]) -> u64 {
    let mut choices = Choices::new(bytes);
    let kind = choices.below(3);
    if kind == 2 {
        call(&mut choices);
        return 1;
    }
    let mut pair = Pair::new(kind == 1);
    let mut accesses = 0;
    while !choices.is_empty() {
        pair.act(&mut choices);
        accesses += 1;
    }
    accesses
}
