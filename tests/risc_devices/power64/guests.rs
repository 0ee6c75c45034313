//! Random guests, compared with the oracle. Whatever a guest does, the unit sets no reserved bit and does not
//! panic.

use pmu::arch::powerpc::ProcessorState;
use pmu::arch::powerpc::Spr;
use pmu::virt::{Device as _, Kind, Work};
use pmu::{CounterSet, Mode};
use proptest::prelude::*;

use super::oracle::{Doing, Oracle, POWER5, POWER6, POWER9};
use super::{CC56RUN, FC1_4WAIT, FCECE, FCM0, FCP, FCPC, FCS, PMAE, PMC1CE, PMCJCE, TRIGGER, Unit, unit};
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::powerpc::book3s::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

#[derive(Clone, Debug)]
enum Act {
    /// Selectors that select something, of eight counters; bits of MMCR0; how far counters are from being
    /// negative.
    SetUp([u8; 8], u64, u8),
    Write(u16, u64),
    Read(u16),
    ProblemWrite(u16, u64),
    ProblemRead(u16),
    Step(Mode, bool),
    Batch(Mode, u8),
    Stand {
        marked: bool,
        running: bool,
        address: u64,
        datum: Option<u64>,
    },
    ReplaceUnit,
    Predict(Mode, u8),
    Forge(u8, u64),
}

fn number() -> impl Strategy<Value = u16> {
    prop_oneof![8 => 784u16..=798, 2 => 768u16..=782, 1 => 752u16..=754, 1 => 736u16..=738]
}

/// Values that select something, stand at an edge, or have few bits.
fn value() -> impl Strategy<Value = u64> {
    let selector = prop::sample::select(vec![0u64, 2, 0x1E, 0xF0, 0xFE, 0xF4, 0xFA, 0x68, 0x0A, 0x60, 0x5E]);
    let selects =
        prop::collection::vec(selector, 4).prop_map(|four| four.into_iter().fold(0, |word, one| word << 8 | one));
    let edge = (0u64..8).prop_map(|back| (1u64 << 31).wrapping_sub(back));
    let control =
        prop::collection::vec(0u32..32, 0..6).prop_map(|bits| bits.into_iter().fold(0, |word, bit| word | 1 << bit));
    prop_oneof![
        3 => selects,
        4 => edge,
        3 => control,
        1 => Just((1u64 << 32) - 1),
        1 => Just(0x0000_051E_u64 | 0x0900),
        1 => Just(0x0A46_F18C_u64),
        1 => any::<u64>(),
        1 => (0u32..64).prop_map(|bit| 1u64 << bit),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(vec![Mode::User, Mode::Kernel, Mode::Hypervisor])
}

fn act() -> impl Strategy<Value = Act> {
    let bits = prop::sample::select(vec![0, PMC1CE, PMCJCE, FCECE, TRIGGER, FC1_4WAIT, CC56RUN, FCPC, FCP, FCS, FCM0]);
    let control = (bits.clone(), bits.clone(), bits).prop_map(|(a, b, c)| a | b | c | PMAE);
    prop_oneof![
        4 => (any::<[u8; 8]>(), control, 1u8..6).prop_map(|(s, c, back)| Act::SetUp(s, c, back)),
        // MMCR0 and MMCR1 and the counters are where most of it happens.
        8 => (prop::sample::select(vec![795u16, 798, 787, 788, 790, 791, 785]), value()).prop_map(|(n, v)| Act::Write(n, v)),
        3 => (number(), value()).prop_map(|(n, v)| Act::Write(n, v)),
        2 => number().prop_map(Act::Read),
        2 => (number(), value()).prop_map(|(n, v)| Act::ProblemWrite(n, v)),
        2 => number().prop_map(Act::ProblemRead),
        8 => (mode(), any::<bool>()).prop_map(|(m, b)| Act::Step(m, b)),
        3 => (mode(), any::<u8>()).prop_map(|(m, n)| Act::Batch(m, n)),
        2 => (any::<bool>(), any::<bool>(), any::<u64>(), any::<Option<u64>>())
            .prop_map(|(marked, running, address, datum)| Act::Stand { marked, running, address, datum }),
        1 => Just(Act::ReplaceUnit),
        2 => (mode(), any::<u8>()).prop_map(|(m, n)| Act::Predict(m, n)),
        1 => (any::<u8>(), value()).prop_map(|(field, v)| Act::Forge(field, v)),
    ]
}

/// The unit, and what it must be like.
struct Pair {
    unit: Unit,
    oracle: Oracle,
    /// How often the line rose before the unit was made anew.
    risen: u64,
}

impl Pair {
    fn new(processor: usize) -> Self {
        let oracle = Oracle::new(processor);
        Self { unit: unit(&oracle.identity()), oracle, risen: 0 }
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::SetUp(choices, control, back) => self.set_up(choices, control, back),
            Act::Write(number, value) => self.write(number, value),
            Act::Read(number) => self.read(number),
            Act::ProblemWrite(number, value) => self.problem_write(number, value),
            Act::ProblemRead(number) => {
                let Some(at) = Spr::from_number(number) else { return };
                assert_eq!(self.unit.read_from(Mode::User, at), self.oracle.problem_read(number), "{at:?}");
            }
            Act::Step(mode, branches) => self.step(Doing { mode, branches }, 1),
            Act::Batch(mode, count) => self.batch(mode, count.into()),
            Act::Stand { marked, running, address, datum } => self.stand(marked, running, address, datum),
            Act::ReplaceUnit => self.replace_unit(),
            Act::Predict(mode, count) => self.predict(mode, count.into()),
            Act::Forge(field, value) => self.forge(field, value),
        }
    }

    /// Counters that count something, near the value that makes them negative.
    fn set_up(&mut self, choices: [u8; 8], control: u64, back: u8) {
        let (mmcr0, mmcr1) = words(self.oracle.processor, choices);
        self.write(795, super::FC);
        self.write(798, mmcr1);
        for number in 787..795 {
            self.write(number, (1 << 31) - u64::from(back) - u64::from(choices[usize::from(number - 787)] & 1));
        }
        self.write(795, control & !0x1F1E | mmcr0 | if self.oracle.processor >= POWER5 { control } else { 0 });
    }

    fn write(&mut self, number: u16, value: u64) {
        let Some(at) = Spr::from_number(number) else { return };
        let before = self.unit.state();
        let outcome = self.unit.try_write(at, value);
        assert_eq!(outcome, self.oracle.write(number, value), "writing {value:#x} to {at:?}");
        assert!(outcome.is_ok() || self.unit.state() == before, "a fault changed something");
    }

    fn problem_write(&mut self, number: u16, value: u64) {
        let Some(at) = Spr::from_number(number) else { return };
        let before = self.unit.state();
        let outcome = self.unit.write_from(Mode::User, at, value);
        assert_eq!(outcome, self.oracle.problem_write(number, value), "writing {value:#x} to {at:?}");
        assert!(outcome.is_ok() || self.unit.state() == before, "a fault changed something");
    }

    fn read(&mut self, number: u16) {
        let Some(at) = Spr::from_number(number) else { return };
        assert_eq!(self.unit.try_read(at), self.oracle.read(number), "{at:?}");
        let is_counter = matches!(number | 16, 787..=794);
        let fast = self.unit.try_read_counter(at);
        assert_eq!(fast.is_ok(), is_counter && self.oracle.bits(number).is_some(), "{at:?}");
    }

    fn step(&mut self, doing: Doing, count: u64) {
        let branches = if doing.branches { count } else { 0 };
        self.unit.advance(&Work::instructions(doing.mode, count).with(Kind::Branches, branches));
        (0..count).for_each(|_| self.oracle.step(doing));
    }

    /// Many instructions at once, no further than to where something follows.
    fn batch(&mut self, mode: Mode, count: u64) {
        let next = self.unit.until_overflow(&Work::instructions(mode, 1));
        self.step(Doing { mode, branches: false }, next.unwrap_or(count).min(count));
    }

    fn stand(&mut self, marked: bool, running: bool, address: u64, datum: Option<u64>) {
        let mut context = ProcessorState::default();
        (context.instruction, context.datum) = (address, datum);
        (context.marked, context.running) = (marked, running);
        self.unit.set_processor(context);
        (self.oracle.marked, self.oracle.run) = (marked, running);
        (self.oracle.address, self.oracle.datum) = (address, datum);
    }

    /// It continues as a new unit, on another machine as it were.
    fn replace_unit(&mut self) {
        self.risen += self.unit.trigger().rises();
        let up = self.unit.trigger().is_high();
        let copy = self.copy();
        copy.trigger().hold(up);
        self.unit = copy;
    }

    fn copy(&self) -> Unit {
        let copy = unit(&self.oracle.identity());
        assert_eq!(copy.restore(self.unit.snapshot().as_bytes()), Ok(()));
        copy.trigger().hold(self.unit.trigger().is_high());
        copy
    }

    /// What follows from an overflow follows at the step that was foretold, and not before.
    fn predict(&self, mode: Mode, instructions: u64) {
        let copy = self.copy();
        let (step, before) = (Work::instructions(mode, instructions), copy.state().control);
        let foretold = copy.until_overflow(&step);
        let steps = foretold.unwrap_or(1 << 20);
        copy.advance(&Work::instructions(mode, instructions * (steps - 1)));
        assert_eq!(copy.state().control, before, "before step {steps} of {instructions}");
        copy.advance(&step);
        let changed = copy.state().control != before;
        assert_eq!(changed, foretold.is_some(), "at step {steps} of {instructions}");
    }

    /// A snapshot that somebody tampered with is refused, or it is one that the unit could hold.
    fn forge(&self, field: u8, value: u64) {
        let copy = self.copy();
        let before = copy.state();
        let forged = tampered(before, field, value);
        let outcome = put(&copy, &forged);
        assert_eq!(copy.state(), if outcome.is_ok() { forged } else { before });
        assert!(outcome.is_err() || self.allows(&forged), "{forged:x?}");
        assert!(copy.unfed().bits() < 256 && copy.until_overflow(&Work::instructions(Mode::User, 1)) != Some(0));
    }

    /// Is every bit of the state one that its register has?
    fn allows(&self, state: &State) -> bool {
        let fits = |number: u16, value: u64| value & !self.oracle.bits(number).unwrap_or(0) == 0;
        (787..).zip(state.counters).all(|(number, value)| fits(number, value))
            && [784, 752, 753].into_iter().zip(state.sampled).all(|(number, value)| fits(number, value))
            && [(795, state.control), (798, state.selects), (785, state.freezes), (754, state.sources)]
                .into_iter()
                .all(|(number, value)| fits(number, value))
    }

    fn check(&mut self) {
        let state = self.unit.state();
        assert_eq!(state.counters, self.oracle.pmc.map(u64::from));
        assert_eq!([state.control, state.selects, state.freezes, state.sources], self.oracle.mmcr);
        assert_eq!((state.marks, state.sampled), (self.oracle.mmcra, self.oracle.sier));
        assert_eq!((state.instruction, state.datum), (self.oracle.siar, self.oracle.sdar));
        assert_eq!(self.risen + self.unit.trigger().rises(), self.oracle.rises, "the line rose");
        let observed = CounterSet::first(self.oracle.counters() as u8);
        assert!(observed.covers(self.unit.unfed()));
    }
}

/// MMCR0's and MMCR1's selectors, which count something on this processor.
fn words(processor: usize, choices: [u8; 8]) -> (u64, u64) {
    let chosen = |from: &[u64], n: usize| from[usize::from(choices[n] >> 1) % from.len()];
    if processor < POWER5 {
        let five = |n| chosen(&[0x07, 0x09, 0x0F, 0x0D, 0x05], n);
        return (five(0) << 8 | five(1) << 1, (2..8).fold(0, |word, n| word | five(n) << (27 - 5 * (n - 2))));
    }
    if processor < POWER6 {
        return (0, (0..4).fold(0, |word, n| word | chosen(&[0x0F, 0x09, 0x05], n) << (25 - 8 * n)));
    }
    let eight = |n| chosen(&[0x02, 0x1E, 0x02, 0x1E, 0xF0, 0xFE, 0xF4, 0xFA, 0x68, 0x0A, 0x60, 0x5E, 0xF2], n);
    let upper = chosen(&[0, 0, 0, 0xD << 48, 1 << 34, 1 << 36, 1 << 37], 4);
    (0, (0..4).fold(upper, |word, n| word | eight(n) << (24 - 8 * n)))
}

fn tampered(mut state: State, field: u8, value: u64) -> State {
    let number = usize::from(field >> 4);
    match field & 7 {
        0 => state.counters[number & 7] = value,
        1 => state.control = value,
        2 => state.selects = value,
        3 => state.freezes = value,
        4 => state.sources = value,
        5 => state.sampled[number % 3] = value,
        6 => state.marks = value,
        _ => state.ticks = value,
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_guest_finds_what_the_architecture_says(processor in 0usize..9, acts in prop::collection::vec(act(), 0..80)) {
        let mut pair = Pair::new(processor);
        for act in &acts {
            pair.act(act);
            pair.check();
        }
    }
}

#[test]
fn an_oracle_that_knew_less_would_be_found_out() {
    let mut pair = Pair::new(POWER9);
    pair.write(798, 0x0200_0000);
    pair.write(795, 0);
    pair.unit.advance(&Work::instructions(Mode::User, 1));
    let differs = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pair.check()));
    assert!(differs.is_err(), "the unit has counted and the oracle has not");
}
