//! The classic units, as the machine finds their registers.

use harness::host::Latch;
use pmu::arch::powerpc::classic::{Device, Mmcr0};
use pmu::arch::powerpc::{ProcessorState, Spr};
use pmu::virt::{Device as _, Fault, Trigger};
use pmu::{CounterSet, Mode};

use super::unit::{Space, Unit, negative};

/// The contents of a device.
type State = <Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

impl<T: Trigger> Unit for Device<T> {
    const LATCH: Latch = Latch::UntilTaken;

    fn register(space: Space, number: u16) -> Option<Spr> {
        Spr::from_number(number).filter(|_| space == Space::Special)
    }

    fn read(&self, mode: Mode, at: Spr) -> Result<u64, Fault> {
        self.read_from(mode, at)
    }

    fn write(&self, mode: Mode, at: Spr, value: u64) -> Result<(), Fault> {
        self.write_from(mode, at, value)
    }

    fn set_position(&self, address: usize) {
        let mut context = ProcessorState::default();
        context.instruction = address as u64;
        self.set_processor(context);
    }

    fn negative(&self) -> CounterSet {
        negative(self.state().counters)
    }

    fn counting(&self, mode: Mode) -> CounterSet {
        let mode = match mode {
            Mode::User => Mmcr0::FREEZE_PROBLEM,
            Mode::Kernel | Mode::Hypervisor => Mmcr0::FREEZE_SUPERVISOR,
        };
        let state = self.state();
        let is_frozen = Mmcr0::from_bits_retain(state.control as u32).intersects(Mmcr0::FREEZE | mode);
        let selected = (0..6).filter(|&number| select(&state, number) != 0);
        if is_frozen {
            CounterSet::EMPTY
        } else {
            CounterSet::from_bits(selected.fold(0, |bits, number| bits | 1 << number))
        }
    }
}

/// What selects a counter's event: two fields of MMCR0 and four of MMCR1 ("MPC7450 RISC Microprocessor
/// Family Reference Manual", tables 11-1 and 11-2).
fn select(state: &State, number: u8) -> u64 {
    match number {
        0 => state.control >> 6 & 0x7f,
        1 => state.control & 0x3f,
        2 => state.selects >> 27 & 0x1f,
        3 => state.selects >> 22 & 0x1f,
        4 => state.selects >> 17 & 0x1f,
        _ => state.selects >> 11 & 0x3f,
    }
}
