//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from public tables, so that a wrong code in
//! either is found. It has the events that count what completes, and cycles. What only finishes, as PM_BRU_FIN
//! counts it, is treated as completed, because in software there is no difference. Events with edges, combinations
//! or marked instructions are not included.
//!
//! Sources: Power ISA 2.07B and 3.0B Book III, "Performance Monitor Facility", tables "Events" of PMC1
//! to PMC4 (selectors F0 to FE); for POWER8, 9 and 10 IBM's event lists as torvalds/linux
//! tools/perf/pmu-events/arch/powerpc has them; for POWER4 to POWER7 the values of MMCR0 and MMCR1 in OProfile's
//! event_mappings (GPL), from which the selectors of each event's counter were read.

use crate::arch::powerpc::book3s::{Mmcr0, Model};
use crate::event::CounterId;
use crate::virt::{Kind, Source};

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection {
    /// Nothing.
    Nothing,
    /// A kind of work.
    Work(Kind),
    /// A kind of work, while CTRL\[RUN\] is set.
    RunningWork(Kind),
    /// Something that is not a kind of work.
    Unknown,
}

impl Selection {
    /// Returns it as a place in the table of what counters count.
    pub(super) const fn source(self) -> Source {
        match self {
            Self::Nothing => Source::OWN,
            Self::Work(kind) | Self::RunningWork(kind) => Source::of(kind),
            Self::Unknown => Source::UNTOLD,
        }
    }
}

/// An event that counts a kind of work.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The counters that can count it, one bit for each.
    counters: u8,
    /// PMCnUNIT, if the model has one for each counter.
    unit: u64,
    select: u64,
    is: Selection,
}

const fn known(counters: u8, select: u64, kind: Kind) -> Known {
    Known { counters, unit: 0, select, is: Selection::Work(kind) }
}

const fn running(counters: u8, select: u64, kind: Kind) -> Known {
    Known { counters, unit: 0, select, is: Selection::RunningWork(kind) }
}

const PMC1: u8 = 1 << 0;
const PMC2: u8 = 1 << 1;
const PMC3: u8 = 1 << 2;
const PMC4: u8 = 1 << 3;
/// PMC1 to PMC4.
const FOUR: u8 = 0b1111;
/// PMC1 to PMC8.
const EIGHT: u8 = 0xFF;

const POWER4: &[Known] = &[
    known(EIGHT, 0x07, Kind::Cycles),
    known(0b1110_1001, 0x09, Kind::Instructions),
    running(PMC1, 0x0D, Kind::Cycles),
];

const PPC970: &[Known] =
    &[known(EIGHT, 0x0F, Kind::Cycles), known(EIGHT, 0x09, Kind::Instructions), running(PMC1, 0x05, Kind::Cycles)];

const POWER5: &[Known] =
    &[known(FOUR, 0x0F, Kind::Cycles), known(PMC1 | PMC2, 0x09, Kind::Instructions), running(PMC1, 0x05, Kind::Cycles)];

const POWER6: &[Known] = &[
    known(FOUR, 0x1E, Kind::Cycles),
    known(FOUR, 0x02, Kind::Instructions),
    running(PMC1, 0x0A, Kind::Cycles),
    running(PMC2, 0xF4, Kind::Cycles),
];

const POWER7: &[Known] = &[
    known(FOUR, 0x1E, Kind::Cycles),
    known(FOUR, 0x02, Kind::Instructions),
    known(PMC1, 0x68, Kind::Branches),
    known(PMC2, 0x04, Kind::TakenBranches),
    running(PMC2, 0xF4, Kind::Cycles),
    known(PMC4, 0xF6, Kind::MispredictedBranches),
    running(PMC4, 0xFA, Kind::Instructions),
];

/// The events that POWER8, 9 and 10 have in common.
const SINCE_POWER8: &[Known] = &[
    known(FOUR, 0x1E, Kind::Cycles),
    known(FOUR, 0x02, Kind::Instructions),
    known(PMC1, 0x68, Kind::Branches),
    known(PMC1, 0xF0, Kind::Cycles),
    known(PMC1, 0xFE, Kind::Instructions),
    running(PMC2, 0xF4, Kind::Cycles),
    known(PMC2, 0xFA, Kind::TakenBranches),
    known(PMC4, 0xF6, Kind::MispredictedBranches),
    running(PMC4, 0xFA, Kind::Instructions),
];

const POWER8: &[Known] =
    &[known(PMC1, 0x2E, Kind::Loads), known(PMC2, 0x16, Kind::Stores), known(PMC4, 0x60, Kind::Branches)];

const SINCE_POWER9: &[Known] = &[
    known(PMC2, 0xF0, Kind::Stores),
    known(PMC4, 0x3E, Kind::Loads),
    Known { counters: PMC4, unit: 0xD, select: 0x5E, is: Selection::Work(Kind::Branches) },
];

/// Those of the architecture alone, by Microwatt's pmu.vhdl.
const MICROWATT: &[Known] = &[
    known(PMC1, 0xF0, Kind::Cycles),
    known(PMC1, 0xF2, Kind::Instructions),
    running(PMC1, 0xFA, Kind::Cycles),
    known(PMC1, 0xFC, Kind::Loads),
    known(PMC1, 0xFE, Kind::Instructions),
    known(PMC2, 0xF0, Kind::Stores),
    running(PMC2, 0xF4, Kind::Cycles),
    known(PMC2, 0xFA, Kind::TakenBranches),
    running(PMC3, 0xF4, Kind::Instructions),
    running(PMC4, 0xF4, Kind::Cycles),
    known(PMC4, 0xF6, Kind::MispredictedBranches),
    running(PMC4, 0xFA, Kind::Instructions),
];

/// Returns the events of a model, in two parts.
const fn events(model: Model) -> [&'static [Known]; 2] {
    match model {
        Model::Power4 => [POWER4, &[]],
        Model::Ppc970 => [PPC970, &[]],
        Model::Power5 | Model::Power5Plus => [POWER5, &[]],
        Model::Power6 => [POWER6, &[]],
        Model::Power7 => [POWER7, &[]],
        Model::Power8 => [SINCE_POWER8, POWER8],
        Model::Power9 | Model::Power10 => [SINCE_POWER8, SINCE_POWER9],
        Model::Microwatt => [MICROWATT, &[]],
    }
}

/// The contents of a counter's selector fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Code {
    unit: u64,
    select: u64,
    /// The selector that counts nothing.
    nothing: u64,
    /// Whether it combines events of two counters.
    combined: bool,
}

/// POWER4 and 970: PMC1SEL and PMC2SEL are in MMCR0, the others in MMCR1, five bits each.
fn of_eight(model: Model, counter: usize, control: u64, selects: u64) -> Code {
    let shift = [8, 1, 27, 22, 17, 12, 7, 2][counter & 7];
    let register = if counter < 2 { control } else { selects };
    let nothing = if model == Model::Ppc970 { 8 } else { 0 };
    Code { unit: 0, select: register >> shift & 0x1F, nothing, combined: false }
}

/// PMC1SEL to PMC4SEL of MMCR1: seven bits on POWER5, eight from POWER6 on.
fn of_four(model: Model, counter: usize, selects: u64) -> Code {
    let (first, mask) = match model {
        Model::Power5 | Model::Power5Plus => (25, 0x7F),
        _ => (24, 0xFF),
    };
    let counter = counter as u32 & 3;
    let has_units = model >= Model::Power8 && model != Model::Microwatt;
    let unit = if has_units { selects >> (60 - 4 * counter) & 0xF } else { 0 };
    let combined = match model {
        Model::Power8 => selects >> (35 - counter) & 1 != 0,
        Model::Power9 | Model::Power10 => selects >> (38 - 2 * counter) & 0b11 != 0,
        _ => false,
    };
    Code { unit, select: selects >> (first - 8 * counter) & mask, nothing: 0, combined }
}

/// Returns the selector fields of a counter, or `None` if it always counts the same.
fn code(model: Model, counter: usize, control: Mmcr0, selects: u64) -> Option<Code> {
    match model {
        Model::Power4 | Model::Ppc970 => Some(of_eight(model, counter, control.bits(), selects)),
        _ if counter >= 4 => None,
        _ => Some(of_four(model, counter, selects)),
    }
}

/// Returns PMCnSEL, below PMCnUNIT if there is one for each counter, or 0 for a counter without.
pub(super) fn raw(model: Model, id: CounterId, control: Mmcr0, selects: u64) -> u64 {
    let code = code(model, usize::from(id.number()), control, selects);
    code.map_or(0, |code| code.unit << 8 | code.select)
}

/// Returns true if a counter has no selector.
pub(super) fn is_fixed(model: Model, id: CounterId, control: Mmcr0, selects: u64) -> bool {
    code(model, usize::from(id.number()), control, selects).is_none()
}

/// Returns what a counter counts, by MMCR0 and MMCR1.
#[inline]
pub(super) fn selection(model: Model, id: CounterId, control: Mmcr0, selects: u64) -> Selection {
    let counter = usize::from(id.number());
    let Some(code) = code(model, counter, control, selects) else {
        return last_two(model, counter, control);
    };
    if code.select == code.nothing && code.unit == 0 {
        return Selection::Nothing;
    }
    let is_meant = |known: &&Known| {
        known.counters >> (counter & 7) & 1 == 1 && known.select == code.select && known.unit == code.unit
    };
    let found = events(model).into_iter().flatten().find(is_meant);
    found.filter(|_| !code.combined).map_or(Selection::Unknown, |known| known.is)
}

/// PMC5 counts instructions and PMC6 cycles, while the processor runs or always. POWER5's PMC5 always counts.
fn last_two(model: Model, counter: usize, control: Mmcr0) -> Selection {
    let kind = if counter == 4 { Kind::Instructions } else { Kind::Cycles };
    let always = model == Model::Power5 && counter == 4;
    if always || control.contains(Mmcr0::ALWAYS_RUN) { Selection::Work(kind) } else { Selection::RunningWork(kind) }
}
