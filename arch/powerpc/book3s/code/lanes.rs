//! Event codes of POWER4 and the PowerPC 970. Units put their events on four lanes, and each lane
//! leads to half of the eight counters.
//!
//! Selector in bits 0 to 3 (POWER4: to 2), lane in 4 and 5, on the 970 speculation selector in 6 and
//! 7 and on POWER4 the lower word in 6, unit in 8 to 11, counter in 12 to 15. Counter 0 is any counter that
//! can count the event. The auxiliary value is 1 for an event of marked instructions.
//!
//! Sources: the layouts are those of torvalds/linux arch/powerpc/perf/{ppc970,power4}-pmu.c; for MMCR1's
//! fields on the 970 Apple's xnu osfmk/ppc/hw_perfmon_mmcr.h, and for what they select Apple's "Shark User Guide",
//! appendix "PPC 970 (G5) Performance Counter Event List"; for POWER4 the groups of OProfile's
//! ppc64/power4/event_mappings. The "IBM PowerPC 970FX RISC Microprocessor User's Manual", which describes them, was
//! not available.

use super::{Needs, check_layout, named, sampling};
use crate::arch::powerpc::book3s::demand::Demand;
use crate::arch::powerpc::book3s::own::{Field, Own};
use crate::event::{CounterSet, Refusal, Result};

const ALL_EIGHT: CounterSet = CounterSet::first(8);
/// PMC1, 2, 5 and 6, which lanes 0 and 2 lead to. Lanes 1 and 3 lead to the others.
const OF_EVEN_LANES: CounterSet = CounterSet::from_bits(0b0011_0011);

/// The fields that both layouts have.
#[derive(Clone, Copy)]
struct Code {
    select: u64,
    lane: u32,
    unit: u64,
    number: u64,
}

impl Code {
    fn new(code: u64, selector: u64) -> Result<Self, Refusal> {
        let number = code >> 12;
        if number > 8 {
            return Err(Refusal::UnknownEvent);
        }
        Ok(Self { select: code & selector, lane: (code >> 4 & 3) as u32, unit: code >> 8 & 0xF, number })
    }

    /// Returns true for an event of a lane, for all counters that the lane leads to.
    const fn is_of_lane(self) -> bool {
        self.number == 0 && self.unit != 0
    }

    fn counters(self) -> CounterSet {
        let any = match (self.unit, self.lane & 1) {
            (0, _) => ALL_EIGHT,
            (_, 0) => OF_EVEN_LANES,
            _ => ALL_EIGHT.without(OF_EVEN_LANES),
        };
        named(self.number, any)
    }

    /// Returns true if an event that contains its counter and has selector 0 is added from a lane, and the lane is
    /// the higher one.
    const fn adder(self) -> bool {
        self.number != 0 && self.select == 0 && self.lane & 2 != 0
    }

    /// Returns the selector of an event of a lane: the higher or lower of the counter's two lanes, and the bit.
    const fn of_lane(self) -> u64 {
        self.select | 0x10 | (self.lane as u64 & 2) << 2
    }
}

/// Needs bits of MMCR1.
const fn selects(mask: u64, value: u64, shift: u32) -> Needs {
    Needs::selects(mask << shift, value << shift)
}

/// Needs a lane to come from this multiplexer (TD_CP_DBGnSEL).
const fn lane_from(lane: u32, multiplexer: u64) -> Needs {
    selects(3, multiplexer, 50 - 2 * lane)
}

/// Needs a lane to come from a multiplexer, which selects the unit.
const fn through(lane: u32, multiplexer: u64, select: Needs) -> Needs {
    select.and(lane_from(lane, multiplexer))
}

const NO_UNIT: Refusal = Refusal::Impossible("no unit of the processor has this number");

pub(super) fn ppc970(code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, 0xFFFF)?;
    let speculation = code >> 6 & 3;
    let code = Code::new(code, 0xF)?;
    let select = match code.number {
        0 if code.unit == 0 => code.select | 8,
        0 => code.of_lane(),
        _ => code.select,
    };
    let own = Own::selecting(select).with(Field::ADDER, code.adder().into());
    let demand = Demand::new(code.counters(), own).with(sampling(auxiliary)?);
    let demand = if speculation == 0 { demand } else { demand.with(selects(3, speculation, 0)) };
    let lane = code.lane;
    let (first, second) =
        (|value| through(lane, 0, selects(3, value, 62)), |value| through(lane, 1, selects(3, value, 59)));
    match code.unit {
        0 => Ok(demand),
        1 => Ok(demand.with(first(0))),
        2 => Ok(demand.with(first(3))),
        3 => Ok(demand.by(first(1), Some(second(2)))),
        4 => Ok(demand.with(first(2))),
        5 => Ok(demand.with(second(0))),
        6 => Ok(demand.with(second(3))),
        7 => Ok(demand.with(lane_from(lane, 2))),
        8 | 9 => Ok(demand.with(load_store_1(lane, code.unit - 8))),
        _ => Err(NO_UNIT),
    }
}

/// Needs of the second load-store unit of the 970: on lanes 2 and 3 TTM3SEL selects its word.
const fn load_store_1(lane: u32, word: u64) -> Needs {
    if lane < 2 { lane_from(lane, 3) } else { through(lane, 3, selects(1, word, 56 - lane)) }
}

/// The selector 6 of a counter that the code contains decodes a lane.
const DECODE: u64 = 6;

pub(super) fn power4(code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, 0xFF77)?;
    let word = code >> 6 & 1;
    let code = Code::new(code, 7)?;
    let select = match code.number {
        0 if code.is_of_lane() => code.of_lane(),
        0 => code.select,
        _ => code.select | 8,
    };
    let own = Own::selecting(select).with(Field::ADDER, code.adder().into());
    let demand = Demand::new(code.counters(), own).with(decoding(code).unwrap_or(sampling(auxiliary)?));
    let (route, other) = power4_routes(code, word)?;
    Ok(demand.by(route, other))
}

/// Decoding lane 3 needs marked instructions, and decoding lane 2 needs that none are marked.
const fn decoding(code: Code) -> Option<Needs> {
    match (code.number, code.select, code.lane) {
        (0, ..) => None,
        (_, DECODE, 2) => Some(Needs::marks(1, 0)),
        (_, DECODE, 3) => Some(Needs::marks(1, 1)),
        _ => None,
    }
}

/// Returns what the routes from a unit of POWER4 to a lane need: through multiplexers 0 to 3 (TTMnSEL), each of which
/// has a word (TTCnSEL). ISU1 and IFU have two routes.
fn power4_routes(code: Code, word: u64) -> Result<(Needs, Option<Needs>), Refusal> {
    let lane = code.lane;
    let route = |multiplexer: u64, value: u64| {
        let at = 62 - 3 * multiplexer as u32;
        through(lane, multiplexer, selects(3, value, at).and(selects(1, word, at - 1)))
    };
    match (code.unit, word) {
        (0, 0) => Ok((Needs::NOTHING, None)),
        (1, _) => Ok((route(0, 0), None)),
        (2, _) => Ok((route(0, 1), Some(route(1, 2)))),
        (3, _) => Ok((route(0, 2), Some(route(2, 0)))),
        (4, 1) => Ok((route(1, 0), None)),
        (6, _) => Ok((route(1, 2), None)),
        (7, 0) => Ok((route(1, 3), None)),
        (8, _) => Ok((route(2, 0), None)),
        (9, 0) => Ok((route(2, 1), None)),
        (12, _) => Ok((route(3, 0), None)),
        (15, 0) => Ok((selects(1, 1, 43 - lane), None)),
        (4 | 7 | 9 | 15 | 0, _) => Err(Refusal::Impossible("this unit has no events in that word")),
        _ => Err(NO_UNIT),
    }
}
