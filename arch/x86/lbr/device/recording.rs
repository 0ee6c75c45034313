//! How a branch becomes an entry, and when it does not.

use super::Device;
use crate::arch::x86::lbr::capabilities::{Freeze, Generation};
use crate::arch::x86::lbr::registers::{
    BELOW_TRANSACTIONS, CORE_ADDRESS, CORE_RECORDS, CORE_VALID, CYCLES, Control, FREEZES, HAS_CYCLES, HIDDEN,
    MISPREDICTED, RECORDS, Select, TARGET_CYCLES_SHIFT, code,
};
use crate::event::{Branch, BranchKind, Mode};

impl Device {
    /// Records a branch, if it is to be, that was taken from code in the first mode to code in the second. A host that does not
    /// say its kind gives it to a recorder that leaves no kind out.
    pub fn transfer(&self, branch: Branch, modes: [Mode; 2]) {
        if !self.records() || !self.is_wanted(branch.kind, modes) {
            return;
        }
        match branch.kind {
            Some(BranchKind::Return) if self.keeps_calls() => self.pop(),
            Some(BranchKind::Call | BranchKind::IndirectCall) => self.push(self.entry(branch, modes)),
            _ if self.keeps_calls() => {}
            _ => self.push(self.entry(branch, modes)),
        }
    }

    /// Returns true if it records now, so that a host must say of branches what they are.
    #[must_use]
    pub fn records(&self) -> bool {
        let records = match self.able.generation {
            Generation::Stack(_) => self.debug.get() & RECORDS,
            Generation::Architectural => self.control.get() & Control::ENABLE.bits(),
            Generation::Extension => self.control.get() & CORE_RECORDS,
        };
        records != 0 && !self.is_frozen.get()
    }

    /// Returns true if it records now what leads to this mode. Of other branches a host need not say what they are.
    #[must_use]
    pub fn records_to(&self, mode: Mode) -> bool {
        self.records() && self.is_wanted(None, [mode; 2])
    }

    /// An overflow interrupts. The host calls this before it says of the interrupt that it is a branch.
    pub fn overflow_interrupts(&self) {
        match self.able.freeze {
            _ if self.debug.get() & FREEZES == 0 => {}
            Some(Freeze::ByControl) => self.debug.set(self.debug.get() & !RECORDS),
            Some(Freeze::ByStatus) => self.is_frozen.set(true),
            None => {}
        }
    }

    /// A branch belongs to the mode that it leads to.
    fn is_wanted(&self, kind: Option<BranchKind>, [_, to]: [Mode; 2]) -> bool {
        if to == Mode::Hypervisor || kind == Some(BranchKind::NotTaken) {
            return false;
        }
        match self.able.generation {
            Generation::Architectural => {
                let wanted = kind.map_or(Control::empty(), Control::of) | Control::to(to);
                let always = Control::all().difference(self.able.controllable());
                Control::from_bits_retain(self.control.get()).union(always).contains(wanted)
            }
            Generation::Stack(_) | Generation::Extension => {
                let unwanted = kind.map_or(Select::empty(), Select::of) | Select::to(to);
                !Select::from_bits_retain(self.select.get()).intersects(unwanted)
            }
        }
    }

    fn keeps_calls(&self) -> bool {
        match self.able.generation {
            Generation::Architectural => self.control.get() & Control::CALL_STACK.bits() != 0,
            _ => self.select.get() & Select::CALL_STACK.bits() != 0,
        }
    }

    /// Returns source, target and INFO of a branch.
    fn entry(&self, branch: Branch, [from, _]: [Mode; 2]) -> [u64; 3] {
        let mispredicted = if branch.is_mispredicted == Some(true) { MISPREDICTED } else { 0 };
        let cycles = branch.cycles.map_or(0, |cycles| u64::from(cycles).min(CYCLES));
        let [source, target] = [branch.from, branch.to];
        match self.able.generation {
            Generation::Stack(5 | 7) => [source, target, mispredicted | cycles],
            Generation::Stack(3) => [source & !MISPREDICTED | mispredicted, target, 0],
            Generation::Stack(4) => [source & BELOW_TRANSACTIONS | mispredicted, target, 0],
            Generation::Stack(6) => {
                let target = target & ((1 << TARGET_CYCLES_SHIFT) - 1) | cycles << TARGET_CYCLES_SHIFT;
                [source & !MISPREDICTED | mispredicted, target, 0]
            }
            Generation::Stack(_) => [source, target, 0],
            Generation::Architectural => {
                let [predicts, is_timed, has_kind] = self.able.has_details();
                let kind = if has_kind { branch.kind.map_or(0, code) } else { 0 };
                let cycles = if is_timed && branch.cycles.is_some() { HAS_CYCLES | cycles } else { 0 };
                [self.shown(source, from), target, kind | cycles | if predicts { mispredicted } else { 0 }]
            }
            Generation::Extension => [source & CORE_ADDRESS | mispredicted, target & CORE_ADDRESS | CORE_VALID, 0],
        }
    }

    /// Returns the architectural source: hidden if its mode is not recorded.
    fn shown(&self, source: u64, from: Mode) -> u64 {
        let is_filtered = self.able.controllable().contains(Control::MODES);
        let is_recorded = from != Mode::Hypervisor && self.control.get() & Control::to(from).bits() != 0;
        if is_recorded || !is_filtered { source } else { HIDDEN }
    }

    fn push(&self, entry: [u64; 3]) {
        self.top.set((self.top.get() + 1) % self.depth.get());
        self.put_newest(entry);
    }

    fn pop(&self) {
        self.put_newest([0; 3]);
        self.top.set((self.top.get() + self.depth.get() - 1) % self.depth.get());
    }

    fn put_newest(&self, entry: [u64; 3]) {
        let parts = [&self.sources, &self.targets, &self.infos].map(|part| part.get(self.top.get() as usize));
        parts.into_iter().flatten().zip(entry).for_each(|(place, word)| place.set(word));
    }
}
