//! Book3S 64's unit, as the machine finds its registers.

use harness::host::Latch;
use pmu::arch::powerpc::{ProcessorState, Spr, book3s};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use super::unit::{Space, Unit, negative};

impl<T: Trigger> Unit for book3s::Device<T> {
    const LATCH: Latch = Latch::Level;

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
        use book3s::{Freeze, Mmcr0};
        let state = self.state();
        let (all, one) = match mode {
            Mode::User => (Mmcr0::FREEZE_PROBLEM, Freeze::PROBLEM),
            Mode::Kernel | Mode::Hypervisor => (Mmcr0::FREEZE_SUPERVISOR, Freeze::SUPERVISOR),
        };
        let control = Mmcr0::from_bits_retain(state.control);
        // Where the 970 has the last two, it selects.
        let frozen = [
            (Mmcr0::FREEZE | all, CounterSet::first(8)),
            (Mmcr0::FREEZE_FIRST_FOUR, CounterSet::first(4)),
            (Mmcr0::FREEZE_LAST_TWO, CounterSet::first(6).without(CounterSet::first(4))),
        ];
        let has_those = self.try_read(Spr::MMCR2).is_ok();
        let frozen = frozen.into_iter().take(if has_those { 3 } else { 1 });
        let frozen =
            frozen.filter(|(bits, _)| control.intersects(*bits)).fold(CounterSet::EMPTY, |set, (_, of)| set.or(of));
        let is_free = |id: &CounterId| !Freeze::from_register(*id, state.freezes).contains(one);
        let is_on = |id: &CounterId| is_free(id) && (has_those || select_of_eight(&state, *id) != NOTHING);
        CounterSet::first(8).without(frozen).into_iter().filter(is_on).collect()
    }
}

/// The contents of a device.
type State = <book3s::Device<pmu::virt::Unconnected> as Device>::State;

/// The 970's selector of nothing ("IBM PowerPC 970FX RISC Microprocessor User's Manual", table "MMCR0").
const NOTHING: u64 = 8;

/// What selects the event of one of the 970's counters: PMC1 and PMC2 in MMCR0, the others in MMCR1.
fn select_of_eight(state: &State, counter: CounterId) -> u64 {
    let shift = [8, 1, 27, 22, 17, 12, 7, 2][usize::from(counter.number() & 7)];
    let register = if counter.number() < 2 { state.control } else { state.selects };
    register >> shift & 0x1f
}
