//! A guest that does anything at all, from every level: bytes in, accesses out, and after each of them
//! the device must be as the model is. The fuzz target reads this file too.

use pmu::Mode;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::arch::aarch64::{Direction, SystemRegister, TrappedAccess};
use pmu::virt::{Device as _, Kind, Kinds, Work};

use crate::support::put::put;

use super::model::Model;
use crate::support::line::Level;

/// The contents of a device.
type State = <pmu::arch::aarch64::pmuv3::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

const MODES: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];
/// The number of steps for which a prediction is checked.
const FAR: u64 = 40;
/// Events that the model counts, and one that is no kind of work.
const EVENTS: [u64; 6] = [0x00, 0x08, 0x11, 0x1E, 0x21, 0xC3];

/// The choices of a guest, from the bytes; 0 once they are used up.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    fn below(&mut self, end: u8) -> u8 {
        self.byte() % end
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes([0; 8].map(|_: u8| self.byte()))
    }

    fn mode(&mut self) -> Mode {
        MODES[usize::from(self.below(3))]
    }

    /// Any register of the unit, those of low counters more often.
    fn register(&mut self) -> SystemRegister {
        let [counters, selections] =
            [SystemRegister::counter(0), SystemRegister::select(0)].map(|at| at.unwrap().number());
        let privileged = SystemRegister::INTERRUPT_SET.number() - 1;
        let number = match self.below(8) {
            0 => counters + u16::from(self.below(7)),
            1 => selections + u16::from(self.below(7)),
            2 => privileged + u16::from(self.below(8)),
            3 => SystemRegister::HYPERVISOR_CONTROL.number(),
            4 => counters + u16::from(self.below(64)),
            5 => u16::from_le_bytes([self.byte(), self.byte()]),
            _ => SystemRegister::CONTROL.number() + u16::from(self.below(24)),
        };
        SystemRegister::from_number(number).unwrap_or(SystemRegister::CONTROL)
    }

    /// Values near the edges, few bits at a time, and the selections of events.
    fn value(&mut self) -> u64 {
        match self.below(8) {
            0 => self.word(),
            1 => u64::MAX << self.below(64),
            2 => 1 << self.below(64),
            3 => self.byte().into(),
            4 => u64::from(self.byte()).wrapping_neg(),
            5 => 0xFFFF_FFFF - u64::from(self.byte()),
            6 => EVENTS[usize::from(self.below(6))],
            _ => EVENTS[usize::from(self.below(6))] | u64::from(self.byte()) << 24,
        }
    }

    fn work(&mut self) -> Work {
        let mode = self.mode();
        let (cycles, instructions) = (self.below(80).into(), self.below(24).into());
        Work::none(mode)
            .with(Kind::Cycles, cycles)
            .with(Kind::Instructions, instructions)
            .with(Kind::Branches, self.below(4).into())
    }
}

/// The device, the model, and a device that is restored from snapshots.
struct Trio {
    identity: Identity,
    unit: Device<Level>,
    twin: Device<Level>,
    model: Model,
}

impl Trio {
    fn new(identity: Identity) -> Self {
        let unit = || Device::new(&identity, Kinds::CLOCK, Level::default());
        Self { identity, unit: unit(), twin: unit(), model: Model::new(&identity) }
    }

    /// Every counter counts from shortly before its overflow, and interrupts.
    fn begin(&mut self, choices: &mut Choices) {
        let write = |trio: &mut Self, at, value| trio.write(Mode::Hypervisor, at, value);
        for number in 0..self.identity.control().counters() {
            let (event, start) = (EVENTS[usize::from(choices.below(6))], 0xFFFF_FFFF - u64::from(choices.byte()));
            write(self, SystemRegister::select(number).unwrap(), event);
            write(self, SystemRegister::counter(number).unwrap(), start);
        }
        write(self, SystemRegister::CYCLES, u64::from(choices.byte()).wrapping_neg());
        write(self, SystemRegister::ENABLE_SET, u64::MAX);
        write(self, SystemRegister::INTERRUPT_SET, choices.word());
        write(self, SystemRegister::HYPERVISOR_CONTROL, choices.word() & 0x2482_001F | 0x80);
        write(self, SystemRegister::CONTROL, 1 | choices.word() & 0x2E8);
    }

    fn step(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0..=6 => self.write(choices.mode(), choices.register(), choices.value()),
            7..=9 => self.read(choices.mode(), choices.register()),
            10..=12 => self.advance(&choices.work()),
            13 => self.replace_unit(),
            14 => self.predict(&choices.work()),
            _ => self.forge(choices),
        }
        self.check();
    }

    fn write(&mut self, mode: Mode, at: SystemRegister, value: u64) {
        let value = if is_selection(at) { value & !(0xF << 60 | 0xFFF << 32) } else { value };
        let before = self.unit.state();
        let outcome = self.unit.write_from(mode, at, value);
        assert_eq!(outcome, self.model.write(mode, at, value), "{mode} writes {value:#x} to {at:?}");
        assert_eq!(outcome, self.twin.write_from(mode, at, value));
        if outcome.is_err() {
            assert_eq!(self.unit.state(), before, "a fault changed something: {value:#x} to {at:?}");
        }
    }

    fn read(&self, mode: Mode, at: SystemRegister) {
        let value = self.unit.read_from(mode, at);
        assert_eq!(value, self.model.read(mode, at), "{mode} reads {at:?}");
        assert_eq!(value, self.twin.read_from(mode, at));
    }

    fn advance(&mut self, work: &Work) {
        self.unit.advance(work);
        self.twin.advance(work);
        self.model.advance(work);
    }

    /// Replaces the twin by a new unit with its state, as on another machine.
    fn replace_unit(&mut self) {
        self.twin = self.copy();
    }

    fn copy(&self) -> Device<Level> {
        let copy = Device::new(&self.identity, Kinds::CLOCK, Level::default());
        assert_eq!(copy.restore(self.unit.snapshot().as_bytes()), Ok(()));
        copy.trigger().hold(copy.is_asserted());
        copy
    }

    /// Checks that the line rises or a counter freezes at the predicted step, and not before.
    fn predict(&self, step: &Work) {
        let copy = self.copy();
        let flags = copy.state().overflowed;
        let foretold = copy.until_overflow(step);
        for _ in 1..foretold.unwrap_or(FAR).min(FAR) {
            copy.advance(step);
            assert_eq!(copy.trigger().rises(), 0, "before step {foretold:?} of {step:?}");
        }
        if foretold.is_some_and(|steps| steps <= FAR) {
            copy.advance(step);
            assert_ne!(copy.state().overflowed, flags, "at step {foretold:?} of {step:?}");
            let may_interrupt = copy.state().interrupt & (copy.state().overflowed ^ flags) != 0;
            let is_new = copy.trigger().rises() > 0 || !may_interrupt || self.unit.is_asserted();
            assert!(is_new, "at step {foretold:?} of {step:?}");
        }
    }

    /// A modified snapshot is refused, or it is one that the unit could hold.
    fn forge(&self, choices: &mut Choices) {
        let before = self.unit.state();
        let forged = forged(before, choices);
        let copy = self.copy();
        let outcome = put(&copy, &forged);
        assert_eq!(outcome.is_ok(), self.allows(&forged), "{forged:x?}");
        assert_eq!(copy.state(), if outcome.is_ok() { forged } else { before });
    }

    /// Returns true if every bit of the state is one that its register has.
    fn allows(&self, state: &State) -> bool {
        let model = &self.model;
        let fit = |value: u64, bits: u64| value & !bits == 0;
        let user_access = if model.version >= 9 { model.all() } else { 0 };
        (0..33).all(|number| fit(state.counters[number], model.counter_bits(number)))
            && (0..33).all(|number| fit(state.selects[number], model.select_bits(number)))
            && [state.enable, state.interrupt, state.overflowed].into_iter().all(|value| fit(value, model.all()))
            && fit(state.control, model.control_bits())
            && fit(state.selector, 31)
            && fit(state.user_enable, model.user_bits())
            && fit(state.user_access, user_access)
            && fit(state.hypervisor_control, model.hypervisor_bits())
            && state.phase < 64
    }

    fn check(&self) {
        let state = self.unit.state();
        assert!(self.allows(&state), "a reserved bit is stored: {state:x?}");
        assert_eq!([state, self.twin.state()], [self.model.state(state.ticks); 2]);
        assert_eq!(self.unit.is_asserted(), self.model.irq());
        assert_eq!((self.unit.trigger().is_high(), self.twin.is_asserted()), (self.model.irq(), self.model.irq()));
    }
}

/// Thresholds have tests of their own; here they are left out.
fn is_selection(at: SystemRegister) -> bool {
    at.as_select().is_some() || at == SystemRegister::SELECTED_SELECT
}

fn forged(mut state: State, choices: &mut Choices) -> State {
    let number = usize::from(choices.below(33));
    let value = choices.value();
    let place = match choices.below(11) {
        0 => &mut state.counters[number],
        1 => &mut state.selects[number],
        2 => &mut state.control,
        3 => &mut state.enable,
        4 => &mut state.interrupt,
        5 => &mut state.overflowed,
        6 => &mut state.selector,
        7 => &mut state.user_enable,
        8 => &mut state.user_access,
        9 => &mut state.hypervisor_control,
        _ => &mut state.phase,
    };
    *place = value;
    state
}

/// Does what the bytes say; returns how many accesses that were. Half of the guests find a unit on which
/// all counters count already.
pub(crate) fn run(bytes: &[u8]) -> u64 {
    let mut choices = Choices(bytes);
    let identity = Identity::ALL[usize::from(choices.below(7))];
    let identity = if choices.below(3) > 0 { identity } else { identity.for_guest() };
    let mut trio = Trio::new(identity);
    if choices.below(2) == 0 {
        trio.begin(&mut choices);
    }
    let mut accesses = 0;
    while !choices.0.is_empty() {
        trio.step(&mut choices);
        accesses += 1;
    }
    accesses
}

/// What a hypervisor's host does with whatever its guest's syndrome and its work say: no panic, and no
/// more steps than there are counters.
pub(crate) fn trap(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let unit = Device::new(&Identity::ALL[usize::from(choices.below(7))], Kinds::CLOCK, Level::default());
    let mut general = [0; 31].map(|_: u64| choices.value());
    while !choices.0.is_empty() {
        let syndrome = 0x6000_0000 | choices.word() & 0x03FF_FFFF;
        let near = TrappedAccess::new(choices.register(), Direction::Read, Some(3));
        let access = TrappedAccess::from_syndrome(syndrome).unwrap_or(near);
        let _ = unit.answer(choices.mode(), access, &mut general);
        let work = Work::instructions(choices.mode(), choices.value());
        let _ = unit.until_overflow(&work);
        unit.advance(&work);
    }
}
