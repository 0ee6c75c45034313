//! The auxiliary registers, which counters share: who relies on which, and which request is given which.
//!
//! Few requests need one. Where none is in use, each of these functions costs its caller one comparison.

use super::auxiliary::{Auxiliary, AuxiliaryRegister};
use super::registers::Select;
use crate::arch::x86::{Demand, Msrs};
use crate::contract::Slot;
use crate::event::{Conflict, Contention, CounterSet, Requests};
use crate::sync::Cell;

/// The auxiliary registers as they were last written, and the counters that rely on them.
#[derive(Debug)]
pub(super) struct Shared {
    /// The marks of the registers that counters rely on.
    marks: Cell,
    values: [Cell; AuxiliaryRegister::COUNT],
    users: [Cell; AuxiliaryRegister::COUNT],
}

/// The auxiliary registers that must keep their values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    marks: u64,
    /// Their values, and 0 for the others.
    values: [u64; AuxiliaryRegister::COUNT],
}

impl PartialEq for Held {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.marks == other.marks && (self.marks == 0 || self.has_values_of(other))
    }
}

impl Eq for Held {}

impl Held {
    #[cold]
    #[inline(never)]
    fn has_values_of(&self, other: &Self) -> bool {
        self.values.iter().zip(other.values).all(|(&value, other)| value == other)
    }
}

impl Shared {
    pub(super) const fn blank() -> Self {
        Self {
            marks: Cell::new(0),
            values: [const { Cell::new(0) }; AuxiliaryRegister::COUNT],
            users: [const { Cell::new(0) }; AuxiliaryRegister::COUNT],
        }
    }

    /// Returns the registers in use, and their values.
    #[inline(always)]
    pub(super) fn held(&self) -> Held {
        if self.marks.get() == 0 { Held::default() } else { self.some_held() }
    }

    #[cold]
    #[inline(never)]
    fn some_held(&self) -> Held {
        let mut held = Held { marks: self.marks.get(), ..Held::default() };
        for beside in AuxiliaryRegister::all_marked(held.marks) {
            held.values[beside as usize] = self.values[beside as usize].get();
        }
        held
    }

    /// Writes the auxiliary registers that slots rely on, unless somebody else relies on one already. It is written
    /// even if it had the value before: up to Westmere the two threads of a core share it (SDM vol. 3, "Off-core
    /// Response Performance Monitoring in the Processor Core").
    #[inline(always)]
    pub(super) fn load<R: Msrs>(&self, registers: &R, program: &Program, slots: &[Slot]) {
        if program.0.marks != 0 {
            self.load_some(registers, program, slots);
        }
    }

    #[cold]
    #[inline(never)]
    fn load_some<R: Msrs>(&self, registers: &R, Program(wanted): &Program, slots: &[Slot]) {
        for slot in slots {
            let Some(beside) = AuxiliaryRegister::marked(slot.bits) else { continue };
            let (value, users) = (wanted.values[beside as usize], &self.users[beside as usize]);
            if users.counters().is_empty() {
                self.values[beside as usize].set(value);
                self.marks.set(self.marks.get() | beside.mark());
                registers.write(beside.register(), value);
            }
            users.set(users.counters().or(slot.counter.only()).bits());
        }
    }

    /// These counters rely on no register any more.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        if self.marks.get() != 0 {
            self.release_some(counters);
        }
    }

    #[cold]
    #[inline(never)]
    fn release_some(&self, counters: CounterSet) {
        for beside in AuxiliaryRegister::all_marked(self.marks.get()) {
            let users = &self.users[beside as usize];
            users.set(users.counters().without(counters).bits());
            if users.counters().is_empty() {
                self.marks.set(self.marks.get() & !beside.mark());
            }
        }
    }

    /// Writes the registers in use, whatever they hold.
    pub(super) fn write<R: Msrs>(&self, registers: &R) {
        for beside in AuxiliaryRegister::all_marked(self.marks.get()) {
            registers.write(beside.register(), self.values[beside as usize].get());
        }
    }
}

/// The auxiliary registers that a placement uses, with those that others hold, and their values; none if it uses none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program(Held);

impl Program {
    /// No auxiliary register is used.
    pub(super) const NONE: Self = Self(Held { marks: 0, values: [0; AuxiliaryRegister::COUNT] });
}

/// Finds a register for each value that requests need beside their counters. `auxiliaries` are the events that need one.
#[cold]
#[inline(never)]
pub(super) fn place(
    auxiliaries: &[Auxiliary],
    held: &Held,
    new: &[Demand],
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    let mut search = Search { auxiliaries, held: *held, owners: [0; AuxiliaryRegister::COUNT] };
    for (request, (demand, slot)) in new.iter().zip(out).enumerate() {
        let Some(wanted) = AuxiliaryRegister::marked(demand.word) else { continue };
        let bit = 1u64.checked_shl(request as u32).unwrap_or(0);
        let Some(found) = search.find(wanted, demand) else { return Err(search.conflict(bit, wanted)) };
        search.take(bit, found.beside, demand.auxiliary);
        let select = Select::from_bits_truncate(demand.word) - Select::CODE;
        slot.bits = select.bits() | found.code | found.beside.mark();
    }
    Ok(Program(search.held))
}

/// The auxiliary registers, as a placement fills them.
///
/// Registers of one kind serve alike, so the first that fits is as good as any: a value needs a
/// register that holds it already, or an unused one.
struct Search<'a> {
    auxiliaries: &'a [Auxiliary],
    held: Held,
    /// One bit for the request that a register was given to; none where it only shares what was
    /// there before.
    owners: [u64; AuxiliaryRegister::COUNT],
}

impl<'a> Search<'a> {
    /// An event that serves as the demanded one does, whose register holds its value or nothing.
    fn find(&self, wanted: AuxiliaryRegister, demand: &Demand) -> Option<&'a Auxiliary> {
        let (code, value) = (Select::from_bits_truncate(demand.word).code(), demand.auxiliary);
        let mut unused = None;
        for found in self.auxiliaries {
            if found.serves(code, wanted) && value & !found.mask == 0 {
                if self.held.marks & found.beside.mark() == 0 {
                    unused = unused.or(Some(found));
                } else if self.held.values[found.beside as usize] == value {
                    return Some(found);
                }
            }
        }
        unused
    }

    fn take(&mut self, request: u64, beside: AuxiliaryRegister, value: u64) {
        if self.held.marks & beside.mark() == 0 {
            self.held.marks |= beside.mark();
            self.held.values[beside as usize] = value;
            self.owners[beside as usize] = request;
        }
    }

    /// The request that finds none, and those that took what it could have used.
    fn conflict(&self, request: u64, wanted: AuxiliaryRegister) -> Conflict {
        let rivals = AuxiliaryRegister::all_marked(self.held.marks).filter(|beside| beside.is_alike(wanted));
        let requests = rivals.fold(request, |set, beside| set | self.owners[beside as usize]);
        Conflict::new(Requests::from_bits(requests), Contention::Register(wanted.name()))
    }
}
