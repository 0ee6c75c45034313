//! Guests that do anything at all: what they find is what an oracle finds, which was written a second time from the
//! sources, one instruction after the other.

use std::cell::Cell;

use pmu::Mode;
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{Device, Identity};
use pmu::virt::{Device as _, Fault, Kind, Kinds, Trigger, Work};
use proptest::prelude::*;

/// What a guest, or its host, does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Read(Asr),
    Write(Asr, u64),
    /// A user program's accesses.
    ReadInProgram(Asr),
    WriteInProgram(Asr, u64),
    /// So many instructions, of which the last is a load.
    Work(Mode, u8),
    /// To where the device says that an overflow will interrupt.
    Approach(Mode),
    Migrate,
}

/// The interrupts of level 15.
#[derive(Debug, Default)]
struct Interrupts(Cell<u64>);

impl Trigger for Interrupts {
    fn interrupt(&self) {
        self.0.set(self.0.get() + 1);
    }
}

/// Both registers, as the processor has them.
struct Oracle {
    identity: Identity,
    /// The bits of %pcr: selectors of 4 bits on I and II, of 6 from III on.
    bits: u64,
    /// From III on a wrap interrupts, and the selectors 14H of pic0 and 1CH of pic1 count nothing.
    is_late: bool,
    pcr: u64,
    pic: u64,
    interrupts: u64,
}

const PROCESSORS: [(Identity, u64, bool); 4] = [
    (Identity::I, 0x78F7, false),
    (Identity::II, 0x78F7, false),
    (Identity::III, 0x1_FBF7, true),
    (Identity::III_I, 0x1_FBF7, true),
];

impl Oracle {
    const fn read(&self, at: Asr) -> u64 {
        match at {
            Asr::Pcr => self.pcr,
            Asr::Pic => self.pic,
        }
    }

    const fn write(&mut self, at: Asr, value: u64) {
        match at {
            Asr::Pcr => self.pcr = value & self.bits,
            Asr::Pic => self.pic = value,
        }
    }

    /// PRIV is bit 0.
    fn in_program(&self, at: Asr) -> Result<(), Fault> {
        if at == Asr::Pic && self.pcr & 1 == 0 { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }

    /// Cycles are 0 and instructions 1 of both; references of the data cache that read are 9 of pic0.
    fn step(&mut self, mode: Mode, loads: bool) {
        let enabled = match mode {
            Mode::User => self.pcr >> 2 & 1 == 1,
            Mode::Kernel => self.pcr >> 1 & 1 == 1,
            Mode::Hypervisor => false,
        };
        let selects = [self.pcr >> 4 & 0x3F, self.pcr >> 11 & 0x3F];
        let mut halves = [self.pic as u32, (self.pic >> 32) as u32];
        let mut has_wrapped = false;
        for (at, half) in halves.iter_mut().enumerate() {
            let counts = selects[at] < 2 || at == 0 && selects[at] == 9 && loads;
            if enabled && counts {
                *half = half.wrapping_add(1);
                has_wrapped |= *half == 0;
            }
        }
        self.pic = u64::from(halves[1]) << 32 | u64::from(halves[0]);
        self.interrupts += u64::from(has_wrapped && self.is_late);
    }
}

struct Pair {
    unit: Device<Interrupts>,
    oracle: Oracle,
}

const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::Loads);

fn one(mode: Mode, loads: bool) -> Work {
    Work::instructions(mode, 1).with(Kind::Loads, loads.into())
}

impl Pair {
    fn new((identity, bits, is_late): (Identity, u64, bool)) -> Self {
        let unit = Device::new(&identity, OBSERVED, Interrupts::default());
        Self { unit, oracle: Oracle { identity, bits, is_late, pcr: 0, pic: 0, interrupts: 0 } }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Read(at) => assert_eq!(self.unit.try_read(at), Ok(self.oracle.read(at)), "{at:?}"),
            Act::Write(at, value) => {
                assert_eq!(self.unit.try_write(at, value), Ok(()));
                self.oracle.write(at, value);
            }
            Act::ReadInProgram(at) => {
                let expected = self.oracle.in_program(at).map(|()| self.oracle.read(at));
                assert_eq!(self.unit.problem().try_read(at), expected, "{at:?}");
            }
            Act::WriteInProgram(at, value) => {
                let expected = self.oracle.in_program(at);
                assert_eq!(self.unit.problem().try_write(at, value), expected, "{at:?} <- {value:#x}");
                if expected.is_ok() {
                    self.oracle.write(at, value);
                }
            }
            Act::Work(mode, count) => (0..count).rev().for_each(|left| self.step(mode, left == 0)),
            Act::Approach(mode) => self.approach(mode),
            Act::Migrate => self.migrate(),
        }
    }

    fn step(&mut self, mode: Mode, loads: bool) {
        self.unit.advance(&one(mode, loads));
        self.oracle.step(mode, loads);
    }

    /// The device foretells in how many instructions it interrupts: not before, and not later.
    fn approach(&mut self, mode: Mode) {
        let Some(steps) = self.unit.until_overflow(&one(mode, false)).filter(|&steps| steps <= 40) else { return };
        let before = self.oracle.interrupts;
        for left in (0..steps).rev() {
            assert_eq!(self.unit.until_overflow(&one(mode, false)), Some(left + 1));
            self.step(mode, false);
            assert_eq!(self.oracle.interrupts > before, left == 0);
        }
    }

    fn migrate(&mut self) {
        let there = Device::new(&self.oracle.identity, OBSERVED, Interrupts::default());
        assert_eq!(there.restore(self.unit.snapshot().as_bytes()), Ok(()));
        there.trigger().0.set(self.unit.trigger().0.get());
        self.unit = there;
    }

    fn check(&self) {
        let state = self.unit.state();
        let counters = [self.oracle.pic & 0xFFFF_FFFF, self.oracle.pic >> 32];
        assert_eq!((state.control, state.counters), (self.oracle.pcr, counters));
        assert_eq!(self.unit.trigger().0.get(), self.oracle.interrupts);
    }
}

/// Values near the wraps of both halves, and controls that count.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        (1u64..12, 1u64..12).prop_map(|(high, low)| ((1 << 32) - high) << 32 | ((1 << 32) - low)),
        (0u64..12, 0u64..12, 0u64..8).prop_map(|(first, second, modes)| second << 11 | first << 4 | modes),
        (0u64..8).prop_map(|modes| 0x1C << 11 | 0x14 << 4 | modes),
        any::<u64>(),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::User), Just(Mode::Kernel), Just(Mode::Hypervisor)]
}

fn register() -> impl Strategy<Value = Asr> {
    prop_oneof![Just(Asr::Pcr), Just(Asr::Pic)]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        1 => register().prop_map(Act::Read),
        6 => (register(), value()).prop_map(|(at, value)| Act::Write(at, value)),
        1 => register().prop_map(Act::ReadInProgram),
        1 => (register(), value()).prop_map(|(at, value)| Act::WriteInProgram(at, value)),
        3 => (mode(), 0u8..20).prop_map(|(mode, count)| Act::Work(mode, count)),
        2 => mode().prop_map(Act::Approach),
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
