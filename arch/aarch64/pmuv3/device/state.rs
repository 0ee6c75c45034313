//! The contents of a device, as plain data, and as a snapshot has them.

use core::cell::Cell;

use super::limits::Limits;
use super::place::{Half, Place};
use super::{COUNTERS, Device};
use crate::event::CounterSet;
use crate::virt::{Contents, Family, Fault, Trigger, words};

/// The contents of all registers. Registers that the unit does not have are 0.
///
/// Counters and selections have the numbers that they have in PMCNTENSET_EL0: event counters from 0,
/// cycles at 31, instructions at 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct State {
    /// The counters, PMEVCNTRn_EL0, PMCCNTR_EL0 and PMICNTR_EL0.
    pub counters: [u64; COUNTERS],
    /// The selections and filters, PMEVTYPERn_EL0, PMCCFILTR_EL0 and PMICFILTR_EL0.
    pub selects: [u64; COUNTERS],
    /// The bits of PMCR_EL0 that can be written and keep their value.
    pub control: u64,
    /// PMCNTENSET_EL0.
    pub enable: u64,
    /// PMINTENSET_EL1.
    pub interrupt: u64,
    /// PMOVSSET_EL0.
    pub overflowed: u64,
    /// PMSELR_EL0.
    pub selector: u64,
    /// PMUSERENR_EL0.
    pub user_enable: u64,
    /// PMUACR_EL1.
    pub user_access: u64,
    /// The unit's bits of MDCR_EL2.
    pub hypervisor_control: u64,
    /// The position in the 64 cycles of the divider, 0 to 63 (PMCR_EL0.D).
    pub phase: u64,
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            counters: [0; COUNTERS],
            selects: [0; COUNTERS],
            control: 0,
            enable: 0,
            interrupt: 0,
            overflowed: 0,
            selector: 0,
            user_enable: 0,
            user_access: 0,
            hypervisor_control: 0,
            phase: 0,
            ticks: 0,
        }
    }
}

words!(State {
    counters,
    selects,
    control,
    enable,
    interrupt,
    overflowed,
    selector,
    user_enable,
    user_access,
    hypervisor_control,
    phase,
    ticks
});

impl Contents for State {
    const FAMILY: Family = Family::new("pmuv3");
    const VERSIONS: &'static [usize] = &[76];
}

impl State {
    /// Checks that a unit with these limits can have these contents.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        check_each(limits, &self.counters, Place::Counter)?;
        check_each(limits, &self.selects, Place::Select)?;
        limits.check(Place::Control, self.control)?;
        for value in [self.enable, self.interrupt, self.overflowed] {
            limits.check(Place::Enable(Half::Set), value)?;
        }
        limits.check(Place::Selector, self.selector)?;
        limits.check(Place::UserEnable, self.user_enable)?;
        limits.check(Place::UserAccess, self.user_access)?;
        limits.check(Place::HypervisorControl, self.hypervisor_control)?;
        if self.phase < 64 { Ok(()) } else { Err(Fault::Reserved) }
    }
}

fn check_each(limits: &Limits, values: &[u64], place: fn(u8) -> Place) -> Result<(), Fault> {
    (0..).zip(values).try_for_each(|(number, &value)| limits.check(place(number), value))
}

impl<T: Trigger> Device<T> {
    /// Puts these contents into the unit.
    pub(super) fn put(&self, state: &State) {
        fill(&self.counters, &state.counters);
        fill(&self.selects, &state.selects);
        self.control.set(state.control);
        self.enable.set(state.enable);
        self.interrupt.set(state.interrupt);
        self.overflowed.set(state.overflowed);
        self.selector.set(state.selector);
        self.user_enable.set(state.user_enable);
        self.user_access.set(state.user_access);
        self.put_hypervisor_control(state.hypervisor_control);
        self.phase.set(state.phase);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

fn fill(cells: &[Cell<u64>], values: &[u64]) {
    cells.iter().zip(values).for_each(|(cell, &value)| cell.set(value));
}
