//! Decodes event codes: the counters that can count an event, the contents of the counter's own fields, and
//! what the event needs in fields that all counters share.
//!
//! A code has the layout of the processor's event lists. Each file describes one.

mod alternatives;
mod architected;
mod bus;
mod isa207;
mod lanes;
mod power7;

use super::demand::Demand;
use super::model::Model;
use super::needs::Needs;
use crate::event::{CounterSet, Refusal, Result};

/// PMC1 to PMC4.
const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// PMC4.
const FOURTH: CounterSet = CounterSet::from_bits(0b1000);

/// PMC5, which counts instructions and nothing else from POWER8 on.
pub(super) const FIFTH: CounterSet = CounterSet::from_bits(0b1_0000);

/// PMC6, which counts cycles and nothing else from POWER8 on.
pub(super) const SIXTH: CounterSet = CounterSet::from_bits(0b10_0000);

/// Returns the counter that a code contains, from 1, as a set, or `any` if it contains none.
fn named(number: u64, any: CounterSet) -> CounterSet {
    if number == 0 { any } else { CounterSet::from_bits(1 << (number - 1)) }
}

/// Decodes an event code of this processor, and the one that counts the same if there is one: then each is counted by the
/// counters of both. Codes with a threshold beside them have no alternative.
pub(super) fn decode(model: Model, code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    match alternatives::pair(model, code) {
        Some((one, other)) if !model.has_freezes() || auxiliary == 0 => decode_both(model, one, other, auxiliary),
        _ => decode_one(model, code, auxiliary),
    }
}

#[cold]
#[inline(never)]
fn decode_both(model: Model, one: u64, other: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    Ok(decode_one(model, one, auxiliary)?.or_by(&decode_one(model, other, auxiliary)?))
}

fn decode_one(model: Model, code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    match model {
        Model::Power4 => lanes::power4(code, auxiliary),
        Model::Ppc970 => lanes::ppc970(code, auxiliary),
        Model::Power5 | Model::Power5Plus => bus::power5(model, code, auxiliary),
        Model::Power6 => bus::power6(code, auxiliary),
        Model::Power7 => power7::power7(code, auxiliary),
        Model::Microwatt => architected::microwatt(code, auxiliary),
        Model::Power8 | Model::Power9 | Model::Power10 => isa207::decode(model, code, auxiliary),
    }
}

/// Checks that the code sets no bits outside its layout.
fn check_layout(code: u64, layout: u64) -> Result<(), Refusal> {
    match code & !layout {
        0 => Ok(()),
        beyond => Err(Refusal::ReservedBits(beyond)),
    }
}

/// Returns what an event before POWER8 needs in MMCRA. Its auxiliary value is SAMPLE_ENABLE, bit 0, for events of
/// marked instructions, as in the tables of event groups.
fn sampling(auxiliary: u64) -> Result<Needs, Refusal> {
    match auxiliary {
        0 => Ok(Needs::NOTHING),
        1 => Ok(Needs::marks(1, 1)),
        other => Err(Refusal::Auxiliary(other & !1)),
    }
}
