//! The contents of a device, as plain data, and as a snapshot has them.

use super::COUNTERS;
use super::limits::Limits;
use super::place::Place;
use crate::virt::{Contents, Family, Fault, Words, check_fit, words};

/// Whether a virtual processor uses SVM, AMD's virtualisation, and whether it runs a guest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Svm {
    /// SVM is not enabled (EFER.SVME is clear).
    #[default]
    Off,
    /// SVM is enabled, and no guest is running.
    Host,
    /// A guest is running.
    Guest,
}

impl Words for Svm {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        let known = [Self::Off, Self::Host, Self::Guest].get(exchange(*self as u64) as usize).copied();
        *self = known.unwrap_or_default();
        known.is_some()
    }
}

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// The counters.
    pub counters: [u64; COUNTERS],
    /// Their selectors.
    pub selects: [u64; COUNTERS],
    /// PerfCntrGlobalCtl.
    pub control: u64,
    /// PerfCntrGlobalStatus.
    pub status: u64,
    /// The state of SVM, as the device was told.
    pub svm: Svm,
    /// The cycles that the device was told of.
    pub ticks: u64,
}

words!(State { counters, selects, control, status, svm, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("amd");
    const VERSIONS: &'static [usize] = &[16];
}

impl State {
    /// Checks that a unit with these limits can have these contents.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        let check_each = |values: &[u64], place: fn(usize) -> Place| {
            values.iter().enumerate().try_for_each(|(number, &value)| check_fit(limits.bits(place(number)), value))
        };
        check_each(&self.counters, Place::Counter)?;
        check_each(&self.selects, Place::Select)?;
        check_fit(limits.bits(Place::Control), self.control)?;
        check_fit(limits.bits(Place::Status), self.status)
    }
}
