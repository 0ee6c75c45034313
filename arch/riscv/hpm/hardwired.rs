//! Event selectors that are hardwired: mhpmevent is WARL, so that a processor may have one event for each counter, as lowRISC's
//! ibex does (rtl/ibex_cs_registers.sv, mhpmevent_i), and ignore what is written.
//!
//! Source: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", "Hardware Performance Monitor".

use super::counters::from_register;
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
