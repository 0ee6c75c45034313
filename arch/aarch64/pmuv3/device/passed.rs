//! The guest's counters in the real unit.

use super::Device;
use crate::arch::aarch64::pmuv3::{Pmcr, Select};
use crate::arch::aarch64::{Index, SystemRegister, SystemRegisters};
use crate::contract::Description;
use crate::event::{CounterSet, Request};
use crate::virt::{Decode, PassThrough, Trigger};

/// What counts for others than the guest: EL2, EL3, and other threads of the core.
const OTHERS: Select = Select::HYPERVISOR
    .union(Select::SECURE_HYPERVISOR)
    .union(Select::REALM_HYPERVISOR)
    .union(Select::MONITOR)
    .union(Select::ALL_THREADS);
/// What a write to PMCR_EL0 does, and what other components see.
const ACTIONS: Pmcr = Pmcr::RESET_EVENTS.union(Pmcr::RESET_CYCLES).union(Pmcr::EXPORT);

/// If the cycle counter counts every 64th cycle, up to 63 cycles are lost each time that the counters are programmed.
impl<T: Trigger> PassThrough for Device<T> {
    type Address = SystemRegister;
    type Index = Index;

    fn fits(&self, real: &Description, _: impl Fn(&Request) -> bool) -> Result<(), &'static str> {
        self.limits.fits(real)
    }

    #[inline]
    fn in_use(&self) -> CounterSet {
        self.running()
    }

    fn load<R: SystemRegisters>(&self, onto: &R) {
        let running = self.running();
        let interrupting = running.and(CounterSet::from_bits(self.interrupt.get()));
        onto.write(SystemRegister::CONTROL, self.control().difference(ACTIONS).bits());
        onto.write(SystemRegister::INTERRUPT_CLEAR, running.without(interrupting).bits());
        onto.write(SystemRegister::INTERRUPT_SET, interrupting.bits());
        for id in running {
            onto.write(SystemRegister::any_select(id), of_guest(self.select(id.number())).bits());
            onto.write(SystemRegister::any_counter(id), self.value(id));
        }
    }

    fn collect<R: SystemRegisters>(&self, from: &R) {
        let running = self.running();
        for id in running {
            self.set_value(id, from.read_counter(Index::of(id)));
        }
        let overflowed = running.and(CounterSet::from_bits(from.read(SystemRegister::OVERFLOW_SET)));
        self.overflowed.set(self.overflowed.get() | overflowed.bits());
        self.table.touch_enables();
        self.settle();
    }
}

/// Returns a selection that counts the same for the guest and nothing for others. A counter counts at EL3 if M is equal to P
/// (DDI 0487, PMEVTYPER<n>_EL0); where there is no EL3, M is RES0.
fn of_guest(select: Select) -> Select {
    let mut own = select.difference(OTHERS);
    own.set(Select::MONITOR, !select.contains(Select::NOT_KERNEL));
    own
}
