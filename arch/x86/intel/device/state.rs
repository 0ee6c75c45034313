//! The contents of a device, as plain data, and as a snapshot has them.

use super::limits::Limits;
use super::place::Place;
use super::{FIXED, GENERAL};
use crate::arch::x86::Window;
use crate::arch::x86::intel::AuxiliaryRegister;
use crate::virt::{Contents, Family, Fault, check_fit, words};

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// The general counters, IA32_PMCx.
    pub general: [u64; GENERAL],
    /// Their selectors, IA32_PERFEVTSELx.
    pub selects: [u64; GENERAL],
    /// The fixed counters, IA32_FIXED_CTRx.
    pub fixed: [u64; FIXED],
    /// The auxiliary registers, in the order of [`AuxiliaryRegister::ALL`].
    pub beside: [u64; AuxiliaryRegister::COUNT],
    /// IA32_FIXED_CTR_CTRL.
    pub fixed_control: u64,
    /// IA32_PERF_GLOBAL_CTRL.
    pub global_control: u64,
    /// IA32_PERF_GLOBAL_STATUS.
    pub global_status: u64,
    /// IA32_TSX_FORCE_ABORT.
    pub force_abort: u64,
    /// IA32_DEBUGCTL, as the device was told.
    pub debug_control: u64,
    /// The cycles that the device was told of.
    pub ticks: u64,
}

words!(State {
    general,
    selects,
    fixed,
    beside,
    fixed_control,
    global_control,
    global_status,
    force_abort,
    debug_control,
    ticks
});

impl Contents for State {
    const FAMILY: Family = Family::new("intel");
    const VERSIONS: &'static [usize] = &[36];
}

impl State {
    /// Checks that a unit with these limits can have these contents.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        check_each(limits, &self.general, |number| Place::General(Window::Narrow, number))?;
        check_each(limits, &self.selects, Place::Select)?;
        check_each(limits, &self.fixed, Place::Fixed)?;
        check_each(limits, &self.beside, Place::AuxiliaryRegister)?;
        limits.check(Place::FixedControl, self.fixed_control)?;
        limits.check(Place::Control, self.global_control)?;
        limits.check(Place::Status, self.global_status)?;
        limits.check(Place::ForceAbort, self.force_abort)?;
        check_fit(Some(limits.debug_control()), self.debug_control)
    }
}

fn check_each(limits: &Limits, values: &[u64], place: fn(usize) -> Place) -> Result<(), Fault> {
    values.iter().enumerate().try_for_each(|(number, &value)| limits.check(place(number), value))
}
