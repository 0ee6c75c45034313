//! AMD's unit, as hostile guests find it.

use pmu::arch::x86::amd::device::{State, Svm};
use pmu::arch::x86::amd::{Device, Identity};
use pmu::virt::Kinds;

use super::hostile::{Choices, Line, Register, Subject};
use super::oracle::Oracle;

#[derive(Clone, Copy)]
pub(crate) struct Amd {
    identity: Identity,
    oracle: Oracle,
}

impl Subject for Amd {
    type Unit = Device<Line>;

    const NEAR: &[u32] = &[0xC001_0000, 0xC001_0200, 0xC001_0200, 0xC000_0300, 0xC000_02FC, 0x186];

    fn chosen(choice: u8) -> Self {
        let identity = Identity::ALL[usize::from(choice % 6)];
        Self { identity, oracle: Oracle::new(&identity) }
    }

    fn unit(&self) -> Device<Line> {
        Device::new(&self.identity, Kinds::CLOCK, Line::default())
    }

    fn line(unit: &Device<Line>) -> &Line {
        unit.trigger()
    }

    fn register(&self, address: u32) -> Register {
        self.oracle.register(address)
    }

    fn shows(&self, address: u32) -> u64 {
        self.oracle.shows(address)
    }

    fn counters(&self) -> u64 {
        self.oracle.counters()
    }

    fn allows(&self, state: &State) -> bool {
        self.oracle.allows(state)
    }

    fn forged(mut state: State, choices: &mut Choices) -> State {
        const MERGE: u64 = 0x000F_0040_00FF;
        let number = usize::from(choices.byte());
        let value = choices.value();
        match choices.below(8) {
            0 => state.counters[number % 6] = value,
            1 => state.selects[number % 6] = value,
            2 => state.selects[(number % 6) | 1] = MERGE,
            3 => state.control = value,
            4 => state.status = value,
            5 => state.svm = [Svm::Off, Svm::Host, Svm::Guest][number % 3],
            _ => state.ticks = value,
        }
        state
    }
}
