//! The ways to count one request.
//!
//! Most requests have one way: any of some counters, with the same fields of each and the same needs in shared fields.
//! Four kinds have more. From POWER8 on instructions and cycles have a counter of their own beside the others. On
//! POWER9 an event that is of no bank of the caches' events needs of PMC4, and only of it, that no bank is selected. On
//! POWER4, POWER5 and the 970 some events have two routes to their counters. From POWER5+ on some events have two codes, of
//! different counters.
//!
//! A demand is at most 64 bytes long, because compilers copy longer values by a call.

use super::needs::{HalfBits, Needs};
use super::own::{Field, Own};
use super::registers::Freeze;
use crate::event::{CounterId, CounterSet};

/// The most ways that a demand has.
pub(super) const WAYS: usize = 4;

/// The ways to count one request. The default is a demand that nothing satisfies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// What it needs in shared fields on `counters`.
    needs: Needs,
    /// The upper half of MMCR1 as its second route needs it; no bits if it has only one route.
    detour: HalfBits,
    own: Own,
    /// The counters that can count it, one bit each.
    counters: u8,
    /// Those of them that can count it only while no bank is selected.
    unbanked: u8,
    /// PMC5 or PMC6, if the counter's one event is the request's.
    fixed: u8,
    /// The counters that count it by another code; none of `counters`.
    others: u8,
    /// That code's selector and unit.
    other_select: u8,
    other_unit: u8,
}

const _: () = assert!(size_of::<Demand>() <= 64);

impl Demand {
    /// Any of these counters, which needs nothing.
    pub(super) const fn new(counters: CounterSet, own: Own) -> Self {
        let detour = HalfBits::NONE;
        let counters = counters.bits() as u8;
        let needs = Needs::NOTHING;
        Self { needs, detour, own, counters, unbanked: 0, fixed: 0, others: 0, other_select: 0, other_unit: 0 }
    }

    /// Adds needs.
    #[inline(always)]
    pub(super) const fn with(mut self, needs: Needs) -> Self {
        self.needs = self.needs.and(needs);
        self
    }

    /// Adds the needs of a route, or of either of two. Both are in the upper half of MMCR1.
    pub(super) fn by(self, route: Needs, other: Option<Needs>) -> Self {
        let Some(other) = other else { return self.with(route) };
        debug_assert!([route, other].iter().all(|it| it.with_upper_selects(HalfBits::NONE) == Needs::NOTHING));
        Self { detour: self.needs.and(other).upper_selects(), ..self.with(route) }
    }

    /// Adds a counter whose one event it is, counted always; from POWER8 on.
    #[inline(always)]
    pub(super) const fn or_fixed(mut self, counter: CounterSet) -> Self {
        self.fixed = counter.bits() as u8;
        self
    }

    /// Adds the counters of another code that counts the same, and needs the same in shared fields. The two differ in
    /// selector and unit alone.
    pub(super) const fn or_by(mut self, other: &Self) -> Self {
        let others = other.counters & !self.counters;
        if self.own.bits() == other.own.bits() {
            self.counters |= others;
        } else {
            self.others = others;
            self.other_select = other.own.get(Field::SELECT) as u8;
            self.other_unit = other.own.get(Field::UNIT) as u8;
        }
        self
    }

    /// Replaces the counters.
    pub(super) const fn on(mut self, counters: CounterSet) -> Self {
        self.counters = counters.bits() as u8;
        self
    }

    /// Makes it use these counters only while no bank is selected, unless it is of a bank itself.
    #[inline(always)]
    pub(super) const fn unbanked(mut self, counters: CounterSet) -> Self {
        self.unbanked = if self.needs.has_bank() { 0 } else { counters.bits() as u8 };
        self
    }

    /// Restricts it to these counters.
    #[inline(always)]
    pub(super) const fn within(mut self, counters: CounterSet) -> Self {
        self.counters &= counters.bits() as u8;
        self.fixed &= counters.bits() as u8;
        self.others &= counters.bits() as u8;
        self
    }

    /// Freezes its counter in these states; from POWER8 on.
    #[inline(always)]
    pub(super) const fn frozen(mut self, freeze: Freeze) -> Self {
        self.own = self.own.with(Field::FREEZE, freeze.bits() as u64);
        self
    }

    /// Returns the fields of its counter, if that is this one.
    #[inline(always)]
    pub(super) const fn own_on(&self, counter: CounterId) -> Own {
        if self.others & counter.only().bits() as u8 == 0 {
            return self.own;
        }
        let own = self.own.with_not(Field::SELECT).with_not(Field::UNIT);
        own.with(Field::SELECT, self.other_select as u64).with(Field::UNIT, self.other_unit as u64)
    }

    /// Returns the counters that can count it.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        CounterSet::from_bits((self.counters | self.fixed | self.others) as u64)
    }

    /// Returns the counters on which it agrees with these needs, which have what all its ways need, in two sets: if PMC5 and PMC6
    /// count `always` or do not, and the other way round.
    #[inline(always)]
    pub(super) const fn counters_beside(&self, needs: &Needs, always: bool) -> [CounterSet; 2] {
        let (mut counters, mut others) = (self.counters, self.others);
        if self.fixed | others != 0 && !needs.agrees(&self.needs) {
            counters = 0;
            others = if needs.agrees(&self.needs.without_run()) { others } else { 0 };
        }
        let able = if needs.has_bank() { !self.unbanked } else { u8::MAX };
        let running = CounterSet::from_bits(((counters | others) & able) as u64);
        counters = if self.needs_run() { 0 } else { counters };
        let all = CounterSet::from_bits((self.fixed | (counters | others) & able) as u64);
        if always { [all, running] } else { [running, all] }
    }

    /// Returns what its two routes need in the upper half of MMCR1, if it has two.
    #[inline(always)]
    pub(super) const fn routes(&self) -> Option<[HalfBits; 2]> {
        if self.has_detour() { Some([self.needs.upper_selects(), self.detour]) } else { None }
    }

    /// Returns what all its ways need, of which it may leave some out.
    #[inline(always)]
    pub(super) const fn least_needs(&self) -> Needs {
        if self.fixed != 0 {
            return Needs::NOTHING;
        }
        let needs = if self.others == 0 { self.needs } else { self.needs.without_run() };
        if self.has_detour() { needs.with_upper_selects(HalfBits::NONE) } else { needs }
    }

    /// Returns true if it needs the same on all its counters.
    #[inline(always)]
    pub(super) const fn needs_the_same(&self) -> bool {
        self.fixed | self.unbanked == 0 && (self.others == 0 || !self.needs_run())
    }

    /// Returns true if one of its counters always counts.
    #[inline(always)]
    pub(super) const fn has_fixed(&self) -> bool {
        self.fixed != 0
    }

    /// Returns true if it needs a value of MMCR0's CC5-6RUN, on a counter that is not its own.
    #[inline(always)]
    pub(super) const fn needs_run(&self) -> bool {
        self.needs.has_run()
    }

    /// Returns what it needs on a counter, by the first of two routes.
    #[inline(always)]
    pub(super) const fn needs_on(&self, counter: CounterId) -> Needs {
        let counter = counter.only().bits() as u8;
        if self.fixed & counter != 0 {
            Needs::run(true)
        } else if self.others & counter != 0 {
            self.needs_of_others()
        } else if self.unbanked & counter != 0 {
            self.needs.and(Needs::no_bank())
        } else {
            self.needs
        }
    }

    /// Returns what it needs on the counters of its other code: PMC5's and PMC6's bit is not theirs.
    const fn needs_of_others(&self) -> Needs {
        let needs = self.needs.without_run();
        if self.others & self.unbanked == 0 { needs } else { needs.and(Needs::no_bank()) }
    }

    pub(super) const fn has_detour(&self) -> bool {
        !self.detour.is_none()
    }

    /// Returns the counters of a way to count it. The preferred one comes first. A way without counters does not exist.
    #[inline(always)]
    pub(super) const fn counters_of(&self, way: usize) -> CounterSet {
        let counters = match way {
            0 => self.fixed,
            1 => self.counters & !self.unbanked,
            2 if self.has_detour() => self.counters,
            2 => self.counters & self.unbanked,
            3 => self.others,
            _ => 0,
        };
        CounterSet::from_bits(counters as u64)
    }

    /// Returns what a way needs.
    #[inline(always)]
    pub(super) const fn needs_of(&self, way: usize) -> Needs {
        match way {
            0 => Needs::run(true),
            1 => self.needs,
            2 if self.has_detour() => self.needs.with_upper_selects(self.detour),
            2 => self.needs.and(Needs::no_bank()),
            _ => self.needs_of_others(),
        }
    }

    /// Returns true if the other has the same ways.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let Self { needs, detour, own: _, counters, unbanked, fixed, others, other_select: _, other_unit: _ } = other;
        (self.counters, self.unbanked, self.fixed, self.others) == (*counters, *unbanked, *fixed, *others)
            && (&self.needs, &self.detour) == (needs, detour)
    }
}
