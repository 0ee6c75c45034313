//! A guest that does anything at all: bytes in, accesses out, and after each of them what must
//! always hold. The fuzz target reads this file too.

use std::cell::Cell;

use pmu::Mode;
use pmu::arch::x86::intel::device::State;
use pmu::arch::x86::intel::{Device, Identity};
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device as _, Fault, Kind, Kinds, Trigger, Work};

use super::oracle::{Oracle, Register};

/// The line of the guest's interrupt.
#[derive(Default)]
struct Pulls(Cell<u64>);

impl Trigger for Pulls {
    fn interrupt(&self) {
        self.0.set(self.0.get() + 1);
    }
}

/// The bytes, as choices; 0 once they are used up.
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

    /// Mostly a register of some unit, sometimes anything.
    fn address(&mut self) -> u32 {
        const FIRSTS: [u32; 11] = [0xC1, 0x186, 0x1A6, 0x309, 0x345, 0x38D, 0x38D, 0x3F6, 0x4C1, 0x1900, 0x1980];
        match self.below(16) {
            0 => u32::from(self.byte()) << 8 | u32::from(self.byte()),
            choice => FIRSTS[usize::from(choice) % 11] + u32::from(self.below(12)),
        }
    }

    /// Values near the edges, and few bits at a time: all random ones are nearly always reserved.
    fn value(&mut self) -> u64 {
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

/// Two devices that must not differ: one lives on, the other is made anew from snapshots.
struct Pair {
    identity: Identity,
    oracle: Oracle,
    device: Device<Pulls>,
    twin: Device<Pulls>,
}

impl Pair {
    fn new(identity: Identity) -> Self {
        let [device, twin] = [(), ()].map(|()| Device::new(&identity, Kinds::CLOCK, Pulls::default()));
        Self { identity, oracle: Oracle::new(&identity), device, twin }
    }

    fn step(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0..=5 => self.write(choices.address(), choices.value()),
            6..=8 => self.read(choices.address()),
            9 => self.read_counter(choices.value() as u32),
            10..=12 => self.advance(&choices.work()),
            13 => self.renew(),
            14 => self.predict(choices.byte().into()),
            _ => self.forge(choices),
        }
    }

    fn write(&self, address: u32, value: u64) {
        let register = self.oracle.register(address);
        let Some(msr) = Msr::from_address(address) else { return assert_eq!(register, Register::Absent) };
        let before = self.device.state();
        let outcome = self.device.try_write(msr, value);
        assert_eq!(outcome, register.write(value), "writing {value:#x} to {msr:?}");
        assert_eq!(outcome, self.twin.try_write(msr, value));
        if outcome.is_err() {
            assert_eq!(self.device.state(), before, "a fault changed something: {value:#x} to {msr:?}");
        }
    }

    fn read(&self, address: u32) {
        let Some(msr) = Msr::from_address(address) else { return };
        let value = self.device.try_read(msr);
        assert_eq!(value, self.twin.try_read(msr));
        match self.oracle.register(address) {
            Register::Absent => assert_eq!(value, Err(Fault::Absent), "{msr:?}"),
            _ => assert_eq!(value.map(|value| value & !self.oracle.shows(address)), Ok(0), "{msr:?}"),
        }
    }

    fn read_counter(&self, ecx: u32) {
        let Some(index) = Index::from_raw(ecx) else { return };
        let there = self.oracle.counters() >> index.counter().number() & 1 == 1;
        let value = self.device.try_read_counter(index);
        assert_eq!((value.is_ok(), value), (there, self.twin.try_read_counter(index)));
    }

    fn advance(&self, work: &Work) {
        self.device.advance(work);
        self.twin.advance(work);
    }

    /// The twin continues as a new device, on another machine as it were.
    fn renew(&mut self) {
        self.twin = Device::new(&self.identity, Kinds::CLOCK, Pulls::default());
        assert_eq!(self.twin.set_state(&self.device.state()), Ok(()));
        self.device.trigger().0.set(0);
    }

    /// The overflow comes at the step that was foretold, and not before.
    fn predict(&self, instructions: u64) {
        let copy = Device::new(&self.identity, Kinds::CLOCK, Pulls::default());
        assert_eq!(copy.set_state(&self.device.state()), Ok(()));
        let step = Work::instructions(Mode::User, instructions);
        let steps = copy.until_overflow(&step).unwrap_or(1 << 20);
        let is_foretold = copy.until_overflow(&step).is_some();
        if steps <= 1 << 50 {
            copy.advance(&Work::instructions(Mode::User, instructions * (steps - 1)));
            assert_eq!(pulls(&copy), 0, "before step {steps} of {instructions}");
            copy.advance(&step);
            assert_eq!(pulls(&copy) > 0, is_foretold, "at step {steps} of {instructions}");
        }
    }

    /// A snapshot that somebody tampered with is refused, or it is one that the unit could hold.
    fn forge(&self, choices: &mut Choices) {
        let before = self.device.state();
        let forged = forged(before, choices);
        let outcome = self.device.set_state(&forged);
        assert_eq!(outcome, self.twin.set_state(&forged));
        assert_eq!(outcome.is_ok(), self.oracle.allows(&forged), "{forged:x?}");
        assert_eq!(self.device.state(), if outcome.is_ok() { forged } else { before });
    }

    fn check(&self) {
        let state = self.device.state();
        assert!(self.oracle.allows(&state), "a reserved bit is stored: {state:x?}");
        assert_eq!((state, pulls(&self.device)), (self.twin.state(), pulls(&self.twin)));
    }
}

fn pulls(device: &Device<Pulls>) -> u64 {
    device.trigger().0.get()
}

fn forged(mut state: State, choices: &mut Choices) -> State {
    let number = usize::from(choices.byte());
    let value = choices.value();
    match choices.below(8) {
        0 => state.general[number % 10] = value,
        1 => state.selects[number % 10] = value,
        2 => state.fixed[number % 7] = value,
        3 => state.beside[number % 4] = value,
        4 => state.fixed_control = value,
        5 => state.global_control = value,
        6 => state.global_status = value,
        _ => state.ticks = value,
    }
    state
}

/// Does what the bytes say; returns how many accesses that were.
pub(crate) fn run(bytes: &[u8]) -> u64 {
    let mut choices = Choices(bytes);
    let identity = Identity::ALL[usize::from(choices.below(6))];
    let mut pair = Pair::new(identity);
    let mut accesses = 0;
    while !choices.0.is_empty() {
        pair.step(&mut choices);
        pair.check();
        accesses += 1;
    }
    accesses
}
