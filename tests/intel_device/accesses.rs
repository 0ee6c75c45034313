//! Intel's unit, as hostile guests find it.

use pmu::arch::x86::intel::device::State;
use pmu::arch::x86::intel::{Device, Identity};
use pmu::virt::Kinds;

use super::hostile::{Choices, Line, Register, Subject};
use super::oracle::Oracle;

#[derive(Clone, Copy)]
pub(crate) struct Intel {
    identity: Identity,
    oracle: Oracle,
}

impl Subject for Intel {
    type Unit = Device<Line>;

    const NEAR: &[u32] = &[0xC1, 0x186, 0x1A6, 0x309, 0x345, 0x38D, 0x38D, 0x3F7, 0x4C1, 0x1900, 0x1980];

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
        let number = usize::from(choices.byte());
        let value = choices.value();
        match choices.below(8) {
            0 => state.general[number % 10] = value,
            1 => state.selects[number % 10] = value,
            2 => state.fixed[number % 7] = value,
            3 => state.beside[number % 3] = value,
            4 => state.fixed_control = value,
            5 => state.global_control = value,
            6 => state.global_status = value,
            _ => state.ticks = value,
        }
        state
    }
}
