//! The records in software: their registers as a guest's instructions show them.

use core::cell::Cell;
use core::convert::Infallible;
use core::fmt;

use super::registers::{
    Control, DEEPEST, FROZEN, HAS_CYCLES, MISPREDICTED, MOST, NEWEST, Register, VALID, WRITE_POINTER, code,
    cycles_to_data, depth,
};
use crate::arch::riscv::hpm::Privilege;
use crate::event::{Branch, BranchKind, Mode};
use crate::virt::{self, Fault};

/// What an entry has: ctrsource, ctrtarget and ctrdata.
type Entry = [Cell<u64>; 3];

/// The records of one virtual processor's branches, in software.
///
/// The host says of each branch what it was, and in which modes ([`Device::transfer`]), and of each interrupt on counter
/// overflow and each breakpoint that traps ([`Device::overflow_traps`], [`Device::breakpoint_traps`]).
///
/// Source: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", "Control Transfer Records Extension,
/// Version 1.0".
///
/// # What it does not model
///
/// The emulation of a return-address stack (RASEMU reads 0), vsctrctl, and what mstateen0 keeps from lower modes.
pub struct Device {
    privilege: Privilege,
    deepest: u64,
    control: Cell<Control>,
    depth: Cell<u64>,
    next: Cell<usize>,
    is_frozen: Cell<bool>,
    selected: Cell<u64>,
    /// The next record has no cycles: mctrctl was written, or the records were cleared.
    has_lost_cycles: Cell<bool>,
    entries: [Entry; MOST],
}

impl Device {
    /// Creates the records of a guest whose kernel is in this mode, after a reset. It can choose depths of up to `depth` entries:
    /// 16, 32, 64, 128 or 256. Another number is taken for the next smaller one of these, or for 16.
    #[must_use]
    pub fn new(privilege: Privilege, depth: usize) -> Self {
        Self {
            privilege,
            deepest: (0..=DEEPEST).rev().find(|&field| super::registers::depth(field) <= depth).unwrap_or(0),
            control: Cell::default(),
            depth: Cell::new(0),
            next: Cell::new(0),
            is_frozen: Cell::new(false),
            selected: Cell::new(0),
            has_lost_cycles: Cell::new(true),
            entries: [const { [const { Cell::new(0) }; 3] }; MOST],
        }
    }

    /// Reads a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the guest's mode has no such register, or siselect names no entry, and
    /// [`Fault::WriteOnly`] for the instruction SCTRCLR.
    pub fn try_read(&self, at: Register) -> Result<u64, Fault> {
        Ok(match at {
            Register::Mctrctl => self.machine()?.bits(),
            Register::Sctrctl => self.control.get().difference(Control::OF_MACHINE).bits(),
            Register::Sctrstatus => self.next.get() as u64 | if self.is_frozen.get() { FROZEN } else { 0 },
            Register::Sctrdepth => self.depth.get(),
            Register::Siselect => self.selected.get(),
            Register::Sireg | Register::Sireg2 | Register::Sireg3 => {
                self.part(at)?.map_or(0, |(entry, part)| entry.get(part).map_or(0, Cell::get))
            }
            Register::Sctrclr => return Err(Fault::WriteOnly),
        })
    }

    /// Writes the bits that a register has.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the guest's mode has no such register, or siselect names no entry.
    pub fn try_write(&self, at: Register, value: u64) -> Result<(), Fault> {
        match at {
            Register::Mctrctl => {
                self.machine()?;
                self.set_control(Control::from_bits_truncate(value));
            }
            Register::Sctrctl => {
                let kept = self.control.get().intersection(Control::OF_MACHINE);
                self.set_control(kept | Control::from_bits_truncate(value).difference(Control::OF_MACHINE));
            }
            Register::Sctrstatus => {
                self.next.set((value & WRITE_POINTER) as usize % self.length());
                self.is_frozen.set(value & FROZEN != 0);
            }
            Register::Sctrdepth if value & 7 <= self.deepest => {
                self.depth.set(value & 7);
                self.next.set(self.next.get() % self.length());
            }
            Register::Sctrdepth => {}
            Register::Siselect => self.selected.set(value),
            Register::Sireg | Register::Sireg2 | Register::Sireg3 => {
                let place = self.part(at)?.and_then(|(entry, part)| entry.get(part));
                place.into_iter().for_each(|place| place.set(value));
            }
            Register::Sctrclr => {
                self.entries.iter().flatten().for_each(|part| part.set(0));
                self.has_lost_cycles.set(true);
            }
        }
        Ok(())
    }

    /// Records a branch, if it is to be, from code in the first mode to code in the second. The cycles are those since the
    /// branch that was recorded before. The kernel is in the mode that the device was created for.
    pub fn transfer(&self, branch: Branch, modes: [Mode; 2]) {
        if self.is_frozen.get() {
            return;
        }
        let [from, to] = modes.map(|mode| self.records(mode));
        let is_wanted = branch
            .kind
            .is_none_or(|kind| self.control.get().intersects(Control::of(kind)) == (kind == BranchKind::NotTaken));
        let kept = match branch.kind {
            Some(BranchKind::Exception | BranchKind::Interrupt) if from && !to => {
                self.is_external_trap_wanted(modes).then_some([branch.from, 0])
            }
            Some(BranchKind::Exception | BranchKind::Interrupt) if is_wanted && to => {
                Some([if from { branch.from } else { 0 }, branch.to])
            }
            Some(BranchKind::TrapReturn) if is_wanted && from => Some([branch.from, if to { branch.to } else { 0 }]),
            Some(BranchKind::Exception | BranchKind::Interrupt | BranchKind::TrapReturn) => None,
            _ if is_wanted && from => Some([branch.from, branch.to]),
            _ => None,
        };
        kept.into_iter().for_each(|addresses| self.push(addresses, branch));
    }

    /// The interrupt on counter overflow (LCOFI) traps. The host calls this before it records that.
    pub fn overflow_traps(&self) {
        self.freeze_if(Control::FREEZE_AT_OVERFLOW);
    }

    /// A breakpoint traps. The host calls this before it records that.
    pub fn breakpoint_traps(&self) {
        self.freeze_if(Control::FREEZE_AT_BREAKPOINT);
    }

    fn freeze_if(&self, condition: Control) {
        self.is_frozen.set(self.is_frozen.get() || self.control.get().contains(condition));
    }

    fn machine(&self) -> Result<Control, Fault> {
        match self.privilege {
            Privilege::Machine => Ok(self.control.get()),
            Privilege::Supervisor => Err(Fault::Absent),
        }
    }

    fn set_control(&self, control: Control) {
        self.control.set(control);
        self.has_lost_cycles.set(true);
    }

    fn records(&self, mode: Mode) -> bool {
        let bit = match (mode, self.privilege) {
            (Mode::User, _) => Control::USER,
            (Mode::Kernel, Privilege::Supervisor) => Control::SUPERVISOR,
            (Mode::Kernel, Privilege::Machine) => Control::MACHINE,
            (Mode::Hypervisor, _) => return false,
        };
        self.control.get().contains(bit)
    }

    /// Is a trap recorded to a mode that is not? The modes between must allow it too.
    fn is_external_trap_wanted(&self, [from, _]: [Mode; 2]) -> bool {
        let wanted = match (self.privilege, from) {
            (Privilege::Supervisor, _) => Control::TRAPS_TO_SUPERVISOR,
            (Privilege::Machine, Mode::User) => Control::TRAPS_TO_MACHINE.union(Control::TRAPS_TO_SUPERVISOR),
            (Privilege::Machine, _) => Control::TRAPS_TO_MACHINE,
        };
        self.control.get().contains(wanted)
    }

    fn push(&self, [from, to]: [u64; 2], branch: Branch) {
        let next = self.next.get();
        let cycles = branch.cycles.filter(|_| !self.has_lost_cycles.replace(false));
        let data = branch.kind.map_or(0, code) | cycles.map_or(0, |cycles| cycles_to_data(cycles) | HAS_CYCLES);
        let mispredicted = if branch.is_mispredicted == Some(true) { MISPREDICTED } else { 0 };
        let parts = [from & !1 | VALID, to & !1 | mispredicted, data];
        let entry = self.entries.get(next).into_iter().flatten();
        entry.zip(parts).for_each(|(place, value)| place.set(value));
        self.next.set((next + 1) % self.length());
    }

    fn length(&self) -> usize {
        depth(self.depth.get())
    }

    /// Returns the entry that siselect names, and the part of it; none beyond the depth, where all is 0.
    fn part(&self, at: Register) -> Result<Option<(&Entry, usize)>, Fault> {
        let number = self.selected.get().checked_sub(NEWEST).filter(|&number| number < MOST as u64);
        let number = number.ok_or(Fault::Absent)? as usize;
        let part = match at {
            Register::Sireg => 0,
            Register::Sireg2 => 1,
            _ => 2,
        };
        if number >= self.length() {
            return Ok(None);
        }
        let place = (self.next.get() + self.length() - number - 1) % self.length();
        Ok(self.entries.get(place).map(|entry| (entry, part)))
    }
}

virt::recorded!([] Device, Register, Infallible);

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("control", &self.control.get())
            .field("depth", &self.length())
            .field("is_frozen", &self.is_frozen.get())
            .finish_non_exhaustive()
    }
}
