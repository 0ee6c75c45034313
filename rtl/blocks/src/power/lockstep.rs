//! Our device of Microwatt's unit beside the unit: the same accesses and events to both, at random by a fixed seed.
//!
//! Each value that is read and the interrupt must be equal. What the unit does otherwise is here, with the place in pmu.vhdl:
//!
//! 1. *An effect comes a cycle later.* `pmu_1` tests the counters as they were before the clock's edge, so that a negative counter
//!    alerts, freezes or ends TRIGGER at the end of the next cycle, which is counted by the old rules. The device carries out the
//!    effects of what it is told at the end of all of it: it is told of both cycles together ([`Pair::present`], [`Pair::write`]).
//! 2. *FCECE waits for TRIGGER.* `pmu_1` tests TRIGGER as it was, so that the freeze comes a cycle after the end of TRIGGER. A
//!    sentence of its own shows it, and what is random never has both.
//! 3. *Reserved bits are kept.* `pmu_1` keeps bits of MMCR0 and MMCR2 that the architecture reserves. The device drops them. The
//!    same: a sentence of its own.
//! 4. *The time base* is not in the device (its documentation says so), and stands still here.

use std::path::Path;

use fastrand::Rng;
use pmu::arch::powerpc::book3s::{Device, Freeze, Identity, Mmcr0};
use pmu::arch::powerpc::{ProcessorState, Spr};
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{CounterId, Mode};

use super::{COUNTERS, INSTRUCTION, RUNS, registers};
use crate::Sentence;
use crate::block::Block;
use crate::effort;

/// The accesses and windows of the random run, whole and in short.
const STEPS: [u64; 2] = [100_000, 15_000];
const SEED: u64 = 45;

const DATUM: u64 = 1 << 21;
const PROBLEM: u64 = 1 << 24;
const MARKED: u64 = 1 << 25;
/// The wires of events.
const EVENTS: u64 = (1 << 21) - 1;

/// The kinds of work that wires tell of, for the device.
const KINDS: [(u32, Kind); 5] = [
    (3, Kind::Instructions),
    (5, Kind::Loads),
    (6, Kind::Stores),
    (7, Kind::TakenBranches),
    (8, Kind::MispredictedBranches),
];

/// The other events, of which the device is told for the counter that selects one: counter, selector, wire.
const OTHERS: [(u8, u64, u32); 17] = [
    (0, 0xF4, 4),
    (0, 0xF6, 10),
    (0, 0xF8, 0),
    (1, 0xF2, 1),
    (1, 0xF6, 18),
    (1, 0xF8, 2),
    (1, 0xFC, 12),
    (1, 0xFE, 13),
    (2, 0xF0, 16),
    (2, 0xF2, 1),
    (2, 0xF6, 15),
    (2, 0xFE, 17),
    (3, 0xF0, 14),
    (3, 0xF2, 1),
    (3, 0xF8, 9),
    (3, 0xFC, 11),
    (3, 0xFE, 19),
];

/// What a sentence does with the block.
type Run = fn(&Path);

/// Returns the sentences.
pub fn sentences(program: &Path) -> Vec<Sentence> {
    let all: [(&str, Run); 4] = [
        ("the_device_and_the_unit_agree_on_random_accesses_and_events", random),
        ("an_effect_comes_a_cycle_after_its_counter_is_negative", effects_are_late),
        ("the_freeze_on_a_condition_comes_a_cycle_after_the_end_of_trigger", freezes_after_trigger),
        ("reserved_bits_are_kept", reserved_bits),
    ];
    let boxed = all.map(|(name, sentence)| {
        let program = program.to_owned();
        let run: Box<dyn FnOnce() + std::panic::UnwindSafe> = Box::new(move || sentence(&program));
        (name.to_owned(), run)
    });
    boxed.into()
}

/// The unit and the device.
struct Pair {
    block: Block,
    device: Device<Unconnected>,
}

impl Pair {
    fn new(program: &Path) -> Self {
        let block = Block::start(program);
        registers().for_each(|at| block.write(at.number(), if at == Spr::MMCR0 { Mmcr0::FREEZE.bits() } else { 0 }));
        let kinds = KINDS.iter().fold(Kinds::NONE.with(Kind::Cycles), |kinds, &(_, kind)| kinds.with(kind));
        Self { block, device: Device::new(&Identity::MICROWATT, kinds, Unconnected) }
    }

    fn ours(&self, at: Spr) -> u64 {
        self.device.try_read(at).expect("the identity has the register")
    }

    fn set(&self, at: Spr, value: u64) {
        self.device.try_write(at, value).expect("the identity has the register");
    }

    /// Returns the events of which the device is told for a counter, with their wires.
    fn told_apart(&self, wires: u64) -> impl Iterator<Item = CounterId> {
        let selects = self.ours(Spr::MMCR1);
        let meant = move |&(counter, select, wire): &(u8, u64, u32)| {
            selects >> (24 - 8 * u32::from(counter)) & 0xFF == select && wires >> wire & 1 == 1
        };
        OTHERS.into_iter().filter(meant).filter_map(|(counter, ..)| CounterId::new(counter))
    }

    /// Returns after how many cycles with these wires a counter has an effect.
    fn until_effect(&self, wires: u64) -> Option<u64> {
        self.stand(wires, 0);
        let apart = self.told_apart(wires).filter_map(|id| self.device.until_overflow_of(id, mode(wires)));
        apart.chain(self.device.until_overflow(&work(wires, 1))).min()
    }

    /// Sets the device's processor as it is at the end of so many further cycles.
    fn stand(&self, wires: u64, cycles: u64) {
        let mut state = ProcessorState::default();
        state.instruction = (self.block.cycles() + cycles).wrapping_sub(1);
        state.datum = (wires & DATUM != 0).then_some(!state.instruction);
        state.marked = wires & MARKED != 0;
        state.running = wires & RUNS != 0;
        self.device.set_processor(state);
    }

    /// Lets cycles with these wires pass, not more than to the first effect: that comes a cycle after its counter is negative.
    fn present(&self, wires: u64, cycles: u64) {
        let first = self.until_effect(wires).filter(|&first| first <= cycles);
        let apart: Vec<_> = self.told_apart(wires).collect();
        if first.is_some() && !apart.is_empty() && wires & PROBLEM != 0 {
            // The device would sample supervisor state, in which the effect comes by a write below.
            return self.present(wires & !PROBLEM, cycles);
        }
        let cycles = first.map_or(cycles, |first| first + 1);
        self.stand(wires, cycles);
        if apart.is_empty() {
            self.device.advance(&work(wires, cycles));
        } else {
            self.in_order(|| {
                let (first, others): (Vec<_>, Vec<_>) = apart.iter().partition(|&&id| id == CounterId::ZERO);
                others.into_iter().for_each(|id| self.device.feed(id, mode(wires), cycles));
                self.device.advance(&work(wires, cycles));
                first.into_iter().for_each(|id| self.device.feed(id, mode(wires), cycles));
            });
        }
        assert_eq!(self.block.present(wires, cycles), cycles, "an interrupt comes before its time");
    }

    /// Does what is counted by the old rules, before the effects.
    fn in_order(&self, counted: impl FnOnce()) {
        let control = self.ours(Spr::MMCR0);
        self.set(Spr::MMCR0, without_effects(control));
        counted();
        self.set(Spr::MMCR0, control);
    }

    /// Writes a register, and lets a cycle pass, at the end of which the effects come. The processor waits meanwhile, so that PMC1
    /// counts by its selector F0 alone, and PMC6 by CC5-6RUN.
    fn write(&self, at: Spr, value: u64) {
        if let Some(first @ ..=2) = self.until_effect(0) {
            self.present(0, first);
        }
        self.block.write(at.number(), value);
        self.block.present(0, 1);
        self.stand(0, 0);
        self.device.advance(&work(0, 1));
        let control = if at == Spr::MMCR0 { value } else { self.ours(Spr::MMCR0) };
        let counts = self.ours(Spr::MMCR1) >> 24 & 0xFF == 0xF0 || control & Mmcr0::ALWAYS_RUN.bits() != 0;
        if counts && (at == Spr::MMCR0 || is_counter(at)) {
            self.set(Spr::MMCR0, without_effects(control));
            if is_counter(at) {
                self.set(at, value);
            }
            self.device.advance(&work(0, 1));
            self.set(Spr::MMCR0, control);
        } else {
            self.set(at, value);
            self.device.advance(&work(0, 1));
        }
    }

    /// Moves the counters that could become negative in the cycle behind a write.
    fn leave_edge(&self) {
        for at in [0, 5].map(pmc) {
            if (EDGE..1 << 31).contains(&self.ours(at)) {
                self.write(at, 0);
            }
        }
    }

    #[track_caller]
    fn compare(&self, at: Spr, step: u64) {
        let (ours, its) = (self.ours(at), self.block.read(at.number()));
        let control = [Spr::MMCR0, Spr::MMCR1, Spr::MMCR2].map(|at| self.ours(at));
        assert!(
            ours == its,
            "{at:?}: the device has {ours:#x}, the unit {its:#x}; step {step}, MMCR0 to 2 {control:x?}"
        );
    }

    #[track_caller]
    fn compare_all(&self, step: u64) {
        registers().for_each(|at| self.compare(at, step));
        assert_eq!(self.device.is_asserted(), self.block.interrupts(), "the interrupts, step {step}");
    }
}

/// The values of a counter from here to 2^31 are those that a cycle or two make negative.
const EDGE: u64 = (1 << 31) - 2;

/// The same control of what counts, without effects. While TRIGGER is on, PMC5 and PMC6 do not count.
fn without_effects(control: u64) -> u64 {
    let effects = Mmcr0::ALERT.union(Mmcr0::FREEZE_ON_CONDITION).union(Mmcr0::FIRST).union(Mmcr0::OTHERS);
    let waits = if control & Mmcr0::TRIGGER.bits() != 0 { Mmcr0::FREEZE_LAST_TWO.bits() } else { 0 };
    control & !effects.bits() | waits
}

fn pmc(number: u8) -> Spr {
    Spr::pmc(CounterId::new(number).expect("it is below 64"))
}

fn is_counter(at: Spr) -> bool {
    (0..COUNTERS as u8).any(|number| at == pmc(number))
}

fn mode(wires: u64) -> Mode {
    if wires & PROBLEM != 0 { Mode::User } else { Mode::Kernel }
}

fn work(wires: u64, cycles: u64) -> Work {
    let known = KINDS.iter().filter(|(wire, _)| wires >> wire & 1 == 1);
    known.fold(Work::none(mode(wires)).with(Kind::Cycles, cycles), |work, &(_, kind)| work.with(kind, cycles))
}

fn random(program: &Path) {
    let (pair, mut rng) = (Pair::new(program), Rng::with_seed(SEED));
    let all: Vec<_> = registers().collect();
    let steps = effort::whole_or(STEPS[0], STEPS[1]);
    let mut alerts = 0;
    for step in 0..steps {
        let before = pair.block.interrupts();
        if rng.u8(..) < 150 {
            let wires = rng.u64(..) & (EVENTS | DATUM | RUNS | PROBLEM | MARKED);
            pair.present(wires, 1 + rng.u64(..) % if rng.u8(..) < 4 { 200 } else { 8 });
        } else {
            let at = if rng.u8(..) < 64 { Spr::MMCR0 } else { all[rng.usize(..all.len())] };
            let value = value_for(at, &mut rng);
            if !is_counter(at) {
                pair.leave_edge();
            }
            pair.write(at, value);
        }
        alerts += u64::from(pair.block.interrupts() && !before);
        pair.compare(all[rng.usize(..all.len())], step);
        assert_eq!(pair.device.is_asserted(), pair.block.interrupts(), "the interrupts, step {step}");
        if step % 32 == 0 {
            pair.compare_all(step);
        }
    }
    assert!(alerts > steps / 100, "it has interrupted {alerts} times");
    println!("steps: {steps}, cycles: {}, interrupts: {alerts}", pair.block.cycles());
}

/// Returns what is written into a register: counters that overflow soon, selectors that are known, and few freezes.
fn value_for(at: Spr, rng: &mut Rng) -> u64 {
    let few = |rng: &mut Rng| rng.u64(..) & rng.u64(..) & rng.u64(..);
    match at {
        _ if is_counter(at) && rng.bool() => EDGE - 1 - rng.u64(..40),
        _ if is_counter(at) => {
            let value = rng.u64(..1 << 32);
            if (EDGE..1 << 31).contains(&value) { 0 } else { value }
        }
        Spr::MMCR0 => {
            let often = Mmcr0::ALERT.union(Mmcr0::FIRST).union(Mmcr0::OTHERS).union(Mmcr0::ALWAYS_RUN).bits();
            let value = few(rng) | rng.u64(..) & often;
            let both = Mmcr0::TRIGGER.union(Mmcr0::FREEZE_ON_CONDITION).bits();
            let value = if value & both == both { value & !Mmcr0::TRIGGER.bits() } else { value };
            value & Identity::MICROWATT.capabilities().control.bits()
        }
        Spr::MMCR1 => (0..4).fold(rng.u64(..) << 32, |all, counter| {
            all | if rng.u8(..) < 16 { rng.u64(..256) } else { 0xF0 | (2 * rng.u64(..8)) } << (8 * counter)
        }),
        Spr::MMCR2 if rng.bool() => 0,
        Spr::MMCR2 => few(rng) & freezes(),
        _ => rng.u64(..),
    }
}

/// Returns the bits of MMCR2 that are not reserved.
fn freezes() -> u64 {
    (0..COUNTERS as u8).filter_map(CounterId::new).fold(0, |bits, counter| bits | Freeze::all().of(counter))
}

fn effects_are_late(program: &Path) {
    let pair = Pair::new(program);
    let control = Mmcr0::ALERT.union(Mmcr0::FIRST).union(Mmcr0::FREEZE_ON_CONDITION).bits();
    pair.write(Spr::MMCR1, 0xFE << 24);
    pair.write(pmc(0), (1 << 31) - 10);
    pair.write(Spr::MMCR0, control);
    assert_eq!(pair.block.present(RUNS | INSTRUCTION, 10), 10, "it is negative");
    assert!(!pair.block.interrupts());
    assert_eq!(pair.block.read(Spr::MMCR0.number()), control);
    assert_eq!(pair.block.present(RUNS | INSTRUCTION, 10), 1, "the interrupt rises at the end of the next cycle");
    pair.block.present(RUNS | INSTRUCTION, 10);
    assert_eq!(pair.block.read(pmc(0).number()), (1 << 31) + 1, "that cycle is counted, and none behind it");
}

fn freezes_after_trigger(program: &Path) {
    let pair = Pair::new(program);
    let control = Mmcr0::TRIGGER.union(Mmcr0::FIRST).union(Mmcr0::FREEZE_ON_CONDITION).bits();
    pair.write(Spr::MMCR1, 0xFE << 24 | 0xFA);
    pair.write(pmc(0), (1 << 31) - 10);
    pair.write(Spr::MMCR0, control);
    pair.block.present(RUNS | INSTRUCTION, 11);
    let after = control & !Mmcr0::TRIGGER.bits();
    assert_eq!(pair.block.read(Spr::MMCR0.number()), after, "TRIGGER has ended");
    pair.block.present(RUNS | INSTRUCTION, 10);
    assert_eq!(pair.block.read(Spr::MMCR0.number()), after | Mmcr0::FREEZE.bits());
    assert_eq!(pair.block.read(pmc(3).number()), 1, "PMC4 has counted in one cycle");
    pair.device.advance(&work(RUNS | INSTRUCTION, 11));
    assert_eq!(pair.ours(Spr::MMCR0), after | Mmcr0::FREEZE.bits(), "the device does both at once");
    assert_eq!(pair.ours(pmc(3)), 0);
}

fn reserved_bits(program: &Path) {
    let pair = Pair::new(program);
    let control = Identity::MICROWATT.capabilities().control.bits();
    let of_branches = Mmcr0::BRANCH_HISTORY.union(Mmcr0::EVENT_BRANCH).bits();
    let quiet = Mmcr0::ALERTED.bits();
    for (at, has, kept) in
        [(Spr::MMCR0, control & !quiet, u64::from(u32::MAX) & !of_branches & !quiet), (Spr::MMCR2, freezes(), u64::MAX)]
    {
        let all = if at == Spr::MMCR0 { !quiet } else { u64::MAX };
        pair.block.write(at.number(), all);
        pair.set(at, all);
        assert_eq!([pair.block.read(at.number()), pair.ours(at)], [kept, has], "{at:?}");
    }
}
