//! Event codes of POWER5 and POWER6. Units put their events on a bus of four lanes, and counters
//! select from the bus.
//!
//! POWER5: selector in bits 0 to 6, whether it is of the bus in 7, storage subsystem multiplexer in
//! 8 to 10, lane in 12 to 14, unit in 16 to 19, counter in 20 to 23. POWER6: selector in 0 to 7,
//! part of the nest in 8 to 10, lane in 12 and 13, load look-ahead in 14, its value in 15, unit in
//! 16 to 19, counter in 20 to 22. Counter 0 is any counter that can count the event. The auxiliary value is 1 for
//! an event of marked instructions.
//!
//! Sources: the layouts are those of torvalds/linux arch/powerpc/perf/{power5,power5+,power6}-pmu.c; for MMCR1's
//! fields the same, and the words of IBM's groups of events (OProfile's ppc64/power5, power5+ and
//! power6/event_mappings). No manual of these registers was available.

use super::{FIRST_FOUR, Needs, check_layout, named, sampling};
use crate::arch::powerpc::book3s::demand::Demand;
use crate::arch::powerpc::book3s::model::Model;
use crate::arch::powerpc::book3s::own::{Field, Own};
use crate::event::{CounterSet, Refusal, Result};

/// Needs bits of MMCR1.
const fn selects(mask: u64, value: u64, shift: u32) -> Needs {
    Needs::selects(mask << shift, value << shift)
}

/// The route of a unit of POWER5 to the bus: the multiplexer, and its value.
#[derive(Clone, Copy)]
enum Route {
    /// Multiplexer 0 (TTM0SEL) or 1 (TTM1SEL), with this value.
    Selected(u64, u64),
    /// Multiplexer 2, which has no other inputs.
    Always,
    /// Multiplexer 3 (TTM3SEL), by the lane: the upper or the lower word.
    Word,
}

/// Returns the routes of a unit to the bus. ISU0 has two.
const fn routes(unit: u64) -> Option<(Route, Option<Route>)> {
    match unit {
        1 => Some((Route::Selected(0, 1), Some(Route::Selected(1, 2)))),
        0 | 2 | 3 => Some((Route::Selected(0, unit), None)),
        4 | 6 | 7 => Some((Route::Selected(1, unit & 3), None)),
        8 => Some((Route::Always, None)),
        12 => Some((Route::Word, None)),
        _ => None,
    }
}

/// Returns what a route needs in MMCR1 for a lane, 0 to 7. From 4 on the lanes are those of the lower word.
fn route_needs(route: Route, lane: u64) -> Result<Needs, Refusal> {
    let at = lane as u32 & 3;
    let lane_from = |multiplexer| selects(3, multiplexer, 54 - 2 * at);
    match route {
        Route::Word => Ok(selects(1, lane >> 2, 59 - at).and(lane_from(3))),
        _ if lane > 3 => Err(Refusal::Impossible("lanes 4 to 7 are those of unit 12")),
        Route::Always => Ok(lane_from(2)),
        Route::Selected(multiplexer, value) => {
            Ok(selects(3, value, 62 - 2 * multiplexer as u32).and(lane_from(multiplexer)))
        }
    }
}

/// Returns what an event of the storage subsystem, unit 7, needs before the bus (GRS_L2SEL, L3SEL, MCSEL,
/// FABSEL), by the bit of its lane.
const fn storage(select: u64, value: u64) -> Needs {
    match select & 7 {
        0..=2 => selects(3, value, 46),
        3..=5 => selects(3, value, 44),
        6 => selects(7, value, 41),
        _ => selects(3, value, 39),
    }
}

const POWER5_LAYOUT: u64 = 0xFF_77FF;
const STORAGE: u64 = 7;

/// Codes of POWER5 and POWER5+. On POWER5 lanes 0 and 2 lead to PMC1 and PMC2, lanes 1 and 3 to PMC3 and PMC4. On POWER5+
/// each counter reaches every lane, and adds from the higher lanes by one selector more.
pub(super) fn power5(model: Model, code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, POWER5_LAYOUT)?;
    let code = stoppable(code);
    let number = code >> 20;
    if number > 4 {
        return Err(Refusal::UnknownEvent);
    }
    let (lane, select) = (code >> 12 & 7, code & 0x7F);
    let is_of_bus = code & 0x80 != 0;
    let is_plus = matches!(model, Model::Power5Plus);
    let reached = if lane & 1 == 0 { CounterSet::from_bits(0b0011) } else { CounterSet::from_bits(0b1100) };
    let any = if is_of_bus && !is_plus { reached } else { FIRST_FOUR };
    let adds = matches!(select, 0x08 | 0x10) || is_plus && select == 0x28;
    let adder = number != 0 && adds && is_of_bus && lane & 2 != 0;
    let own = if is_plus { from_any_lane(select, lane) } else { Own::selecting(select) };
    let own = own.with(Field::ADDER, adder.into());
    let counters = named(number, any).and(if code & INSTRUCTIONS_MASK == INSTRUCTIONS { BOTH } else { FIRST_FOUR });
    let demand = Demand::new(counters, own).with(sampling(auxiliary)?);
    if !is_of_bus {
        return Ok(demand);
    }
    let unit = code >> 16 & 0xF;
    let (route, other) = routes(unit).ok_or(Refusal::Impossible("no unit of the processor has this number"))?;
    let storage = if unit == STORAGE { storage(select, code >> 8 & 7) } else { Needs::NOTHING };
    let other = other.map(|other| route_needs(other, lane)).transpose()?;
    Ok(demand.with(storage).by(route_needs(route, lane)?, other))
}

/// Returns the selector of an event of a lane for every counter of POWER5+. Bit 4 selects the other pair of lanes: on PMC1
/// and PMC2 that is 1 and 3, on PMC3 and PMC4 0 and 2.
fn from_any_lane(select: u64, lane: u64) -> Own {
    const OTHER_LANES: u64 = 0x10;
    if select & 0x58 != 0x40 {
        return Own::selecting(select);
    }
    let on_first_two = if lane & 1 == 0 { select } else { select | OTHER_LANES };
    Own::selecting(on_first_two).with(Field::SWAPS, 1)
}

/// Selector 9 counts instructions completed on PMC1 and PMC2, and dispatched on the others.
const INSTRUCTIONS: u64 = 0x09;
const INSTRUCTIONS_MASK: u64 = 0xF0_00FF;
const BOTH: CounterSet = CounterSet::from_bits(0b0011);

/// Replaces a code of PMC5 and PMC6, which ignore the freezes and are not used. PMC1 counts the same events, and for
/// instructions PMC2 does too: the code then contains no counter.
const fn stoppable(code: u64) -> u64 {
    match code {
        0x50_0009 => INSTRUCTIONS,
        0x60_0005 => 0x10_0005,
        code => code,
    }
}

const POWER6_LAYOUT: u64 = 0x7F_F7FF;
/// The bits of an event of the bus: its unit, its lane, its part of the nest.
const OF_BUS: u64 = 0xF_3700;
const NEST: u64 = 5;

pub(super) fn power6(code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, POWER6_LAYOUT)?;
    let code = match code {
        // All counters count what PMC5 counts. PMC1 counts what PMC6 counts (cycles while CTRL[RUN] is set).
        0x50_0009 => 0x02,
        0x60_0005 => 0x10_000A,
        code => code,
    };
    let number = code >> 20;
    if number > 4 {
        return Err(Refusal::UnknownEvent);
    }
    let (select, lane, unit) = (code & 0xFF, code >> 12 & 3, code >> 16 & 0xF);
    let is_of_bus = code & OF_BUS != 0;
    let adder = is_of_bus && (0x30..=0x3D).contains(&select) && lane >= 2;
    let swaps = is_of_bus && select & 0x90 == 0x80;
    let look_ahead = code >> 14 & 3;
    let own = Own::selecting(select).with(Field::ADDER, adder.into()).with(Field::SWAPS, swaps.into());
    let own = own.with(Field::LOOK_AHEAD, look_ahead);
    if look_ahead == 0b10 {
        return Err(Refusal::Impossible("a value of the load look-ahead is for events that match it"));
    }
    let demand = Demand::new(named(number, FIRST_FOUR), own).with(sampling(auxiliary)?);
    if !is_of_bus {
        return Ok(demand);
    }
    let nest = if unit == NEST { selects(7, code >> 8 & 7, 45) } else { Needs::NOTHING };
    Ok(demand.with(selects(0xF, unit, 60 - 4 * lane as u32)).with(nest))
}
