//! The image of the control registers, and how a placement gets into it and into the unit.

use super::auxiliary::{Auxiliary, Beside};
use super::facts::Facts;
use super::registers::{FixedControl, Select};
use crate::arch::x86::{Demand, Generation, Index, Msr};
use crate::contract::{self, Registers, Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;
use crate::sync::Word;

/// The control registers as they were last written, and the counters in use.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// The counters whose selectors are written with EN. Only version 1 needs it.
    running: Word,
    /// The selectors of the general counters, without what [`Image::running`] says. The table has 16 places so that an
    /// index needs no check.
    selects: [Word; 16],
    fixed_control: Word,
    besides: [Shared; Beside::COUNT],
}

/// An auxiliary register: its value, and the counters that rely on it.
#[derive(Debug)]
struct Shared {
    value: Word,
    users: Word,
}

impl Shared {
    const fn blank() -> Self {
        Self { value: Word::new(0), users: Word::new(0) }
    }

    /// Returns true if it must keep its value.
    fn is_used(&self) -> bool {
        !self.users.counters().is_empty()
    }
}

/// The counters in use, and the values of the auxiliary registers that must stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    /// The marks of the registers in use.
    held: u64,
    /// Their values, and 0 for the others.
    values: [u64; Beside::COUNT],
}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.counters
    }
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Word::new(0),
        running: Word::new(0),
        selects: [const { Word::new(0) }; 16],
        fixed_control: Word::new(0),
        besides: [const { Shared::blank() }; Beside::COUNT],
    };

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        let mut occupancy = Occupancy { counters: self.occupied.counters(), ..Occupancy::default() };
        for beside in Beside::ALL {
            let shared = self.beside(beside);
            if shared.is_used() {
                occupancy.held |= beside.mark();
                occupancy.values[beside as usize] = shared.value.get();
            }
        }
        occupancy
    }
}

/// The values of the auxiliary registers that a placement uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Program([u64; Beside::COUNT]);

/// Returns true for the fixed counters.
#[inline(always)]
pub(super) const fn is_fixed(counter: CounterId) -> bool {
    counter.number() >= 32
}

/// Fits `new` beside what is in use: counters by matching, then auxiliary registers.
#[inline(always)]
pub(super) fn place(
    facts: &Facts,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(facts.counters_of_all_kinds().without(beside.counters), steps, out)?;
    let mut words = 0;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.word;
        words |= demand.word;
    }
    if words > Select::all().bits() { place_beside(facts, beside, new, out) } else { Ok(Program::default()) }
}

/// Finds a register for each value that requests need beside their counters.
#[cold]
#[inline(never)]
fn place_beside(facts: &Facts, beside: &Occupancy, new: &[Demand], out: &mut [Slot]) -> Result<Program, Conflict> {
    let mut search = Search::new(facts, beside);
    for (request, (demand, slot)) in new.iter().zip(out.iter_mut()).enumerate() {
        let Some(wanted) = Beside::marked(demand.word) else { continue };
        let bit = 1u64.checked_shl(request as u32).unwrap_or(0);
        let Some(found) = search.find(wanted, demand) else { return Err(search.conflict(bit, wanted)) };
        search.take(bit, found.beside, demand.auxiliary);
        let select = Select::from_bits_truncate(demand.word) - Select::CODE;
        slot.bits = select.bits() | found.code | found.beside.mark();
    }
    Ok(Program(search.values))
}

/// The registers beside the counters, as a placement fills them.
///
/// Registers of one kind serve alike, so the first that fits is as good as any: a value needs a
/// register that holds it already, or an unused one.
struct Search<'a> {
    facts: &'a Facts,
    /// The marks of those that must keep their values.
    held: u64,
    values: [u64; Beside::COUNT],
    /// One bit for the request that a register was given to; none where it only shares what was
    /// there before.
    owners: [u64; Beside::COUNT],
}

impl<'a> Search<'a> {
    fn new(facts: &'a Facts, beside: &Occupancy) -> Self {
        Self { facts, held: beside.held, values: beside.values, owners: [0; Beside::COUNT] }
    }

    /// An event that serves as the demanded one does, whose register holds its value or nothing.
    fn find(&self, wanted: Beside, demand: &Demand) -> Option<&'a Auxiliary> {
        let (code, value) = (Select::from_bits_truncate(demand.word).code(), demand.auxiliary);
        let mut unused = None;
        for found in self.facts.auxiliaries {
            if found.serves(code, wanted) && value & !found.mask == 0 {
                if self.held & found.beside.mark() == 0 {
                    unused = unused.or(Some(found));
                } else if self.values[found.beside as usize] == value {
                    return Some(found);
                }
            }
        }
        unused
    }

    fn take(&mut self, request: u64, beside: Beside, value: u64) {
        if self.held & beside.mark() == 0 {
            self.held |= beside.mark();
            self.values[beside as usize] = value;
            self.owners[beside as usize] = request;
        }
    }

    /// The request that finds none, and those that took what it could have used.
    fn conflict(&self, request: u64, wanted: Beside) -> Conflict {
        let rivals = Beside::ALL.iter().zip(self.owners).filter(|(beside, _)| beside.is_alike(wanted));
        let requests = rivals.fold(request, |set, (_, owner)| set | owner);
        Conflict { requests: Requests::from_bits(requests), over: Contention::Register(wanted.name()) }
    }
}

impl Image {
    /// Writes the control registers of a placement where they differ, and notes them: an auxiliary register before
    /// the selector that needs it.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, generation: impl Generation, program: &Program, slots: &[Slot])
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let (mut control, mut new) = (self.fixed_control.get(), CounterSet::EMPTY);
        for slot in slots {
            let select = Select::from_bits_truncate(slot.bits);
            self.load_beside(registers, program, slot);
            if is_fixed(slot.counter) {
                control = FixedControl::like(select).within(slot.counter, control);
            } else {
                self.load_select(registers, generation, slot.counter, select);
            }
            new = new.or(slot.counter.only());
        }
        if control != self.fixed_control.get() {
            self.fixed_control.set(control);
            registers.write(Msr::FIXED_CONTROL, control);
        }
        self.occupied.set(self.occupied.counters().or(new).bits());
    }

    /// Selectors keep EN under a global control. Elsewhere a selector is only noted: a start writes it whole.
    #[inline(always)]
    fn load_select<R>(&self, registers: &R, generation: impl Generation, counter: CounterId, select: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        if !generation.has_global() {
            self.noted(counter).set((select - Select::ENABLE).bits());
        } else if self.select(counter) != select {
            self.noted(counter).set(select.bits());
            registers.write(Msr::selector(counter), select.bits());
        }
    }

    /// Writes the auxiliary register that a slot relies on, unless somebody else relies on it already. It is written
    /// even if it had the value before: up to Westmere the two threads of a core share it (SDM vol. 3, "Off-core
    /// Response Performance Monitoring in the Processor Core").
    #[inline(always)]
    fn load_beside<R>(&self, registers: &R, Program(values): &Program, slot: &Slot)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let Some(beside) = Beside::marked(slot.bits) else { return };
        let (shared, value) = (self.beside(beside), values[beside as usize]);
        if !shared.is_used() {
            shared.value.set(value);
            registers.write(beside.register(), value);
        }
        shared.users.set(shared.users.counters().or(slot.counter.only()).bits());
    }

    /// Takes counters out. What they select stays in the registers, where it harms nobody, and is noted here.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
        for shared in &self.besides {
            shared.users.set(shared.users.counters().without(counters).bits());
        }
    }

    /// Writes all control registers, whatever they hold. No counter is started by its selector.
    pub(super) fn write<R>(&self, registers: &R, facts: &Facts)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        for beside in Beside::ALL.into_iter().filter(|&beside| self.beside(beside).is_used()) {
            registers.write(beside.register(), self.beside(beside).value.get());
        }
        for counter in facts.general {
            registers.write(Msr::selector(counter), self.select(counter).bits());
        }
        if !facts.fixed.is_empty() {
            registers.write(Msr::FIXED_CONTROL, self.fixed_control.get());
        }
        self.running.set(0);
    }

    /// Starts and stops counters by their selectors, for version 1. Only those are written that change. What is noted
    /// covers what counts at every moment, so that an interrupt that comes amid it halts all.
    #[inline(never)]
    pub(super) fn run<R>(&self, registers: &R, exactly: CounterSet)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let before = self.running.counters();
        self.running.set(before.or(exactly).bits());
        for counter in before.without(exactly) {
            registers.write(Msr::selector(counter), self.select(counter).bits());
        }
        for counter in exactly.without(before) {
            registers.write(Msr::selector(counter), (self.select(counter) | Select::ENABLE).bits());
        }
        self.running.set(exactly.bits());
    }

    /// Returns the code of the event that a counter selects; 0 for a fixed counter.
    #[inline(always)]
    pub(super) fn code(&self, counter: CounterId) -> u64 {
        if is_fixed(counter) { 0 } else { self.select(counter).code() }
    }

    /// Returns what a general counter selects.
    #[inline(always)]
    fn select(&self, counter: CounterId) -> Select {
        Select::from_bits_retain(self.noted(counter).get())
    }

    #[inline(always)]
    fn noted(&self, counter: CounterId) -> &Word {
        &self.selects[usize::from(counter.number() & 15)]
    }

    const fn beside(&self, beside: Beside) -> &Shared {
        &self.besides[beside as usize]
    }
}
