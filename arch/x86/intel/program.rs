//! The image of the control registers, and how a placement gets into it and into the unit.

use super::auxiliary::{Auxiliary, Beside};
use super::before::Before;
use super::facts::Facts;
use super::registers::{FixedControl, Select};
use crate::arch::x86::{Demand, Index, Msr, WayBack};
use crate::backend::{self, Slot};
use crate::contract::{self, Registers, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;
use crate::sync::Word;

/// The control registers as they were last written, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// What the counters select, the general ones' first and then the fixed ones'; the table has 16 places
    /// for each kind so that an index needs no check.
    selects: [Word; 32],
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

    /// Must it keep its value?
    fn is_used(&self) -> bool {
        !self.users.counters().is_empty()
    }
}

/// The counters in use, and the values of the registers beside them that must stay.
#[derive(Clone, Copy, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    /// The marks of the registers in use.
    held: u64,
    /// Their values, and 0 for the others.
    values: [u64; Beside::COUNT],
}

impl PartialEq for Occupancy {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.counters == other.counters && self.held == other.held && (self.held == 0 || self.values == other.values)
    }
}

impl Eq for Occupancy {}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.counters
    }
}

impl backend::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Word::new(0),
        selects: [const { Word::new(0) }; 32],
        fixed_control: Word::new(0),
        relying: Word::new(0),
        besides: [const { Shared::blank() }; Beside::COUNT],
        before: Before::nothing(),
    };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        let mut occupancy = Occupancy { counters: self.occupied.counters(), ..Occupancy::default() };
        if !self.relying.counters().is_empty() {
            self.add_besides(&mut occupancy);
        }
        occupancy
    }
}

/// What a placement writes beside the counters, if it needs anything there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Program(Option<[u64; Beside::COUNT]>);

/// Is this one of the fixed counters?
#[inline(always)]
pub(super) const fn is_fixed(counter: CounterId) -> bool {
    counter.number() >= 32
}

/// Fits `new` beside what is in use, on `all` counters of the unit: counters by matching, then registers
/// beside them.
#[inline(always)]
pub(super) fn place(
    facts: &Facts,
    all: CounterSet,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(all.without(beside.counters), steps, out)?;
    let mut words = 0;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.word;
        words |= demand.word;
    }
    if words > Select::all().bits() { place_beside(facts, beside, new, out) } else { Ok(Program(None)) }
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
    Ok(Program(Some(search.values)))
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
    /// Takes a placement over, and writes it: the registers beside the counters first, then the
    /// selectors. `resting` is what a selector may have set while its counter does not count.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, program: &Program, slots: &[Slot], resting: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        if let Program(Some(values)) = program {
            self.load_besides(registers, *values, slots);
        }
        let before = self.fixed_control.get();
        let control = slots.iter().fold(before, |control, slot| self.load_slot(registers, slot, resting, control));
        self.load_fixed(registers, before, control);
    }

    /// Notes what a counter counts, and writes it if it is a general one; answers what the register of
    /// the fixed ones is to hold, which held `control`.
    #[inline(always)]
    fn load_slot<R>(&self, registers: &R, slot: &Slot, resting: Select, control: u64) -> u64
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        self.occupied.set(self.occupied.get() | slot.counter.only().bits());
        let select = Select::from_bits_truncate(slot.bits);
        if is_fixed(slot.counter) {
            self.noted(Self::place_of_fixed(slot.counter)).set(select.bits());
            return FixedControl::like(select).within(slot.counter, control);
        }
        self.noted(slot.counter.number() & 15).set(select.bits());
        registers.write(Msr::selector(slot.counter), (select & resting).bits());
        control
    }

    /// Writes the register of the fixed counters, if it held something else before.
    #[inline(always)]
    fn load_fixed<R>(&self, registers: &R, before: u64, control: u64)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        if control != before {
            self.fixed_control.set(control);
            registers.write(Msr::FIXED_CONTROL, control);
        }
    }

    /// Do these counters rely on registers beside the counters?
    #[inline(always)]
    pub(super) fn relies(&self, counters: CounterSet) -> bool {
        !self.relying.counters().and(counters).is_empty()
    }

    /// Does a counter select what it did for who comes back to it?
    #[inline(always)]
    pub(super) fn selects(&self, way_back: &WayBack) -> bool {
        self.noted(way_back.place).get() == way_back.select
    }

    /// Has a general counter that is somebody's select what it did for who comes back to it, which may set what
    /// a selector may have set while its counter does not count.
    #[inline(always)]
    pub(super) fn reselect<R>(&self, registers: &R, way_back: &WayBack)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        self.noted(way_back.place).set(way_back.select);
        registers.write(way_back.selector, way_back.select);
    }

    /// The same of a fixed counter.
    pub(super) fn recontrol<R>(&self, registers: &R, way_back: &WayBack)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        self.noted(way_back.place).set(way_back.select);
        let (select, before) = (Select::from_bits_retain(way_back.select), self.fixed_control.get());
        self.load_fixed(registers, before, FixedControl::like(select).within(way_back.counter, before));
    }

    /// Do these counters, or a placement, rely on registers beside the counters?
    #[inline(always)]
    pub(super) fn needs_more(&self, counters: CounterSet, program: &Program) -> bool {
        program.0.is_some() || self.relies(counters)
    }

    /// Writes a placement in the stead of what counters `old` have been programmed for since they
    /// were loaded last: what their registers hold already is left out. A selector that is noted here
    /// and was not released is in its register.
    #[inline(always)]
    pub(super) fn replace<R>(&self, registers: &R, old: CounterSet, slots: &[Slot], resting: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let before = self.fixed_control.get();
        let (mut control, mut new) = (before, CounterSet::EMPTY);
        for slot in slots {
            new = new.or(slot.counter.only());
            if self.select(slot.counter) != Select::from_bits_truncate(slot.bits) {
                control = self.load_slot(registers, slot, resting, control);
            }
        }
        let unused = old.without(new);
        if !unused.is_empty() {
            self.fixed_control.set(control);
            self.release(unused);
            control = self.fixed_control.get();
        }
        self.occupied.set(self.occupied.counters().or(new).bits());
        self.load_fixed(registers, before, control);
    }

    /// Takes a copy, so that a placement that needs nothing here can stay in registers.
    #[cold]
    #[inline(never)]
    fn load_besides<R>(&self, registers: &R, values: [u64; Beside::COUNT], slots: &[Slot])
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        for slot in slots {
            let Some(beside) = Beside::marked(slot.bits) else { continue };
            let (shared, value) = (self.beside(beside), values[beside as usize]);
            if !shared.is_used() {
                shared.value.set(value);
                registers.write(beside.register(), value);
            }
            for users in [&shared.users, &self.relying] {
                users.set(users.counters().or(slot.counter.only()).bits());
            }
        }
    }

    /// Gives counters back. Their control words stay in the registers and leave the image, so
    /// that the next placement writes them whatever the unit holds by then.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
        for counter in counters {
            if is_fixed(counter) {
                self.noted(Self::place_of_fixed(counter)).set(0);
                self.fixed_control.set(FixedControl::empty().within(counter, self.fixed_control.get()));
            } else {
                self.noted(counter.number() & 15).set(0);
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

    /// Adds the registers beside the counters that are in use.
    #[cold]
    #[inline(never)]
    fn add_besides(&self, occupancy: &mut Occupancy) {
        for beside in Beside::ALL {
            let shared = self.beside(beside);
            if shared.is_used() {
                occupancy.held |= beside.mark();
                occupancy.values[beside as usize] = shared.value.get();
            }
        }
    }

    const fn beside(&self, beside: Beside) -> &Shared {
        &self.besides[beside as usize]
    }

    /// Where the first fixed counter is noted.
    const FIXED: u8 = 16;

    /// Where a counter is noted.
    #[inline(always)]
    pub(super) const fn place_of(counter: CounterId) -> u8 {
        if is_fixed(counter) { Self::place_of_fixed(counter) } else { counter.number() & 15 }
    }

    #[inline(always)]
    const fn place_of_fixed(counter: CounterId) -> u8 {
        counter.number() & 15 | Self::FIXED
    }

    /// What a counter selects.
    #[inline(always)]
    pub(super) fn select(&self, counter: CounterId) -> Select {
        Select::from_bits_retain(self.select_word(counter).get())
    }

    #[inline(always)]
    fn select_word(&self, counter: CounterId) -> &Word {
        self.noted(Self::place_of(counter))
    }

    #[inline(always)]
    fn noted(&self, place: u8) -> &Word {
        &self.selects[usize::from(place) & 31]
    }
}
