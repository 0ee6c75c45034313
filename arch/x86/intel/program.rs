//! The image of the control registers, and how a placement gets into it and into the unit.

use super::auxiliary::{Auxiliary, Beside};
use super::before::Before;
use super::facts::Facts;
use super::registers::{FixedControl, Select};
use crate::arch::x86::{Demand, Index, Msr};
use crate::assign;
use crate::backend::{self, Slot};
use crate::counter::{CounterId, CounterSet};
use crate::error::{Conflict, Contention};
use crate::registers::Registers;
use crate::word::Word;

/// The control registers as they were last written, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// The general counters' selectors; the table has 16 places so that an index needs no check.
    selects: [Word; 16],
    fixed_control: Word,
    /// The counters that rely on any of the registers beside them.
    relying: Word,
    besides: [Shared; Beside::COUNT],
    /// What the unit held before.
    pub(super) before: Before,
}

/// A register beside the counters: its value, and the counters that rely on it.
#[derive(Debug)]
struct Shared {
    value: Word,
    users: Word,
}

impl Shared {
    const fn blank() -> Self {
        Self { value: Word::new(0), users: Word::new(0) }
    }

    fn is_used(&self) -> bool {
        !self.users.counters().is_empty()
    }
}

impl backend::Image for Image {
    const BLANK: Self = Self {
        occupied: Word::new(0),
        selects: [const { Word::new(0) }; 16],
        fixed_control: Word::new(0),
        relying: Word::new(0),
        besides: [const { Shared::blank() }; Beside::COUNT],
        before: Before::nothing(),
    };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// What a placement writes beside the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The marks of the registers that it needs.
    needed: u64,
    /// What they must hold.
    values: [u64; Beside::COUNT],
}

impl Program {
    #[inline(always)]
    fn value(&self, beside: Beside) -> Option<u64> {
        let needed = self.needed & beside.mark() != 0;
        self.values.get(beside as usize).copied().filter(|_| needed)
    }

    fn need(&mut self, beside: Beside, value: u64) {
        self.needed |= beside.mark();
        if let Some(place) = self.values.get_mut(beside as usize) {
            *place = value;
        }
    }
}

/// Is this one of the fixed counters?
#[inline(always)]
pub(super) const fn is_fixed(counter: CounterId) -> bool {
    counter.number() >= 32
}

/// Fits `new` beside `kept`, on `all` counters of the unit: counters by matching, then registers
/// beside them.
#[inline(always)]
pub(super) fn place(
    facts: &Facts,
    all: CounterSet,
    kept: &Image,
    new: &[Demand],
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    assign::match_masks(all.without(kept.occupied.counters()), new, |demand| demand.counters, out)?;
    let mut words = 0;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.partner = None;
        slot.bits = demand.word;
        words |= demand.word;
    }
    if words > Select::all().bits() { Search::new(facts, kept).place(new, out) } else { Ok(Program::default()) }
}

/// Finds a register for each value that requests need beside their counters.
///
/// Registers of one kind serve alike, so the first that fits is as good as any: a value needs a
/// register that holds it already, or an unused one.
struct Search<'a> {
    facts: &'a Facts,
    kept: &'a Image,
    program: Program,
    /// The request that a register was given to.
    owners: [usize; Beside::COUNT],
}

impl<'a> Search<'a> {
    fn new(facts: &'a Facts, kept: &'a Image) -> Self {
        Self { facts, kept, program: Program::default(), owners: [0; Beside::COUNT] }
    }

    #[cold]
    fn place(mut self, new: &[Demand], out: &mut [Slot]) -> Result<Program, Conflict> {
        for (request, (demand, slot)) in new.iter().zip(out.iter_mut()).enumerate() {
            if let Some(wanted) = Beside::marked(demand.word) {
                let found = self.find(wanted, demand).ok_or_else(|| self.conflict(request, wanted))?;
                self.take(request, found.beside, demand.auxiliary);
                let select = Select::from_bits_truncate(demand.word) - Select::CODE;
                slot.bits = select.bits() | found.code | found.beside.mark();
            }
        }
        Ok(self.program)
    }

    /// An event that serves as the demanded one does, whose register holds its value or nothing.
    fn find(&self, wanted: Beside, demand: &Demand) -> Option<Auxiliary> {
        let (code, value) = (Select::from_bits_truncate(demand.word).code(), demand.auxiliary);
        let alike = || {
            let fits = move |found: &&Auxiliary| found.serves(code, wanted) && value & !found.mask == 0;
            self.facts.auxiliaries.iter().filter(fits).copied()
        };
        let holds = |found: &Auxiliary| self.holds(found.beside) == Some(value);
        let unused = |found: &Auxiliary| self.holds(found.beside).is_none();
        alike().find(holds).or_else(|| alike().find(unused))
    }

    /// The value that a register must keep.
    fn holds(&self, beside: Beside) -> Option<u64> {
        self.kept(beside).or(self.program.value(beside))
    }

    fn kept(&self, beside: Beside) -> Option<u64> {
        let kept = self.kept.besides.get(beside as usize).filter(|shared| shared.is_used());
        kept.map(|shared| shared.value.get())
    }

    fn take(&mut self, request: usize, beside: Beside, value: u64) {
        let taken = self.program.value(beside).is_some();
        if let Some(owner) = self.owners.get_mut(beside as usize).filter(|_| !taken) {
            *owner = request;
        }
        self.program.need(beside, value);
    }

    /// The request that finds none, and those that took what it could have used; not those that
    /// only share what was taken before.
    fn conflict(&self, request: usize, wanted: Beside) -> Conflict {
        let bit = |number: usize| 1u64.checked_shl(number as u32).unwrap_or(0);
        let taken = |beside: Beside| self.program.value(beside).is_some() && self.kept(beside).is_none();
        let rival = |beside: &Beside| beside.is_alike(wanted) && taken(*beside);
        let rivals = Beside::ALL.into_iter().zip(self.owners).filter(|(beside, _)| rival(beside));
        let requests = rivals.fold(bit(request), |set, (_, owner)| set | bit(owner));
        Conflict { requests, over: Contention::Register(wanted.name()) }
    }
}

impl Image {
    /// Takes a placement over, and writes it: the registers beside the counters first, then the
    /// selectors. `resting` is what a selector may have set while its counter does not count.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, program: &Program, slots: &[Slot], resting: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        if program.needed != 0 {
            self.load_besides(registers, *program, slots);
        }
        let control = self.fixed_control.get();
        for slot in slots {
            self.load_slot(registers, slot, resting);
        }
        if self.fixed_control.get() != control {
            registers.write(Msr::FIXED_CONTROL, self.fixed_control.get());
        }
    }

    #[inline(always)]
    fn load_slot<R>(&self, registers: &R, slot: &Slot, resting: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        self.occupied.set(self.occupied.get() | slot.counter.only().bits());
        if is_fixed(slot.counter) {
            let control = FixedControl::like(Select::from_bits_retain(slot.bits));
            self.fixed_control.set(control.within(slot.counter, self.fixed_control.get()));
        } else {
            let select = Select::from_bits_truncate(slot.bits);
            self.select_word(slot.counter).set(select.bits());
            registers.write(Msr::selector(slot.counter), (select & resting).bits());
        }
    }

    /// Do these counters, or a placement, rely on registers beside the counters?
    #[inline(always)]
    pub(super) fn needs_more(&self, counters: CounterSet, program: &Program) -> bool {
        program.needed != 0 || !self.relying.counters().and(counters).is_empty()
    }

    /// Writes a placement in the stead of what counters `old` have been programmed for since they
    /// were loaded last: what their registers hold already is left out. A selector that is noted here
    /// and was not released is in its register.
    #[inline(always)]
    pub(super) fn replace<R>(&self, registers: &R, old: CounterSet, slots: &[Slot], resting: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let control = self.fixed_control.get();
        let mut new = CounterSet::EMPTY;
        for slot in slots {
            new = new.or(slot.counter.only());
            if is_fixed(slot.counter) || self.select(slot.counter) != Select::from_bits_truncate(slot.bits) {
                self.load_slot(registers, slot, resting);
            }
        }
        let unused = old.without(new);
        if !unused.is_empty() {
            self.release(unused);
        }
        self.occupied.set(self.occupied.counters().or(new).bits());
        if self.fixed_control.get() != control {
            registers.write(Msr::FIXED_CONTROL, self.fixed_control.get());
        }
    }

    /// Takes a copy, so that a placement that needs nothing here can stay in registers.
    #[cold]
    fn load_besides<R>(&self, registers: &R, program: Program, slots: &[Slot])
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        for (shared, beside) in self.besides.iter().zip(Beside::ALL) {
            if let Some(value) = program.value(beside).filter(|_| !shared.is_used()) {
                shared.value.set(value);
                registers.write(beside.register(), value);
            }
            let relying = slots.iter().filter(|slot| slot.bits & beside.mark() != 0);
            let users = relying.map(|slot| slot.counter).collect::<CounterSet>();
            shared.users.set(shared.users.counters().or(users).bits());
            self.relying.set(self.relying.counters().or(users).bits());
        }
    }

    /// Gives counters back. Their control words stay in the registers and leave the image, so
    /// that the next placement writes them whatever the unit holds by then.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
        for counter in counters {
            if is_fixed(counter) {
                self.fixed_control.set(FixedControl::empty().within(counter, self.fixed_control.get()));
            } else {
                self.select_word(counter).set(0);
            }
        }
        if !self.relying.counters().and(counters).is_empty() {
            self.release_besides(counters);
        }
    }

    #[cold]
    fn release_besides(&self, counters: CounterSet) {
        self.relying.set(self.relying.counters().without(counters).bits());
        for shared in &self.besides {
            shared.users.set(shared.users.counters().without(counters).bits());
        }
    }

    /// What a general counter selects.
    #[inline(always)]
    pub(super) fn select(&self, counter: CounterId) -> Select {
        Select::from_bits_retain(self.select_word(counter).get())
    }

    #[inline(always)]
    fn select_word(&self, counter: CounterId) -> &Word {
        &self.selects[(counter.number() & 15) as usize]
    }
}
