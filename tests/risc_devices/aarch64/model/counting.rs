//! What time does: which counters count, what each event adds, and what an overflow brings.

use pmu::Mode;
use pmu::virt::{Kind, Work};

use super::{C, F0, Model, bit};

impl Model {
    /// CountPMUEvents().
    fn counts(&self, index: usize, mode: Mode) -> bool {
        let is_hyp = self.is_hyp(index);
        let global = if is_hyp { bit(self.mdcr, 7) } else { bit(self.pmcr, 0) };
        let mut enabled = global && bit(self.pmcnten, index);
        let mut prohibited = mode == Mode::Hypervisor && self.has_el2 && !is_hyp && bit(self.mdcr, 17);
        let fz = if is_hyp { bit(self.mdcr, 29) } else { bit(self.pmcr, 9) };
        let mut frozen = fz && self.has_overflow_in_range(is_hyp);
        if index == C {
            enabled = enabled && !(bit(self.pmcr, 5) && (prohibited || frozen));
            prohibited = mode == Mode::Hypervisor && self.has_el2 && bit(self.mdcr, 23);
            frozen = false;
        }
        enabled && !prohibited && !frozen && !self.is_filtered(index, mode)
    }

    /// CheckPMUOverflowCondition(PMUOverflowCondition_Freeze).
    fn has_overflow_in_range(&self, of_hyp: bool) -> bool {
        (0..33).any(|index| index != C && bit(self.pmovs, index) && self.is_hyp(index) == of_hyp)
    }

    fn is_filtered(&self, index: usize, mode: Mode) -> bool {
        let filter = self.types[index];
        match mode {
            Mode::User => bit(filter, 30) != bit(filter, 28),
            Mode::Kernel => bit(filter, 31) != bit(filter, 29),
            Mode::Hypervisor => !bit(filter, 27),
        }
    }

    fn overflow_bit(&self, index: usize) -> u32 {
        let long = match index {
            F0 => true,
            C => !self.has_aa32 || bit(self.pmcr, 6),
            _ if self.is_hyp(index) => bit(self.mdcr, 26),
            _ => bit(self.pmcr, 7),
        };
        if long { 64 } else { 32 }
    }

    /// AArch64.IncrementEventCounter() and its like, by one; true if it overflowed.
    fn increment(&mut self, index: usize) -> bool {
        let old = u128::from(self.counters[index]);
        let new = old + 1;
        self.counters[index] = new as u64 & self.counter_bits(index);
        let limit = self.overflow_bit(index);
        let has_overflowed = old >> limit != new >> limit;
        if has_overflowed {
            self.pmovs |= 1 << index;
        }
        has_overflowed
    }

    /// What one event, of this kind, does to those of the counters that count.
    fn event(&mut self, counting: &[usize], of: impl Fn(&Self, usize) -> bool) {
        for &index in counting {
            if !of(self, index) {
                continue;
            }
            let chains = self.overflow_bit(index) == 32;
            let is_even = index < 30 && index % 2 == 0;
            if self.increment(index) && chains && is_even && counting.contains(&(index + 1)) && self.is_chain(index + 1)
            {
                self.increment(index + 1);
            }
        }
    }

    fn evt(&self, index: usize) -> u64 {
        self.types[index] & 0xFFFF
    }

    fn is_announced(&self, event: u64) -> bool {
        let [first, second] = self.identity.announced().registers();
        let upper = |register: u64| if self.version >= 1 { register >> 32 } else { 0 };
        match event {
            0x00..0x20 => bit(first, event as usize),
            0x20..0x40 => bit(second, event as usize - 0x20),
            0x4000..0x4020 => bit(upper(first), event as usize - 0x4000),
            0x4020..0x4040 => bit(upper(second), event as usize - 0x4020),
            _ => true,
        }
    }

    fn has_threshold(&self, index: usize) -> bool {
        self.types[index] & (0b1111 << 60 | 0xFFF << 32) != 0
    }

    fn is_plainly(&self, index: usize, event: u64) -> bool {
        self.evt(index) == event && self.is_announced(event) && !self.has_threshold(index)
    }

    /// Returns true if an event counter counts this event, or the one for what is executed speculatively.
    fn is_one_of(&self, index: usize, events: [u64; 2]) -> bool {
        index < 31 && events.into_iter().any(|event| self.is_plainly(index, event))
    }

    fn is_chain(&self, index: usize) -> bool {
        self.is_plainly(index, 0x1E)
    }

    /// Time passes. Guests that this is compared with use no thresholds on what is counted.
    pub(crate) fn advance(&mut self, work: &Work) {
        let mode = work.mode();
        let counting: Vec<usize> =
            (0..33).filter(|&index| bit(self.all(), index) && self.counts(index, mode)).collect();
        for _ in 0..work.of(Kind::Instructions) {
            self.event(&counting, |model, index| index == F0 || model.is_one_of(index, [0x08, 0x1B]));
        }
        for _ in 0..work.of(Kind::Branches) {
            self.event(&counting, |model, index| model.is_one_of(index, [0x21, 0x12]));
        }
        for _ in 0..work.of(Kind::Cycles) {
            self.event(&counting, |model, index| index < 31 && model.is_plainly(index, 0x11));
            self.cycle(&counting);
        }
    }

    /// AArch64.IncrementCycleCounter().
    fn cycle(&mut self, counting: &[usize]) {
        if !counting.contains(&C) {
            return;
        }
        if self.overflow_bit(C) == 64 || !bit(self.pmcr, 3) {
            self.increment(C);
            return;
        }
        self.divider += 1;
        if self.divider == 64 {
            self.divider = 0;
            self.increment(C);
        }
    }

    /// PMUSwIncrement().
    pub(super) fn software_increment(&mut self, mode: Mode, value: u64) {
        let mut mask = (1u64 << self.accessible(mode)) - 1;
        if mode == Mode::User && self.uen() && !bit(self.pmuserenr, 1) {
            mask &= self.pmuacr;
        }
        let counting: Vec<usize> = (0..self.n).filter(|&index| self.counts(index, mode)).collect();
        self.event(&counting, |model, index| bit(value & mask, index) && model.is_plainly(index, 0x00));
    }

    /// CheckForPMUOverflow(): the level of PMUIRQ.
    pub(crate) fn irq(&self) -> bool {
        (0..33).any(|index| {
            let global = if self.is_hyp(index) { bit(self.mdcr, 7) } else { bit(self.pmcr, 0) };
            global && bit(self.pmovs & self.pminten & self.all(), index)
        })
    }
}
