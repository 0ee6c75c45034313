//! Demands as ways with fields of registers: requests for [`solve`], as plainly as they can be said.
#![allow(dead_code, reason = "each test uses some of it")]

use std::cell::Cell;

use pmu::CounterSet;
use pmu::driver::{Slot, Steps};
use pmu::driver::{
    placement::Choice, placement::Constraints, placement::Ignored, placement::Register, placement::Takes,
    placement::solve,
};
use pmu::request::Conflict;

/// Bits of a shared register that must have a certain value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Field {
    /// The register.
    pub(crate) register: &'static Register,
    /// Which of its bits.
    pub(crate) mask: u64,
    /// Their value; no bit outside of the mask.
    pub(crate) value: u64,
}

static NO_REGISTER: Register = Register::new(0, "no register");

impl Field {
    /// No bit has to have any value: agrees with everything.
    pub(crate) const NOTHING: Self = Self { register: &NO_REGISTER, mask: 0, value: 0 };

    /// These bits of this register have to be `value`.
    pub(crate) const fn new(register: &'static Register, mask: u64, value: u64) -> Self {
        Self { register, mask, value: value & mask }
    }

    /// Can both be satisfied at once?
    pub(crate) const fn agrees(&self, other: &Self) -> bool {
        self.register.number() != other.register.number() || (self.value ^ other.value) & self.mask & other.mask == 0
    }

    /// Does it need anything?
    pub(crate) const fn is_nothing(&self) -> bool {
        self.mask == 0
    }
}

impl Default for Field {
    fn default() -> Self {
        Self::NOTHING
    }
}

/// One way to count a request.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Way<const FIELDS: usize> {
    /// The counters, any of which would do; of a pair, the first.
    pub(crate) counters: CounterSet,
    /// One counter, or two.
    pub(crate) takes: Takes,
    /// What [`Slot::bits`] will be.
    pub(crate) bits: u64,
    /// What it needs in shared registers.
    pub(crate) fields: [Field; FIELDS],
}

impl<const FIELDS: usize> Way<FIELDS> {
    /// No way at all, to fill a [`Demand`] up with.
    pub(crate) const NEVER: Self = Self::one(CounterSet::EMPTY, 0, [Field::NOTHING; FIELDS]);

    /// On any one of these counters.
    pub(crate) const fn one(counters: CounterSet, bits: u64, fields: [Field; FIELDS]) -> Self {
        Self { counters, takes: Takes::One, bits, fields }
    }

    /// On any one of these counters together with the next.
    pub(crate) const fn pair(firsts: CounterSet, bits: u64, fields: [Field; FIELDS]) -> Self {
        Self { counters: firsts, takes: Takes::Pair, bits, fields }
    }

    /// Do the two agree on every shared field?
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.fields.iter().all(|field| other.fields.iter().all(|theirs| field.agrees(theirs)))
    }
}

/// The ways to count one request, the preferred first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Demand<const WAYS: usize, const FIELDS: usize> {
    /// The ways, at most 32.
    pub(crate) ways: [Way<FIELDS>; WAYS],
}

impl<const WAYS: usize, const FIELDS: usize> Default for Demand<WAYS, FIELDS> {
    /// A demand that nothing satisfies.
    fn default() -> Self {
        Self { ways: [Way::NEVER; WAYS] }
    }
}

thread_local! {
    /// How often a search has asked a problem for a way, or to compare ways or requests; and how often for registers.
    pub(crate) static QUESTIONS: Cell<[u32; 2]> = const { Cell::new([0; 2]) };
}

fn ask(number: usize) {
    let mut questions = QUESTIONS.get();
    questions[number] += 1;
    QUESTIONS.set(questions);
}

/// Demands, and what agrees with what is in use.
struct Demands<'d, A, const WAYS: usize, const FIELDS: usize> {
    demands: &'d [Demand<WAYS, FIELDS>],
    agrees: A,
}

impl<A, const WAYS: usize, const FIELDS: usize> Demands<'_, A, WAYS, FIELDS> {
    fn chosen(&self, choice: Choice) -> Option<&Way<FIELDS>> {
        self.demands[choice.request].ways.get(choice.way)
    }
}

impl<A: Fn(&Field) -> bool, const WAYS: usize, const FIELDS: usize> Constraints for Demands<'_, A, WAYS, FIELDS> {
    fn length(&self) -> usize {
        self.demands.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        ask(0);
        self.chosen(choice).map(|way| (way.counters, way.takes))
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        ask(0);
        let alike = |(one, other): (&Way<FIELDS>, &Way<FIELDS>)| Way { bits: 0, ..*one } == Way { bits: 0, ..*other };
        self.demands[one].ways.iter().zip(&self.demands[other].ways).all(alike)
    }

    fn fits(&self, way: Choice, ignored: Ignored) -> bool {
        ask(0);
        let way = self.chosen(way).unwrap();
        way.fields.iter().all(|field| ignored.has(field.register) || (self.agrees)(field))
    }

    fn agree(&self, one: Choice, other: Choice, ignored: Ignored) -> bool {
        ask(0);
        let (one, other) = (self.chosen(one).unwrap(), self.chosen(other).unwrap());
        let mut respected = one.fields.iter().filter(|field| !ignored.has(field.register));
        respected.all(|field| other.fields.iter().all(|theirs| field.agrees(theirs)))
    }

    fn registers(&self, request: usize) -> impl Iterator<Item = &'static Register> {
        ask(1);
        let fields = self.demands[request].ways.iter().flat_map(|way| &way.fields);
        fields.filter(|field| !field.is_nothing()).map(|field| field.register)
    }
}

/// Gives each demand one of its ways, on counters that are `free`; `agrees` says whether a field agrees with what is in
/// use.
pub(crate) fn search<'d, const WAYS: usize, const FIELDS: usize>(
    free: CounterSet,
    agrees: impl Fn(&Field) -> bool,
    demands: &'d [Demand<WAYS, FIELDS>],
    steps: Steps,
    slots: &mut [Slot],
) -> Result<Vec<&'d Way<FIELDS>>, Conflict> {
    solve(free, &Demands { demands, agrees }, steps, slots)?;
    let chosen = demands.iter().zip(slots).map(|(demand, slot)| {
        let way = &demand.ways[slot.bits as usize];
        slot.bits = way.bits;
        way
    });
    Ok(chosen.collect())
}
