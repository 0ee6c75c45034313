//! The embedded cores' unit, as the machine finds its registers.

use harness::host::Latch;
use pmu::arch::powerpc::Pmr;
use pmu::arch::powerpc::embedded::{Device, Pmgc0, Pmlca};
use pmu::virt::{Device as _, Fault, Trigger};
use pmu::{CounterSet, Mode};

use super::unit::{Space, Unit, negative};

impl<T: Trigger> Unit for Device<T> {
    const LATCH: Latch = Latch::Level;

    fn register(space: Space, number: u16) -> Option<Pmr> {
        Pmr::from_number(number).filter(|_| space == Space::Monitor)
    }

    fn read(&self, mode: Mode, at: Pmr) -> Result<u64, Fault> {
        self.read_from(mode, at)
    }

    fn write(&self, mode: Mode, at: Pmr, value: u64) -> Result<(), Fault> {
        self.write_from(mode, at, value)
    }

    fn taken(&self) {
        self.interrupted();
    }

    /// The unit notes no address.
    fn set_position(&self, _: usize) {}

    fn negative(&self) -> CounterSet {
        negative(self.state().counters)
    }

    fn counting(&self, mode: Mode) -> CounterSet {
        let state = self.state();
        let of_mode = match mode {
            Mode::User => Pmlca::FREEZE_USER,
            Mode::Kernel | Mode::Hypervisor => Pmlca::FREEZE_SUPERVISOR,
        };
        // Nothing here sets MSR[PMM].
        let frozen = Pmlca::FREEZE | of_mode | Pmlca::FREEZE_UNMARKED;
        let counts = |local: u64| {
            let local = Pmlca::from_bits_retain(local as u32);
            !local.intersects(frozen) && local.event() != 0
        };
        if state.global as u32 & Pmgc0::FREEZE.bits() != 0 {
            return CounterSet::EMPTY;
        }
        let bits = state.locals.into_iter().enumerate().map(|(number, local)| u64::from(counts(local)) << number);
        CounterSet::from_bits(bits.fold(0, |set, bit| set | bit))
    }
}
