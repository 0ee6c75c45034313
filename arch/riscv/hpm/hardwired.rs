//! Event selectors that are hardwired: mhpmevent is WARL, so that a processor may have one event for each counter, as lowRISC's
//! ibex does (rtl/ibex_cs_registers.sv, mhpmevent_i), and ignore what is written.
//!
//! Source: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", "Hardware Performance Monitor".

use super::counters::{from_register, to_register};
use super::model::Model;
use crate::arch::riscv::Csr;
use crate::event::{CounterId, CounterSet};

/// The events of the counters whose selectors keep nothing that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hardwired {
    /// By the number of the counter's register; 0 if the selector is not hardwired.
    events: [u64; Csr::COUNTERS as usize],
}

impl Hardwired {
    pub(super) const NONE: Self = Self { events: [0; Csr::COUNTERS as usize] };

    /// Returns what a model's counters have: Ibex' a bit each, from bit 0 of counter 3 on (ibex_cs_registers.sv: mhpmevent).
    pub(super) const fn of(model: Model, counters: CounterSet) -> Self {
        let mut hardwired = Self::NONE;
        let mut number = 3;
        while number < Csr::COUNTERS && matches!(model, Model::Ibex) {
            if to_register(counters) >> number & 1 == 1 {
                hardwired.events[number as usize] = 1 << (number - 3);
            }
            number += 1;
        }
        hardwired
    }

    /// Returns the event that a counter has whatever is written; 0 if its selector is not hardwired.
    pub(super) const fn event(&self, counter: CounterId) -> u64 {
        self.events[(counter.number() & 31) as usize]
    }

    /// Records that a counter has this event, which is not 0.
    pub(super) const fn record(&mut self, counter: CounterId, event: u64) {
        self.events[(counter.number() & 31) as usize] = event;
    }

    /// Returns the counters that count nothing but another event than this.
    pub(super) fn unable(&self, event: u64) -> CounterSet {
        let others = (0..).zip(self.events).filter(|&(_, own)| own != 0 && own != event);
        from_register(others.fold(0, |bits, (number, _): (u32, _)| bits | 1 << number))
    }

    /// Returns a number that differs from that of most other processors, and is 0 if nothing is hardwired.
    pub(super) fn digest(&self) -> u64 {
        self.events.iter().fold(0, |sum, &event| (sum ^ event).wrapping_mul(0x0100_0000_01B3))
    }
}
