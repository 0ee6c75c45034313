//! The guest's counters in the real unit.

use super::{COUNTERS, Device, Select, index};
use crate::arch::x86::device::{Counting, write};
use crate::arch::x86::{Block, Index, Msr, Msrs};
use crate::contract::Description;
use crate::event::{CounterId, CounterSet, Request};
use crate::virt::{Decode, PassThrough, Trigger};

impl<T: Trigger> PassThrough for Device<T> {
    type Address = Msr;
    type Index = Index;

    fn fits(&self, real: &Description, _: impl Fn(&Request) -> bool) -> Result<(), &'static str> {
        if self.has_sampling {
            return Err(
                "the guest is told of instruction-based sampling, which the processor has for one owner alone: \
                        make its identity without with_sampling",
            );
        }
        self.limits.fits(real)
    }

    #[inline]
    fn in_use(&self) -> CounterSet {
        let running = self.running();
        running.or(CounterSet::from_bits(running.and(self.merged.get()).bits() << 1))
    }

    /// An odd counter comes first: it may merge the one before it, or have done so for the last guest. No selector counts
    /// outside guests.
    fn load<R: Msrs>(&self, onto: &R) {
        let in_use = self.in_use();
        let pairs = (0..COUNTERS as u8).rev().filter(|number| in_use.bits() >> (number & !1) & 0b11 != 0);
        for id in pairs.filter_map(CounterId::new).filter(|&id| self.limits.counters().contains(id)) {
            let select = match in_use.contains(id) {
                true => self.select(index(id)).difference(Select::HOST_ONLY).union(Select::GUEST_ONLY),
                false => Select::empty(),
            };
            write(onto, Msr::core_select(Block::Core, id.number()), select.bits());
            write(onto, Msr::core_counter(Block::Core, id.number()), self.own(index(id)));
        }
    }

    fn collect<R: Msrs>(&self, from: &R) {
        let running = self.running();
        for id in self.in_use() {
            self.set_own(index(id), from.read_counter(Index::of(id)));
        }
        self.take_overflows(running.and(CounterSet::from_bits(from.read(Msr::CORE_STATUS))));
    }
}
