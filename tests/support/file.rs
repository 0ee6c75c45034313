//! PMUv3's registers for tests of the driver: they store values, have set and clear registers, and counters that wrap.
//!
//! This is not a model of the unit, which is the device. It ignores filters, and all events except CHAIN.

use std::cell::RefCell;
use std::collections::HashMap;

use pmu::arch::aarch64::pmuv3::{Announced, Capabilities, Device, Identity, Pmcr};
use pmu::arch::aarch64::{Index, SystemRegister};
use pmu::driver::Registers;
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterId, Mode};

use super::registers;

/// A unit with six event counters, at EL1 with nothing above, that announces every common event.
pub(crate) fn plain() -> Capabilities {
    let core = Device::new(&Identity::CORTEX_A53.for_guest(), Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
    let mut capabilities = Capabilities::discover(&core).expect("the core has a unit");
    capabilities.announced = Announced { low: u64::MAX, high: u64::MAX };
    capabilities
}

/// These capabilities with a change.
pub(crate) fn with(mut capabilities: Capabilities, change: impl FnOnce(&mut Capabilities)) -> Capabilities {
    change(&mut capabilities);
    capabilities
}

/// One unit's registers.
#[derive(Debug)]
pub(crate) struct File {
    capabilities: Capabilities,
    values: RefCell<HashMap<SystemRegister, u64>>,
}

impl File {
    /// Registers that live as long as the test, all 0.
    pub(crate) fn new(capabilities: Capabilities) -> &'static Self {
        Box::leak(Box::new(Self { capabilities, values: RefCell::default() }))
    }

    pub(crate) fn get(&self, at: SystemRegister) -> u64 {
        self.values.borrow().get(&at).copied().unwrap_or_default()
    }

    pub(crate) fn set(&self, at: SystemRegister, value: u64) {
        self.values.borrow_mut().insert(at, value);
    }

    /// So many events on this counter, if it is enabled.
    pub(crate) fn count(&self, counter: CounterId, events: u64) {
        if self.get(SystemRegister::ENABLE_SET) & counter.only().bits() == 0 {
            return;
        }
        let at = SystemRegister::any_counter(counter);
        let mask = if self.is_narrow(counter) { u64::from(u32::MAX) } else { u64::MAX };
        let before = self.get(at);
        let after = before.wrapping_add(events) & mask;
        self.set(at, after);
        if after < before {
            self.overflow(counter);
        }
    }

    fn is_narrow(&self, counter: CounterId) -> bool {
        let control = Pmcr::from_bits_truncate(self.get(SystemRegister::CONTROL));
        counter.number() < 31 && !(self.capabilities.has_long_events() && control.contains(Pmcr::LONG_EVENTS))
    }

    /// The odd counter behind an even one counts its overflow, where it counts CHAIN.
    fn overflow(&self, counter: CounterId) {
        let status = self.get(SystemRegister::OVERFLOW_SET);
        self.set(SystemRegister::OVERFLOW_SET, status | counter.only().bits());
        let next = CounterId::new(counter.number() + 1).filter(|next| counter.number() & 1 == 0 && next.number() < 31);
        if let Some(next) = next.filter(|next| self.get(SystemRegister::any_select(*next)) & 0xFFFF == 0x1E) {
            self.count(next, 1);
        }
    }

    /// What a register that has a twin which clears is kept as.
    fn kept_as(at: SystemRegister) -> (SystemRegister, bool) {
        match at {
            SystemRegister::ENABLE_CLEAR => (SystemRegister::ENABLE_SET, true),
            SystemRegister::INTERRUPT_CLEAR => (SystemRegister::INTERRUPT_SET, true),
            SystemRegister::OVERFLOW_CLEAR => (SystemRegister::OVERFLOW_SET, true),
            other => (other, false),
        }
    }
}

impl Registers for File {
    type Address = SystemRegister;
    type Index = Index;

    registers::without_clock!();

    fn read(&self, at: SystemRegister) -> u64 {
        let value = self.get(Self::kept_as(at).0);
        match at {
            SystemRegister::CONTROL => value | u64::from(self.capabilities.event_counters) << 11,
            _ => value,
        }
    }

    fn write(&self, at: SystemRegister, value: u64) {
        let (kept, clears) = Self::kept_as(at);
        let sets =
            matches!(kept, SystemRegister::ENABLE_SET | SystemRegister::INTERRUPT_SET | SystemRegister::OVERFLOW_SET);
        let value = match (clears, sets) {
            (true, _) => self.get(kept) & !value,
            (false, true) => self.get(kept) | value,
            (false, false) => value,
        };
        self.set(kept, value);
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.read(index.register())
    }
}
