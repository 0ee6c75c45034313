//! Places requests on counters, and chooses their ESCRs.
//!
//! An event has an ESCR in each half of its part, and a counter belongs to one half, so the counter decides on the ESCR.
//! In the independent bank no two counters use the same one, and requests are only matched with counters. Among all
//! counters those of one half can use the same ESCR, if they want the same in it. If they do not, a search chooses between the
//! halves.
//!
//! Replay events share two registers, whichever counters they have.

use super::capabilities::Capabilities;
use super::encode::Word;
use super::registers::{EscrId, Half};
use super::share::View;
use crate::arch::x86::Demand;
use crate::arch::x86::place::place_each;
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterSet, Requests};
use crate::placement::{self, Choice, Constraints, Ignored, Register, Takes};

/// The values of the registers of replay tagging that a placement needs; 0 if it needs none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program(pub(super) u64);

impl Program {
    /// Nothing is tagged.
    pub(super) const NONE: Self = Self(0);
}

/// The counters in use, and the values of the registers that must stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    pub(super) counters: CounterSet,
    /// The values of the registers of replay tagging; 0 if they are not in use.
    pub(super) replay: u64,
    /// The ESCRs in use, where counters can share them.
    pub(super) escrs: Escrs,
}

/// The ESCRs in use: by number, and in the order of their numbers their values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escrs {
    used: u64,
    values: [u32; MOST],
}

/// The most ESCRs in use: one for each counter.
const MOST: usize = 18;

impl PartialEq for Escrs {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.used == other.used && (self.used == 0 || self.values == other.values)
    }
}

impl Eq for Escrs {}

impl Escrs {
    /// Returns these ESCRs, whose values `value` returns.
    #[cold]
    #[inline(never)]
    pub(super) fn of(used: u64, value: impl Fn(u8) -> u64) -> Self {
        let mut escrs = Self { used, values: [0; MOST] };
        for (number, kept) in CounterSet::from_bits(used).into_iter().zip(&mut escrs.values) {
            *kept = value(number.number()) as u32;
        }
        escrs
    }

    /// Returns true if nobody wants another value of this ESCR.
    fn agree(&self, (escr, value): (EscrId, u64)) -> bool {
        let bit = 1 << escr as u8;
        let place = (self.used & (bit - 1)).count_ones() as usize;
        self.used & bit == 0 || self.values.get(place).is_some_and(|&used| u64::from(used) == value)
    }
}

/// Places `new` requests beside those in use.
#[inline(always)]
pub(super) fn place(
    capabilities: &Capabilities,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    let free = capabilities.counters().without(beside.counters);
    let needs_replay = new.iter().fold(0, |all, demand| all | demand.auxiliary) != 0;
    let replay = if needs_replay { replay_of(beside.replay, new)? } else { beside.replay };
    if capabilities.view == View::All {
        search(&Sharing { demands: new, beside }, free, steps, out)?;
    } else {
        place_each(free, new, steps, out, |counter, word| Word(word).on(counter))?;
    }
    Ok(Program(replay))
}

/// Returns the values of the registers of replay tagging on which all requests agree.
#[cold]
#[inline(never)]
fn replay_of(before: u64, new: &[Demand]) -> Result<u64, Conflict> {
    let (mut wanted, mut who) = (before, 0);
    for (request, demand) in new.iter().enumerate().filter(|(_, demand)| demand.auxiliary != 0) {
        let this = 1u64.checked_shl(request as u32).unwrap_or(0);
        if wanted == 0 {
            (wanted, who) = (demand.auxiliary, this);
        } else if wanted != demand.auxiliary {
            return Err(Conflict::new(Requests::from_bits(who | this), Contention::Register(REPLAY.name())));
        }
    }
    Ok(wanted)
}

static REPLAY: Register = Register::new(63, "IA32_PEBS_ENABLE");

/// Places requests that may compete for ESCRs: if they do, by a search that chooses their halves.
#[cold]
#[inline(never)]
fn search(requests: &Sharing<'_>, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    let count = out.len() as u32;
    // With an explanation the search has all its steps: the rest is taken where that would be.
    let left = |taken: u32| match steps.explain() {
        0 => Steps::new(steps.search().saturating_sub(taken), 0),
        _ => steps,
    };
    if AGREEING * count <= steps.search() && requests.all_agree() {
        requests.match_all(free, left(AGREEING * count), out)?;
    } else {
        placement::solve_sparing(LAST, free, requests, left(SEARCH + CLASHING * count), out)?;
    }
    for (demand, slot) in requests.demands.iter().zip(out) {
        slot.bits = Word(demand.word).on(slot.counter);
    }
    Ok(())
}

/// Requests among all counters, and what is in use.
struct Sharing<'a> {
    demands: &'a [Demand],
    beside: &'a Occupancy,
}

/// The steps of a request beside those of a matching: its ESCRs are compared with the others', and its CCCR is made.
const AGREEING: u32 = 12;
/// The same beside those of a search.
const CLASHING: u32 = 8;
/// What a small search takes beside its steps: its table asks for the ESCRs of every way.
const SEARCH: u32 = 80;

/// The ways of a request: in the first half of its part, and in the second.
const WAYS: usize = 2;

/// The counters of the first halves of all parts, and those of the second.
const HALVES: [CounterSet; WAYS] = {
    let (mut halves, mut number) = ([CounterSet::EMPTY; WAYS], 0);
    while number < Half::ALL.len() {
        halves[number % WAYS] = halves[number % WAYS].or(Half::ALL[number].counters);
        number += 1;
    }
    halves
};

/// The counter that is used last: [`View::All`] says why.
const LAST: CounterSet = CounterSet::from_bits(1 << 1);

impl Sharing<'_> {
    /// Returns true if all requests want the same in each ESCR that they could use, and so does what is in use.
    fn all_agree(&self) -> bool {
        let (mut wanted, mut values) = (0u64, [0; REGISTERS.len()]);
        let choices = (0..self.demands.len()).flat_map(|request| (0..WAYS).map(move |way| Choice { request, way }));
        choices.filter_map(|choice| self.escr(choice)).all(|(escr, value)| {
            let before = core::mem::replace(&mut values[escr as usize], value);
            let is_new = wanted & 1 << escr as u8 == 0;
            wanted |= 1 << escr as u8;
            (is_new || before == value) && self.beside.escrs.agree((escr, value))
        })
    }

    /// Matches requests that agree with counters, with the last of them if they do not fit without it.
    fn match_all(&self, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        for (demand, slot) in self.demands.iter().zip(out.iter_mut()) {
            slot.bits = demand.counters.bits();
        }
        let half = Steps::new(steps.search() / 2, 0);
        let found = placement::match_masks(free.without(LAST), half, out);
        let found = found.or_else(|_| placement::match_masks(free, half, out));
        found.map_err(|conflict| match conflict.over {
            Contention::Counters(_) if steps.explain() > 0 => placement::explain(free, self, steps),
            _ => conflict,
        })
    }

    /// Returns the counters of a way.
    fn counters(&self, choice: Choice) -> CounterSet {
        match (self.demands.get(choice.request), HALVES.get(choice.way)) {
            (Some(demand), Some(half)) => demand.counters.and(*half),
            _ => CounterSet::EMPTY,
        }
    }

    /// Returns the ESCR of a way, and what it wants in it.
    fn escr(&self, choice: Choice) -> Option<(EscrId, u64)> {
        let word = Word(self.demands.get(choice.request)?.word);
        Some((word.escr_on(self.counters(choice).lowest()?)?, word.escr()))
    }
}

impl Constraints for Sharing<'_> {
    const STEPS: u32 = 3;

    fn length(&self) -> usize {
        self.demands.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        (choice.way < WAYS).then(|| (self.counters(choice), Takes::One))
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        match (self.demands.get(one), self.demands.get(other)) {
            (Some(one), Some(other)) => {
                let same_word = Word(one.word).escr_word() == Word(other.word).escr_word();
                one.counters == other.counters && same_word
            }
            _ => false,
        }
    }

    fn fits(&self, way: Choice, ignored: Ignored) -> bool {
        self.escr(way).is_none_or(|wanted| ignored.has(register(wanted.0)) || self.beside.escrs.agree(wanted))
    }

    fn shared(&self, way: Choice) -> u64 {
        self.escr(way).map_or(0, |(escr, _)| 1 << escr as u8)
    }

    fn agree(&self, one: Choice, other: Choice, ignored: Ignored) -> bool {
        match (self.escr(one), self.escr(other)) {
            (Some((escr, value)), Some((other, wanted))) => {
                escr != other || value == wanted || ignored.has(register(escr))
            }
            _ => true,
        }
    }

    fn registers(&self, request: usize) -> impl Iterator<Item = &'static Register> {
        (0..WAYS).filter_map(move |way| self.escr(Choice { request, way })).map(|(escr, _)| register(escr))
    }
}

/// Returns an ESCR as a register that requests compete for.
fn register(escr: EscrId) -> &'static Register {
    REGISTERS.get(escr as usize).unwrap_or(&REPLAY)
}

/// The ESCRs by number.
static REGISTERS: [Register; 45] = [
    Register::new(0, "MSR_BSU_ESCR0"),
    Register::new(1, "MSR_BSU_ESCR1"),
    Register::new(2, "MSR_FSB_ESCR0"),
    Register::new(3, "MSR_FSB_ESCR1"),
    Register::new(4, "MSR_FIRM_ESCR0"),
    Register::new(5, "MSR_FIRM_ESCR1"),
    Register::new(6, "MSR_FLAME_ESCR0"),
    Register::new(7, "MSR_FLAME_ESCR1"),
    Register::new(8, "MSR_DAC_ESCR0"),
    Register::new(9, "MSR_DAC_ESCR1"),
    Register::new(10, "MSR_MOB_ESCR0"),
    Register::new(11, "MSR_MOB_ESCR1"),
    Register::new(12, "MSR_PMH_ESCR0"),
    Register::new(13, "MSR_PMH_ESCR1"),
    Register::new(14, "MSR_SAAT_ESCR0"),
    Register::new(15, "MSR_SAAT_ESCR1"),
    Register::new(16, "MSR_U2L_ESCR0"),
    Register::new(17, "MSR_U2L_ESCR1"),
    Register::new(18, "MSR_BPU_ESCR0"),
    Register::new(19, "MSR_BPU_ESCR1"),
    Register::new(20, "MSR_IS_ESCR0"),
    Register::new(21, "MSR_IS_ESCR1"),
    Register::new(22, "MSR_ITLB_ESCR0"),
    Register::new(23, "MSR_ITLB_ESCR1"),
    Register::new(24, "MSR_CRU_ESCR0"),
    Register::new(25, "MSR_CRU_ESCR1"),
    Register::new(26, "MSR_IQ_ESCR0"),
    Register::new(27, "MSR_IQ_ESCR1"),
    Register::new(28, "MSR_RAT_ESCR0"),
    Register::new(29, "MSR_RAT_ESCR1"),
    Register::new(30, "MSR_SSU_ESCR0"),
    Register::new(31, "MSR_MS_ESCR0"),
    Register::new(32, "MSR_MS_ESCR1"),
    Register::new(33, "MSR_TBPU_ESCR0"),
    Register::new(34, "MSR_TBPU_ESCR1"),
    Register::new(35, "MSR_TC_ESCR0"),
    Register::new(36, "MSR_TC_ESCR1"),
    Register::new(37, "MSR_IX_ESCR0"),
    Register::new(38, "MSR_IX_ESCR1"),
    Register::new(39, "MSR_ALF_ESCR0"),
    Register::new(40, "MSR_ALF_ESCR1"),
    Register::new(41, "MSR_CRU_ESCR2"),
    Register::new(42, "MSR_CRU_ESCR3"),
    Register::new(43, "MSR_CRU_ESCR4"),
    Register::new(44, "MSR_CRU_ESCR5"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86::Msr;

    #[test]
    fn every_escr_has_the_name_that_its_register_prints() {
        for (number, register) in REGISTERS.iter().enumerate() {
            let msr = Msr::escr(number as u8).unwrap();
            assert_eq!((format!("{msr:?}").as_str(), usize::from(register.number())), (register.name(), number));
        }
    }
}
