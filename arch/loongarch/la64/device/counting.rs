//! Where each counter counts, and its interrupt.

use core::cell::Cell;

use super::Device;
use super::feed::kind;
use crate::arch::loongarch::la64::{Capabilities, Pmcfg};
use crate::event::{CounterId, CounterSet, Mode, Modes, Width};
use crate::virt::{Decode, Selected, Source, Table, TopBit, Trigger};

/// The modes whose work is reported, and their levels.
const LEVELS: [(Mode, Pmcfg); 2] = [(Mode::User, Pmcfg::PLV3), (Mode::Kernel, Pmcfg::PLV0)];

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
        let control = self.control(index(id));
        let counted = LEVELS.into_iter().filter(|(_, level)| control.contains(*level));
        let modes = counted.fold(Modes::NONE, |all, (mode, _)| all.and(mode.only()));
        Selected { modes, source: Source::of_known(kind(control.event())), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.control_bits(index(id))
    }
}

impl<T: Trigger> Device<T> {
    /// Returns the level of the interrupt line.
    pub fn is_asserted(&self) -> bool {
        self.is_high()
    }
}

impl<T: Trigger> TopBit for Device<T> {
    const COUNTS: u64 = Pmcfg::LEVELS.bits();
    const INTERRUPTS: u64 = Pmcfg::INTERRUPT.bits();

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
        self.control(number).bits()
    }

    fn writable(&self) -> u64 {
        Capabilities::WRITABLE.bits()
    }

    fn moved(&self, before: bool, now: bool) {
        self.line.moved(before, now);
    }
}
