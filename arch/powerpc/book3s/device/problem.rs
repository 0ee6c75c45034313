//! The unit as problem state accesses it: by the copies, with the rights that the kernel grants.
//!
//! Before Power ISA 2.07 all copies can be read and none written. From then on MMCR0\[PMCC\] determines the
//! rights (2.07B Book III-S, section 9.4.4, "Monitor Mode Control Register 0"; checked against QEMU's
//! target/ppc/power8-pmu-regs.c.inc):
//!
//! | PMCC | group A: counters, MMCR0, MMCR2, MMCRA | group B: the others |
//! |---|---|---|
//! | 0 | read | read |
//! | 1 | neither | neither |
//! | 2 | read and write | read |
//! | 3 | read and write, except PMC5 and PMC6 | read |
//!
//! Other accesses trap. To the kernel: accesses by the kernel's own number (Program interrupt),
//! and those that PMCC withholds (Facility Unavailable). To the hypervisor: writes that no PMCC would
//! permit (Hypervisor Emulation Assistance), or that PMCC = 0 does not permit.

use super::place::{Place, is_copy};
use super::{Device, Fault};
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::book3s::{Freeze, Mmcr0};
use crate::event::{CounterId, Mode};
use crate::virt::{Device as _, Trigger};

/// The bits of MMCR0 that problem state sees and changes.
const CONTROL: Mmcr0 = Mmcr0::FREEZE.union(Mmcr0::ALERT).union(Mmcr0::ALERTED);

impl<T: Trigger> Device<T> {
    /// Reads a register in this mode.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] or [`Fault::Trapped`]. Nothing has changed then.
    pub fn read_from(&self, mode: Mode, at: Spr) -> Result<u64, Fault> {
        if mode != Mode::User {
            return self.try_read(at);
        }
        let place = self.reached_by_problem(at)?;
        let value = self.read_place(place).ok_or(Fault::Absent)?;
        Ok(value & self.seen_by_problem(place))
    }

    /// Writes a register in this mode.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::ReadOnly`], which a user program gets before 2.07, or [`Fault::Trapped`]. Nothing
    /// has changed then.
    pub fn write_from(&self, mode: Mode, at: Spr, value: u64) -> Result<(), Fault> {
        if mode != Mode::User {
            return self.try_write(at, value);
        }
        let place = self.reached_by_problem(at)?;
        let before = self.read_place(place).ok_or(Fault::Absent)?;
        if !self.limits.is_207() {
            return Err(Fault::ReadOnly);
        }
        if !place.is_in_group_a() || self.problem_access() == 0 {
            return Err(Fault::Trapped(Mode::Hypervisor));
        }
        let seen = self.seen_by_problem(place);
        self.write_place(place, before & !seen | value & seen, Mode::User);
        Ok(())
    }

    /// Returns the register, if problem state can at least read it.
    fn reached_by_problem(&self, at: Spr) -> Result<Place, Fault> {
        if !is_copy(at) {
            return Err(Fault::Trapped(Mode::Kernel));
        }
        let place = Place::of(at).ok_or(Fault::Absent)?;
        self.limits.bits(place).ok_or(Fault::Absent)?;
        let withheld = match self.problem_access() {
            1 => true,
            3 => matches!(place, Place::Counter(4..)),
            _ => false,
        };
        if withheld { Err(Fault::Trapped(Mode::Kernel)) } else { Ok(place) }
    }

    /// Returns PMCC; 0 if there is no such field.
    fn problem_access(&self) -> u64 {
        let control = self.control() & Mmcr0::PROBLEM_ACCESS;
        if self.limits.is_207() { control.bits() >> Mmcr0::PROBLEM_ACCESS.bits().trailing_zeros() } else { 0 }
    }

    /// Returns the bits of a register that problem state sees.
    fn seen_by_problem(&self, place: Place) -> u64 {
        match place {
            Place::Control if self.limits.is_207() => CONTROL.bits(),
            Place::Freezes => {
                self.limits.counters().into_iter().fold(0, |bits, id: CounterId| bits | Freeze::PROBLEM.of(id))
            }
            _ => u64::MAX,
        }
    }
}
