//! A passage of the guest: into it and out again, and what is reported of what it has done.
//!
//! The guest is left after each instruction while a counter counts branches, or its recorder records those in this mode. What is
//! delivered to it then has a passage of its own, so that each branch's source and target are seen.

use core::mem;

use metal::vmcb::{Event, LONG_MODE_ACTIVE, SVM_ENABLE, SYSTEM_CALLS};
use pmu::Mode;
use pmu::arch::x86::guest;
use pmu::branches::{Branch, BranchKind};
use pmu::virt::{Kind, Kinds, Work};

use super::{Machine, exit};
use crate::modes::{self, Watch};
use crate::{branches, interrupts};

/// An address of the guest's code, and the mode that it is executed in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(u64, Mode);

impl Machine<'_> {
    /// Into the guest and out again. Returns the exit.
    pub(super) fn pass(&mut self) -> u64 {
        if self.nmi.take() {
            self.vmcb.control.event = Event::from_bits(guest::Injection::Nmi.svm());
        }
        self.has_programs |= self.mode() == Mode::User;
        match (self.sees_branches(), self.is_interrupted()) {
            (false, _) => self.run_on(),
            (true, false) => self.step(),
            (true, true) => self.deliver(),
        }
        self.vmcb.control.exit_code
    }

    /// Must the host see each branch in the guest's mode?
    fn sees_branches(&self) -> bool {
        let records = self.unit.branches().is_some_and(|recorder| recorder.records_to(self.mode()));
        records || self.unit.wanted().contains(Kind::Branches)
    }

    /// In one mode, until something happens.
    fn run_on(&mut self) {
        let mode = self.mode();
        let is_unwatched = !self.has_programs && self.unit.wanted() == Kinds::NONE && !self.nmi.is_blocked();
        modes::watch(&mut self.vmcb, if is_unwatched { Watch::Nothing } else { Watch::EndOf(mode) });
        self.is_interrupted = false;
        self.move_unit();
        let until_overflow = self.unit.until_overflow(&Work::instructions(mode, 1));
        let retired = self.enter(until_overflow.map_or(self.slice, |limit| limit.min(self.slice)));
        self.retire(Work::instructions(mode, retired));
    }

    /// One instruction, which nothing interrupts.
    fn step(&mut self) {
        modes::watch(&mut self.vmcb, Watch::Deliveries);
        let (from, next) = (self.place(), branches::next(&self.vmcb.save));
        let retired = self.enter(1);
        if let Some(branch) = next.as_ref().filter(|_| retired == 1).and_then(|next| next.taken(self.vmcb.save.rip)) {
            self.record(branch, from.1);
        }
        let branches = if next.is_some() { retired } else { 0 };
        self.retire(Work::instructions(from.1, retired).with(Kind::Branches, branches));
    }

    /// What is delivered to the guest, and nothing behind it.
    fn deliver(&mut self) {
        modes::watch(&mut self.vmcb, Watch::EndOf(Mode::Kernel));
        let from = self.place();
        self.is_interrupted = false;
        let retired = self.enter(0);
        if self.place() != from {
            self.record(Branch::new(from.0, self.vmcb.save.rip).of_kind(BranchKind::Interrupt), from.1);
        }
        self.retire(Work::instructions(Mode::Kernel, retired));
    }

    /// Over one instruction that leads into another ring, or raises an exception.
    pub(super) fn step_over_crossing(&mut self, kind: BranchKind) {
        let from = self.place();
        let retired = self.enter(1);
        match self.vmcb.control.exit_code {
            // QEMU's clock has counted an `int` here too.
            code @ exit::EXCEPTION..=exit::LAST_EXCEPTION if self.place() == from => {
                self.deliver_exception((code - exit::EXCEPTION) as u8);
            }
            _ => self.retire_crossing(from, retired, kind),
        }
    }

    /// Reports what has led into another ring. An instruction has not retired if it has raised an exception.
    pub(super) fn retire_crossing(&mut self, from: Place, retired: u64, kind: BranchKind) {
        let Place(address, mode) = from;
        if retired != 0 {
            self.record(Branch::new(address, self.vmcb.save.rip).of_kind(kind), mode);
        }
        self.retire(Work::instructions(mode, retired).with(Kind::Branches, retired));
    }

    /// Tells the guest's recorder, if it has one, of a branch that has led from this mode to where the guest is.
    fn record(&self, branch: Branch, from: Mode) {
        self.unit.branches().into_iter().for_each(|recorder| recorder.transfer(branch, [from, self.place().1]));
    }

    /// As if the guest moved to another host: the unit's registers become bytes, and these another unit's registers.
    fn move_unit(&mut self) {
        if let Some(spare) = &mut self.spare {
            spare.restore(self.unit.snapshot().as_bytes()).expect("a unit of the same identity takes the snapshot");
            if let (Some(from), Some(to)) = (self.unit.branches(), spare.branches()) {
                to.restore(from.snapshot().as_bytes()).expect("a recorder of the same identity takes the snapshot");
            }
            mem::swap(&mut self.unit, spare);
        }
    }

    /// Is something delivered to the guest before its next instruction?
    fn is_interrupted(&self) -> bool {
        self.is_interrupted || self.vmcb.control.event.is_valid()
    }

    /// The mode of the guest's next instruction: what interrupts it goes to the kernel.
    pub(super) fn mode(&self) -> Mode {
        if self.is_interrupted() { Mode::Kernel } else { self.place().1 }
    }

    /// Where the guest is.
    pub(super) fn place(&self) -> Place {
        Place(self.vmcb.save.rip, if self.vmcb.save.ring == 3 { Mode::User } else { Mode::Kernel })
    }

    /// Lets the guest retire so many instructions at most. Returns how many it has retired.
    pub(super) fn enter(&mut self, limit: u64) -> u64 {
        self.vmcb.save.efer = self.efer & !SYSTEM_CALLS | SVM_ENABLE;
        let retired = self.clock.enter(&mut self.vmcb, &mut self.world, limit);
        (self.vmcb.control.event, self.vmcb.control.tlb_control) = (Event::NONE, 0);
        self.efer = self.efer & !LONG_MODE_ACTIVE | self.vmcb.save.efer & LONG_MODE_ACTIVE;
        // QEMU's clock has counted an `int` at which the guest is left, as it does no other instruction.
        retired - u64::from(self.vmcb.control.exit_code == exit::SOFTWARE_INTERRUPT)
    }

    /// Reports what the guest has retired.
    pub(super) fn retire(&mut self, work: Work) {
        self.book[usize::from(work.mode() == Mode::User)] += work.of(Kind::Instructions);
        self.slice = self.slice.saturating_sub(work.of(Kind::Instructions));
        self.unit.advance(&work);
        if self.line.take() {
            interrupts::deliver_overflow(&self.unit, &mut self.nmi);
        }
    }
}
