//! PMUv3 written down a second time: one event at a time, bit by bit as the manual's pseudocode goes,
//! with no regard to speed. Where the device computes, this counts.
//!
//! It takes from the library the names of registers and the values of ID registers, and nothing else.
//! The fuzz target reads this file too.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Identity;
use pmu::arch::aarch64::pmuv3::device::State;
use pmu::virt::{Fault, Kind, Work};

const C: usize = 31;
const F0: usize = 32;

fn field(register: u64, from: u32) -> u64 {
    register >> from & 0xF
}

fn bit(register: u64, number: usize) -> bool {
    register >> number & 1 == 1
}

/// The unit, as the manual has it.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) version: u64,
    identity: Identity,
    n: usize,
    has_icntr: bool,
    has_el2: bool,
    has_el3: bool,
    has_sel2: bool,
    has_rme: bool,
    has_aa32: bool,
    th_width: u64,
    has_edge: bool,
    counters: [u64; 33],
    types: [u64; 33],
    pmcr: u64,
    pmcnten: u64,
    pminten: u64,
    pmovs: u64,
    pmselr: u64,
    pmuserenr: u64,
    pmuacr: u64,
    mdcr: u64,
    divider: u64,
}

impl Model {
    pub(crate) fn new(identity: &Identity) -> Self {
        let id = |at| identity.register(at, Mode::Kernel).unwrap();
        let pfr0 = id(SystemRegister::PROCESSOR_FEATURES);
        let version = match field(id(SystemRegister::DEBUG_FEATURES_0), 8) {
            1 => 0,
            4 => 1,
            5 => 4,
            6 => 5,
            other => other,
        };
        let pmmir = if version >= 4 { identity.machine().0 } else { 0 };
        let n = identity.control().counters().into();
        let has_el2 = field(pfr0, 8) != 0;
        Self {
            version,
            identity: *identity,
            n,
            has_icntr: version >= 9 && field(id(SystemRegister::DEBUG_FEATURES_1), 36) != 0,
            has_el2,
            has_el3: field(pfr0, 12) != 0,
            has_sel2: field(pfr0, 36) != 0,
            has_rme: field(pfr0, 52) != 0,
            has_aa32: field(pfr0, 0) == 2,
            th_width: field(pmmir, 20),
            has_edge: field(pmmir, 24) != 0,
            counters: [0; 33],
            types: [0; 33],
            pmcr: 0,
            pmcnten: 0,
            pminten: 0,
            pmovs: 0,
            pmselr: 0,
            pmuserenr: 0,
            pmuacr: 0,
            mdcr: if has_el2 { n as u64 } else { 0 },
            divider: 0,
        }
    }

    pub(crate) fn all(&self) -> u64 {
        ((1 << self.n) - 1) | 1 << C | u64::from(self.has_icntr) << F0
    }

    pub(crate) fn counter_bits(&self, number: usize) -> u64 {
        match number {
            _ if !bit(self.all(), number) => 0,
            0..31 if self.version < 5 => 0xFFFF_FFFF,
            _ => u64::MAX,
        }
    }

    pub(crate) fn select_bits(&self, number: usize) -> u64 {
        let levels = 0xC000_0000
            | if self.has_el3 { 0x3400_0000 } else { 0 }
            | if self.has_el2 { 0x0800_0000 } else { 0 }
            | if self.has_el3 && self.has_sel2 { 0x0100_0000 } else { 0 }
            | if self.has_rme { 0x0070_0000 } else { 0 };
        let event = if self.version >= 1 { 0xFFFF } else { 0x03FF };
        let threshold = if self.th_width > 0 { 0b111 << 61 | ((1 << self.th_width) - 1) << 32 } else { 0 };
        let edge = if self.th_width > 0 && self.has_edge { 1 << 60 } else { 0 };
        match number {
            _ if !bit(self.all(), number) => 0,
            0..31 => levels | event | threshold | edge,
            _ => levels,
        }
    }

    pub(crate) fn control_bits(&self) -> u64 {
        let dp = self.has_el3 || self.version >= 1 && self.has_el2 || self.version >= 7;
        1 | if self.has_aa32 { 0x48 } else { 0 }
            | if dp { 0x20 } else { 0 }
            | if self.version >= 5 { 0x80 } else { 0 }
            | if self.version >= 7 { 0x200 } else { 0 }
    }

    pub(crate) fn user_bits(&self) -> u64 {
        0xF | if self.version >= 9 { 0x50 } else { 0 } | if self.has_icntr { 0x20 } else { 0 }
    }

    pub(crate) fn hypervisor_bits(&self) -> u64 {
        if !self.has_el2 {
            return 0;
        }
        0xFF | if self.version >= 1 { 1 << 17 } else { 0 }
            | if self.version >= 5 { 1 << 23 | 1 << 26 } else { 0 }
            | if self.version >= 7 { 1 << 29 } else { 0 }
    }

    /// GetNumEventCountersAccessible(), with HPMN out of range taken as the nearest number in range.
    fn accessible(&self, mode: Mode) -> usize {
        let hpmn = self.n.min((self.mdcr & 31) as usize);
        if self.has_el2 && mode != Mode::Hypervisor { hpmn } else { self.n }
    }

    fn is_hyp(&self, index: usize) -> bool {
        index < 31 && self.has_el2 && index >= self.accessible(Mode::Kernel)
    }

    fn uen(&self) -> bool {
        bit(self.pmuserenr, 4)
    }

    /// GetPMUReadMask().
    fn read_mask(&self, mode: Mode) -> u64 {
        let mut mask = ((1 << self.accessible(mode)) - 1) | 1 << C;
        if self.has_icntr && (mode != Mode::User || self.uen()) {
            mask |= 1 << F0;
        }
        if mode == Mode::User && self.uen() { mask & self.pmuacr } else { mask }
    }

    /// GetPMUWriteMask().
    fn write_mask(&self, mode: Mode) -> u64 {
        let mut mask = self.read_mask(mode);
        if mode == Mode::User && self.uen() {
            if bit(self.pmuserenr, 5) {
                mask &= !(1 << F0);
            }
            if bit(self.pmuserenr, 2) {
                mask &= !(1 << C);
            }
            if bit(self.pmuserenr, 3) {
                mask &= !0x7FFF_FFFF;
            }
        }
        mask
    }

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

    fn is_chain(&self, index: usize) -> bool {
        self.is_plainly(index, 0x1E)
    }

    /// Time passes. Guests that this is compared with use no thresholds on what is counted.
    pub(crate) fn advance(&mut self, work: &Work) {
        let mode = work.mode();
        let counting: Vec<usize> =
            (0..33).filter(|&index| bit(self.all(), index) && self.counts(index, mode)).collect();
        for _ in 0..work.of(Kind::Instructions) {
            self.event(&counting, |model, index| index == F0 || index < 31 && model.is_plainly(index, 0x08));
        }
        for _ in 0..work.of(Kind::Branches) {
            self.event(&counting, |model, index| index < 31 && model.is_plainly(index, 0x21));
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
    fn software_increment(&mut self, mode: Mode, value: u64) {
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

    /// All that it holds, as the device's snapshots have it.
    pub(crate) fn state(&self, ticks: u64) -> State {
        State {
            counters: self.counters,
            selects: self.types,
            control: self.pmcr,
            enable: self.pmcnten,
            interrupt: self.pminten,
            overflowed: self.pmovs,
            selector: self.pmselr,
            user_enable: self.pmuserenr,
            user_access: self.pmuacr,
            hypervisor_control: self.mdcr,
            phase: self.divider,
            ticks,
        }
    }

    /// Does the access get as far as the register, and to which counter's?
    fn admit(&self, mode: Mode, at: SystemRegister, is_write: bool) -> Result<Option<usize>, Fault> {
        use SystemRegister as R;
        let sel = self.pmselr as usize;
        let index = match at {
            R::CYCLES | R::CYCLE_FILTER => Some(C),
            R::INSTRUCTIONS | R::INSTRUCTION_FILTER => Some(F0),
            R::SELECTED_COUNTER if sel == 31 => return Err(Fault::Absent),
            R::SELECTED_COUNTER | R::SELECTED_SELECT => Some(sel),
            _ => at.as_counter().or(at.as_select()).map(usize::from),
        };
        let is_undefined = match at {
            R::USER_ACCESS | R::ZERO => self.version < 9,
            R::MACHINE => self.version < 4,
            R::HYPERVISOR_CONTROL => !self.has_el2,
            _ => index.is_some_and(|index| !bit(self.all(), index)),
        };
        if is_undefined {
            return Err(Fault::Absent);
        }
        let is_id = matches!(at.number() >> 7 & 15, 0 | 4);
        if is_write && (is_id || [R::EVENTS_0, R::EVENTS_1, R::MACHINE].contains(&at)) {
            return Err(Fault::ReadOnly);
        }
        if !is_write && [R::SOFTWARE_INCREMENT, R::ZERO].contains(&at) {
            return Err(Fault::WriteOnly);
        }
        if mode == Mode::User {
            self.admit_user(at, index, is_write)?;
        }
        if mode == Mode::Hypervisor || !self.has_el2 || is_id {
            return Ok(index);
        }
        if at == R::HYPERVISOR_CONTROL {
            return Err(Fault::Absent);
        }
        let is_trapped = bit(self.mdcr, 6)
            || at == R::CONTROL && bit(self.mdcr, 5)
            || index.is_some_and(|index| index < 31 && index >= self.accessible(mode));
        if is_trapped { Err(Fault::Trapped(Mode::Hypervisor)) } else { Ok(index) }
    }

    fn admit_user(&self, at: SystemRegister, index: Option<usize>, is_write: bool) -> Result<(), Fault> {
        use SystemRegister as R;
        if at.number() >> 11 & 7 != 3 {
            return Err(Fault::Absent); // op1 is not EL0's.
        }
        if at == R::USER_ENABLE {
            return if is_write { Err(Fault::ReadOnly) } else { Ok(()) };
        }
        let [en, sw, cr, er, uen, _, tid] = [0, 1, 2, 3, 4, 5, 6].map(|number| bit(self.pmuserenr, number));
        let is_counter = at.as_counter().is_some() || at == R::SELECTED_COUNTER;
        let is_admitted = match at {
            R::CONTROL => en && !uen,
            R::INSTRUCTIONS | R::INSTRUCTION_FILTER => uen,
            R::EVENTS_0 | R::EVENTS_1 => (en || uen) && !tid,
            R::SELECTOR => en || uen || er,
            R::SOFTWARE_INCREMENT => en || uen || sw,
            R::CYCLES if !is_write => en || uen || cr,
            _ if is_counter && !is_write && index.is_some() => en || uen || er,
            _ => en || uen,
        };
        if is_admitted { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }

    pub(crate) fn read(&self, mode: Mode, at: SystemRegister) -> Result<u64, Fault> {
        use SystemRegister as R;
        let index = self.admit(mode, at, false)?;
        let mask = self.read_mask(mode);
        if let Some(index) = index {
            let is_hidden = mode == Mode::User && self.uen() && !bit(self.pmuacr, index);
            return Ok(if is_hidden { 0 } else { self.of_counter(at, index) });
        }
        let [first, second] = self.identity.announced().registers();
        let announced = |register: u64| if self.version >= 1 { register } else { register & 0xFFFF_FFFF };
        Ok(match at {
            R::ENABLE_SET | R::ENABLE_CLEAR => self.pmcnten & mask,
            R::INTERRUPT_SET | R::INTERRUPT_CLEAR => self.pminten & mask,
            R::OVERFLOW_SET | R::OVERFLOW_CLEAR => self.pmovs & mask,
            R::CONTROL => self.pmcr | self.constant() | (self.accessible(mode) as u64) << 11,
            R::SELECTOR => self.pmselr,
            R::USER_ENABLE => self.pmuserenr,
            R::USER_ACCESS => self.pmuacr & mask,
            R::EVENTS_0 => announced(first),
            R::EVENTS_1 => announced(second),
            R::MACHINE => self.identity.machine().0,
            R::HYPERVISOR_CONTROL => self.mdcr,
            _ => self.identity.register(at, mode).unwrap(),
        })
    }

    fn of_counter(&self, at: SystemRegister, index: usize) -> u64 {
        let is_counter = at.as_counter().is_some()
            || [SystemRegister::SELECTED_COUNTER, SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS].contains(&at);
        match index {
            _ if is_counter => self.counters[index],
            F0 => self.types[F0] | 0x0008,
            _ => self.types[index],
        }
    }

    /// What of PMCR_EL0 is constant: LC without AArch32, IMP and IDCODE before PMUv3p7.
    fn constant(&self) -> u64 {
        let id = if self.version < 7 { self.identity.control().bits() & 0xFFFF_0000 } else { 0 };
        id | if self.has_aa32 { 0 } else { 0x40 }
    }

    pub(crate) fn write(&mut self, mode: Mode, at: SystemRegister, value: u64) -> Result<(), Fault> {
        use SystemRegister as R;
        let index = self.admit(mode, at, true)?;
        let mask = self.write_mask(mode);
        if let Some(index) = index {
            if mode != Mode::User || !self.uen() || bit(mask, index) {
                self.set_of_counter(at, index, value);
            }
            return Ok(());
        }
        match at {
            R::ENABLE_SET => self.pmcnten |= value & mask & self.all(),
            R::ENABLE_CLEAR => self.pmcnten &= !(value & mask),
            R::INTERRUPT_SET => self.pminten |= value & mask & self.all(),
            R::INTERRUPT_CLEAR => self.pminten &= !(value & mask),
            R::OVERFLOW_SET => self.pmovs |= value & mask & self.all(),
            R::OVERFLOW_CLEAR => self.pmovs &= !(value & mask),
            R::CONTROL => {
                self.pmcr = value & self.control_bits();
                let events = if bit(value, 1) { 0x7FFF_FFFF } else { 0 };
                self.zero((events | u64::from(bit(value, 2)) << C) & mask);
            }
            R::ZERO => self.zero(value & mask),
            R::SOFTWARE_INCREMENT => self.software_increment(mode, value),
            R::SELECTOR => self.pmselr = value & 31,
            R::USER_ENABLE => self.pmuserenr = value & self.user_bits(),
            R::USER_ACCESS => self.pmuacr = self.pmuacr & !mask | value & mask & self.all(),
            R::HYPERVISOR_CONTROL => self.mdcr = value & self.hypervisor_bits(),
            other => panic!("{other:?} is not written"),
        }
        Ok(())
    }

    fn set_of_counter(&mut self, at: SystemRegister, index: usize, value: u64) {
        let counters = [SystemRegister::SELECTED_COUNTER, SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS];
        if at.as_counter().is_some() || counters.contains(&at) {
            self.counters[index] = value & self.counter_bits(index);
        } else {
            self.types[index] = value & self.select_bits(index);
        }
    }

    /// ZeroPMUCounters().
    fn zero(&mut self, counters: u64) {
        let there = counters & self.all();
        for index in (0..33).filter(|&index| bit(there, index)) {
            self.counters[index] = 0;
            if index == C {
                self.divider = 0;
            }
        }
    }
}
