//! The driver of control transfer records: [`Branches`].
//!
//! The bits of the modes in mctrctl or sctrctl start and stop the recording. Records are read, and sctrstatus is written,
//! only while it is stopped. siselect is put back after each use, so that an interrupt may come between any two instructions and
//! read the records too.

use super::registers::{
    Control, DEEPEST, FROZEN, HAS_CYCLES, MISPREDICTED, NEWEST, Register, VALID, cycles, depth, kind,
};
use crate::arch::riscv::hpm::Privilege;
use crate::contract::{Branches, Registers};
use crate::event::{Branch, BranchFilter, BranchKind, Mode, Modes, Refusal};

/// The recorder of one hart's branches, over `R`.
#[derive(Clone, Copy, Debug)]
pub struct Ctr<R> {
    registers: R,
    privilege: Privilege,
    /// The bits that mctrctl or sctrctl has.
    able: Control,
    depth: usize,
    /// Mispredictions are recorded.
    predicts: bool,
}

impl<R: Registers<Address = Register>> Ctr<R> {
    /// Finds out what the recorder can, and creates its driver.
    ///
    /// What is recorded goes on, and the branches that are there are kept, so a panic handler or an NMI can call it. Where there
    /// are none it chooses the greatest depth.
    pub fn detect(registers: R, privilege: Privilege) -> Self {
        let mut unit = Self { registers, privilege, able: Control::empty(), depth: 0, predicts: false };
        let control = unit.halt();
        unit.able = unit.tried_control();
        let is_empty = unit.in_newest(|unit| unit.registers.read(Register::Sireg) & VALID == 0);
        unit.depth = if is_empty { unit.tried_depth() } else { depth(unit.registers.read(Register::Sctrdepth)) };
        unit.predicts = unit.in_newest(Self::tried_prediction);
        unit.registers.write(unit.control(), control);
        unit
    }

    /// Returns the registers.
    pub const fn registers(&self) -> &R {
        &self.registers
    }

    /// Returns the bits that can be set, the modes among them. Leaves none of them set.
    fn tried_control(&self) -> Control {
        let (all, control) = (Control::all().difference(Control::MODES), self.control());
        let masked = self.registers.mask();
        self.registers.write(control, all.bits());
        let kept = Control::from_bits_truncate(self.registers.read(control));
        self.registers.write(control, 0);
        self.registers.unmask(masked);
        let machine = if self.privilege == Privilege::Machine { Control::MACHINE } else { Control::empty() };
        kept | Control::USER | Control::SUPERVISOR | machine
    }

    /// Chooses the greatest depth. What entries beyond the one before have is unspecified, so all are cleared.
    fn tried_depth(&self) -> usize {
        let is_kept = |field: &u64| {
            self.registers.write(Register::Sctrdepth, *field);
            self.registers.read(Register::Sctrdepth) & 7 == *field
        };
        let field = (0..=DEEPEST).rev().find(is_kept);
        self.clear();
        field.map_or(0, depth)
    }

    /// Returns true if the newest entry has a bit that says whether the branch was mispredicted. Leaves it as it was.
    fn tried_prediction(&self) -> bool {
        let before = self.registers.read(Register::Sireg2);
        self.registers.write(Register::Sireg2, before ^ MISPREDICTED);
        let is_kept = self.registers.read(Register::Sireg2) != before;
        self.registers.write(Register::Sireg2, before);
        is_kept
    }

    /// Does these accesses to the newest entry.
    fn in_newest<T>(&self, accesses: impl FnOnce(&Self) -> T) -> T {
        self.select(|| {
            self.registers.write(Register::Siselect, NEWEST);
            accesses(self)
        })
    }

    #[inline(always)]
    const fn control(&self) -> Register {
        match self.privilege {
            Privilege::Machine => Register::Mctrctl,
            Privilege::Supervisor => Register::Sctrctl,
        }
    }

    /// Puts siselect back after `accesses`.
    #[inline(always)]
    fn select<T>(&self, accesses: impl FnOnce() -> T) -> T {
        let before = self.registers.read(Register::Siselect);
        let result = accesses();
        self.registers.write(Register::Siselect, before);
        result
    }

    /// Thaws the records. The recording MUST be stopped.
    #[inline(always)]
    fn thaw(&self) {
        let status = self.registers.read(Register::Sctrstatus);
        if status & FROZEN != 0 {
            self.registers.write(Register::Sctrstatus, status & !FROZEN);
        }
    }

    #[inline(never)]
    fn encode(&self, filter: &BranchFilter) -> Result<Control, Refusal> {
        let modes = filter.modes();
        if modes == Modes::NONE || !Modes::ALL.covers(modes) {
            return Err(Refusal::Modes { able: Modes::ALL });
        }
        let kernel = match self.privilege {
            Privilege::Machine => Control::MACHINE.union(Control::SUPERVISOR),
            Privilege::Supervisor => Control::SUPERVISOR,
        };
        let mut control = Control::empty();
        control.set(Control::USER, modes.contains(Mode::User));
        control.set(kernel, modes.contains(Mode::Kernel));
        control.set(Control::FREEZE_AT_OVERFLOW, filter.freezes());
        for kind in BranchKind::ALL {
            control.set(Control::of(kind), filter.has(kind) == (kind == BranchKind::NotTaken));
        }
        match self.able.contains(control) {
            true => Ok(control),
            false if !self.able.contains(control & Control::FREEZE_AT_OVERFLOW) => {
                Err(Refusal::Impossible("no overflow freezes the records: the hart has no Sscofpmf"))
            }
            false => Err(Refusal::Impossible("the records cannot leave out, or have, just these kinds of branches")),
        }
    }

    /// Returns the branch of the entry that siselect names, if there is one.
    #[inline(always)]
    fn entry(&self) -> Option<Branch> {
        let source = self.registers.read(Register::Sireg);
        if source & VALID == 0 {
            return None;
        }
        let (target, data) = (self.registers.read(Register::Sireg2), self.registers.read(Register::Sireg3));
        let mut branch = Branch::new(source & !VALID, target & !MISPREDICTED);
        branch.kind = kind(data);
        branch.is_mispredicted = if self.predicts { Some(target & MISPREDICTED != 0) } else { None };
        branch.cycles = if data & HAS_CYCLES == 0 { None } else { cycles(data) };
        Some(branch)
    }
}

impl<R: Registers<Address = Register>> Branches for Ctr<R> {
    /// What mctrctl or sctrctl was.
    type Recording = u64;

    fn depth(&self) -> usize {
        self.depth
    }

    #[inline(always)]
    fn record(&self, filter: &BranchFilter) -> Result<(), Refusal> {
        let control = self.encode(filter)?;
        self.halt();
        self.clear();
        self.resume(control.bits());
        Ok(())
    }

    #[inline(always)]
    fn halt(&self) -> u64 {
        let control = self.registers.read(self.control());
        // An overflow that comes while nothing is recorded must not freeze: the outer resume alone thaws.
        let running = Control::MODES.union(Control::FREEZE_AT_OVERFLOW);
        self.registers.write(self.control(), control & !running.bits());
        control
    }

    #[inline(always)]
    fn resume(&self, recording: u64) {
        if recording & Control::MODES.bits() != 0 {
            self.thaw();
        }
        self.registers.write(self.control(), recording);
    }

    #[inline(always)]
    fn each(&self, mut found: impl FnMut(Branch)) {
        self.select(|| {
            for entry in 0..self.depth as u64 {
                self.registers.write(Register::Siselect, NEWEST + entry);
                match self.entry() {
                    Some(branch) => found(branch),
                    None => break,
                }
            }
        });
    }

    #[inline(always)]
    fn clear(&self) {
        self.registers.write(Register::Sctrclr, 0);
    }
}
