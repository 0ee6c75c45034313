//! What a guest does: which accesses get as far as a register, and what they read and change there.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::virt::Fault;

use super::{C, F0, Model, bit};

impl Model {
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
