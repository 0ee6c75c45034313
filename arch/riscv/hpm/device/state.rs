//! The contents of a device, as plain data, and as a snapshot has them.

use super::{COUNTERS, id};
use crate::arch::riscv::hpm::capabilities::writable;
use crate::arch::riscv::hpm::{Capabilities, Extensions, Interrupt};
use crate::virt::{Contents, Family, Fault, words};

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// Each counter, by its number.
    pub counters: [u64; COUNTERS],
    /// mhpmevent of each counter; mcyclecfg and minstretcfg.
    pub selects: [u64; COUNTERS],
    /// The counters that do not count (mcountinhibit).
    pub inhibited: u32,
    /// The counters that lower modes can read (mcounteren).
    pub readable: u32,
    /// The counters that user mode can read, if lower modes can (scounteren).
    pub readable_in_user: u32,
    /// Whether the interrupt is pending.
    pub is_pending: bool,
    /// Whether the interrupt is enabled.
    pub is_enabled: bool,
    /// siselect.
    pub selected: u64,
    /// The cycles that were reported to the device.
    pub ticks: u64,
    /// The counters that have overflowed (mcounterof, on T-Head's; mcounterovf, on Andes').
    pub overflowed: u32,
    /// The counters whose overflows interrupt (mcounterinten, on T-Head's and Andes').
    pub interrupting: u32,
}

words!(State {
    counters,
    selects,
    inhibited,
    readable,
    readable_in_user,
    is_pending,
    is_enabled,
    selected,
    ticks,
    overflowed,
    interrupting
});

impl Contents for State {
    const FAMILY: Family = Family::new("hpm");
    const VERSIONS: &'static [usize] = &[71, 73];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, capabilities: &Capabilities, all: u32) -> Result<(), Fault> {
        for (number, (&counter, &select)) in (0..).zip(self.counters.iter().zip(&self.selects)) {
            let (mask, writable) = match all >> number & 1 {
                1 => (capabilities.width_of(id(number)).mask(), writable(capabilities, id(number)).bits()),
                _ if counter != 0 || select != 0 => return Err(Fault::Absent),
                _ => continue,
            };
            if counter & !mask != 0 || select & !writable != 0 {
                return Err(Fault::Reserved);
            }
        }
        let is_delegated = capabilities.extensions.contains(Extensions::SSCCFG);
        let registers = [
            (self.inhibited, capabilities.can_inhibit()),
            (self.readable, capabilities.extensions.contains(Extensions::USER)),
            (self.readable_in_user, is_delegated),
            (self.overflowed | self.interrupting, capabilities.interrupt().own().is_some()),
        ];
        let is_wrong = |(value, is_there): (u32, bool)| value & !all != 0 || value != 0 && !is_there;
        let is_strange = registers.into_iter().any(is_wrong) || self.selected != 0 && !is_delegated;
        let pends = self.is_pending && capabilities.interrupt() != Interrupt::Sscofpmf
            || self.is_enabled && !capabilities.interrupts();
        if is_strange || pends { Err(Fault::Reserved) } else { Ok(()) }
    }
}
