//! Where each counter counts, and its interrupt.

use core::cell::Cell;

use super::feed::kind;
use super::{Device, Thread};
use crate::arch::mips::mipsxx::PerfCtl;
use crate::event::{CounterId, CounterSet, Mode, Modes, Width};
use crate::virt::{Decode, Selected, Source, Table, TopBit, Trigger};

/// The modes that the units distinguish.
const MODES: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];

/// Returns a counter's number as an index.
fn index(id: CounterId) -> usize {
    id.number().into()
}

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.capabilities.counters
    }

    fn decode(&self, id: CounterId) -> Selected {
        let kind = kind(self.capabilities.model, id.number() % 2 == 1, self.control(index(id)).event());
        let counted = MODES.into_iter().filter(|&mode| self.counts_in(id, mode));
        let modes = counted.fold(Modes::NONE, |all, mode| all.and(mode.only()));
        Selected { modes, source: Source::of_known(kind), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.control_bits(index(id))
    }
}

impl<T: Trigger> Device<T> {
    /// Returns true if a counter counts in this mode of the current thread. A hypervisor is in kernel mode.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        let Thread { vpe, tc } = self.thread.get();
        let wanted = match mode {
            Mode::User => PerfCtl::USER,
            _ if self.exception.get() => PerfCtl::EXCEPTION,
            _ => PerfCtl::KERNEL,
        };
        let control = self.control(index(id));
        control.contains(wanted) && control.counts_thread(vpe, tc)
    }

    /// Returns the level of the interrupt line.
    pub fn is_asserted(&self) -> bool {
        self.is_high()
    }
}

impl<T: Trigger> TopBit for Device<T> {
    const COUNTS: u64 = PerfCtl::MODES.bits() as u64;
    const INTERRUPTS: u64 = PerfCtl::INTERRUPT.bits() as u64;

    fn width(&self) -> Width {
        self.capabilities.width
    }

    fn cells(&self) -> &[Cell<u64>] {
        &self.counters
    }

    fn reported(&self) -> &Cell<u64> {
        &self.ticks
    }

    fn control_bits(&self, number: usize) -> u64 {
        self.control(number).bits().into()
    }

    fn writable(&self) -> u64 {
        self.capabilities.writable().bits().into()
    }

    fn moved(&self, before: bool, now: bool) {
        self.line.moved(before, now);
    }
}
