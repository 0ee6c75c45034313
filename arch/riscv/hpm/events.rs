//! The codes of the events, and the counters that count them.
//!
//! Sources: of U74, OpenSBI's docs/pmu_support.md (HiFive Unmatched) and torvalds/linux
//! tools/perf/pmu-events/arch/riscv/sifive/bullet; of T-Head's, tools/perf/pmu-events/arch/riscv/thead/c900-legacy, the
//! device trees of the Allwinner D1 (arch/riscv/boot/dts/allwinner/sun20i-d1s.dtsi: 7 on counter 9, 6 on counter 8) and of
//! TH1520, and the processors' own descriptions in hardware (openc906, aq_hpcp_top.v; openc910, ct_hpcp_top.v: 7 is condbr,
//! 6 is bht_mispred); of QEMU, its target/riscv/pmu.c; of the others, the files of their names in
//! `catalogue`. The SBI's indices: "RISC-V Supervisor Binary Interface
//! Specification", chapter "Performance Monitoring Unit Extension".

use super::capabilities::Capabilities;
use super::counters::{self, PROGRAMMABLE};
use super::model::Model;
use super::registers::Select;
use crate::event::{CounterId, CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// The code of cycles on mcycle: a bit that mhpmevent does not have for events.
pub(super) const MCYCLE: u64 = 1 << 56;
/// The code of instructions on minstret: another such bit.
pub(super) const MINSTRET: u64 = 1 << 57;

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its code, if counters other than mcycle and minstret count it.
    pub(super) code: Option<u64>,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// The modes that the auxiliary value leaves out.
    pub(super) filters: Select,
    /// How often it happens.
    pub(super) rate: Rate,
}

impl Meaning {
    /// Returns what an event is.
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let model = capabilities.model;
        let meaning = match event {
            Event::Generic(generic) => Self::of_generic(model, generic),
            Event::Raw { code, auxiliary } => {
                let filters = Select::from_bits_retain(auxiliary);
                let unknown = filters.difference(Select::FILTERS);
                if !unknown.is_empty() {
                    return Err(Refusal::Auxiliary(unknown.bits()));
                }
                Self { filters, ..Self::of_code(capabilities, code)? }
            }
        };
        let counters = meaning.counters.and(capabilities.counters);
        let unable = meaning.code.map_or(CounterSet::EMPTY, |code| capabilities.hardwired.unable(code));
        match counters.without(unable) {
            CounterSet::EMPTY if counters.is_empty() => Err(Refusal::UnknownEvent),
            CounterSet::EMPTY => Err(HARDWIRED),
            counters => Ok(Self { counters, ..meaning }),
        }
    }

    fn of_generic(model: Model, generic: Generic) -> Self {
        let own = match generic {
            Generic::Cycles => counters::CYCLES.only(),
            Generic::Instructions => counters::INSTRUCTIONS.only(),
            _ => CounterSet::EMPTY,
        };
        let code = programmable_code(model, generic);
        let others = code.map_or(CounterSet::EMPTY, |code| able(model, code));
        Self { code, counters: own.or(others), filters: Select::empty(), rate: rate_of(generic) }
    }

    fn of_code(capabilities: &Capabilities, code: u64) -> Result<Self, Refusal> {
        let fixed = |generic, counter: CounterId| {
            let rate = rate_of(generic);
            Ok(Self { code: None, counters: counter.only(), filters: Select::empty(), rate })
        };
        match code {
            MCYCLE => return fixed(Generic::Cycles, counters::CYCLES),
            MINSTRET => return fixed(Generic::Instructions, counters::INSTRUCTIONS),
            _ => {}
        }
        let (model, reserved) = (capabilities.model, code & !capabilities.event_bits().bits());
        if reserved != 0 {
            return Err(Refusal::ReservedBits(reserved));
        }
        let is = |generic: &&Generic| programmable_code(model, **generic) == Some(code);
        let rate = Generic::ALL.iter().find(is).map_or(Rate::Others, |&generic| rate_of(generic));
        Ok(Self { code: Some(code), counters: able(model, code), filters: Select::empty(), rate })
    }
}

/// No counter can be given the event.
const HARDWIRED: Refusal = Refusal::Impossible(
    "the event selectors (mhpmevent) of this processor's counters are hardwired to other events; request one that a selector reads",
);

const fn rate_of(generic: Generic) -> Rate {
    match generic {
        Generic::Instructions | Generic::Branches | Generic::BranchMisses => Rate::Instructions,
        Generic::Cycles => Rate::Cycles,
        _ => Rate::Others,
    }
}

/// QEMU's events. It counts each on one counter at a time, and confuses events if a counter is given another one, so that
/// each has a counter of its own here.
const OF_QEMU: [u64; 5] = [CYCLES, INSTRUCTIONS, DATA_TLB_READ_MISSES, DATA_TLB_WRITE_MISSES, INSTRUCTION_TLB_MISSES];

/// The SBI's index of cycles.
pub(super) const CYCLES: u64 = 1;
/// The SBI's index of instructions.
pub(super) const INSTRUCTIONS: u64 = 2;
const DATA_TLB_READ_MISSES: u64 = 0x1_0019;
const DATA_TLB_WRITE_MISSES: u64 = 0x1_001B;
const INSTRUCTION_TLB_MISSES: u64 = 0x1_0021;
/// The counters of P550 and AX45, 3 to 6: of P550 by the device tree of EIC7700, of AX45 by OpenSBI's
/// platform/generic/include/andes/andes_hpm.h (ANDES_MHPM_MAP).
const FOUR: CounterSet = CounterSet::from_bits(0x78);
/// The counters of C906, 3 to 10 (openc906, aq_hpcp_top.v).
const EIGHT: CounterSet = CounterSet::from_bits(0x7F8);
/// The largest code of C910 (openc910, ct_hpcp_event.v: HPMCNT_NUM).
const LARGEST_OF_C910: u64 = 0x2A;

/// Compressed instructions, the last event that every CV32E40P has (cv32e40p_cs_registers.sv: hpm_events).
const LARGEST_OF_CV32E40P: u64 = 1 << 10;
/// The cycles of division, on counter 12 (ibex_cs_registers.sv: mhpmcounter_incr, mhpmevent).
const LARGEST_OF_IBEX: u64 = 1 << 9;

/// Returns the counters other than mcycle and minstret that count an event.
pub(super) fn able(model: Model, code: u64) -> CounterSet {
    let third_and = |number: u64| CounterId::new(3 + number as u8).map_or(CounterSet::EMPTY, CounterId::only);
    match model {
        Model::Other
        | Model::Indexed
        | Model::U74
        | Model::Bullet07
        | Model::Bullet0D
        | Model::P650
        | Model::Dubhe80
        | Model::Cva6 => PROGRAMMABLE,
        Model::P550 | Model::Ax45 => FOUR,
        Model::Qemu => {
            OF_QEMU.iter().position(|&known| known == code).map_or(CounterSet::EMPTY, |at| third_and(at as u64))
        }
        Model::C910 if matches!(code, 1..=LARGEST_OF_C910) => PROGRAMMABLE,
        Model::C906 if is_of_c906(code) => EIGHT,
        Model::D1 if is_of_c906(code) => third_and(code - 1),
        Model::Cv32e40p if code.is_power_of_two() && code <= LARGEST_OF_CV32E40P => PROGRAMMABLE,
        Model::Ibex if code.is_power_of_two() && code <= LARGEST_OF_IBEX => third_and(code.ilog2().into()),
        Model::C910 | Model::C906 | Model::D1 | Model::Cv32e40p | Model::Ibex => CounterSet::EMPTY,
    }
}

/// Returns true if both the D1's device tree and openc906's aq_hpcp_top.v have the code. There 8 to 0AH and 10H to 1CH are the
/// constant 0, and the tree has none from 1DH on.
const fn is_of_c906(code: u64) -> bool {
    matches!(code, 1..=7 | 0xB..=0xF)
}

/// Branches of SiFive's, T-Head's, AX45, Dubhe-80, CV32E40P and Ibex are conditional ones, and the caches of P550, P650 and AX45 are those of data.
/// U74's cache references are the cycles in which a first-level cache was busy, as OpenSBI has them. T-Head's have no
/// event for all of them.
pub(super) const fn programmable_code(model: Model, generic: Generic) -> Option<u64> {
    match (model, generic) {
        (Model::Indexed | Model::Qemu, Generic::Cycles) => Some(CYCLES),
        (Model::Indexed | Model::Qemu, Generic::Instructions) => Some(INSTRUCTIONS),
        (Model::Indexed, Generic::CacheReferences) => Some(3),
        (Model::Indexed, Generic::CacheMisses) => Some(4),
        (Model::Indexed, Generic::Branches) => Some(5),
        (Model::Indexed, Generic::BranchMisses) => Some(6),
        (Model::Indexed, Generic::ReferenceCycles) => Some(10),
        (Model::U74, Generic::CacheReferences) => Some(0x1801),
        (Model::U74, Generic::CacheMisses) => Some(0x302),
        (Model::U74, Generic::Branches) => Some(0x4000),
        (Model::U74, Generic::BranchMisses) => Some(0x6001),
        (Model::Bullet07 | Model::Bullet0D | Model::P650, Generic::Cycles) => Some(0x165),
        (Model::Bullet07 | Model::Bullet0D | Model::P650, Generic::Instructions) => Some(0x265),
        (Model::Bullet07 | Model::Bullet0D | Model::P650, Generic::Branches) => Some(0x4000),
        (Model::Bullet07 | Model::Bullet0D, Generic::CacheMisses) => Some(0x302),
        (Model::Bullet07 | Model::Bullet0D, Generic::BranchMisses) => Some(0x6001),
        (Model::P650, Generic::CacheMisses) => Some(0x202),
        (Model::P650, Generic::BranchMisses) => Some(0x2001),
        (Model::C910 | Model::C906 | Model::D1, Generic::Branches) => Some(7),
        (Model::C910 | Model::C906 | Model::D1, Generic::BranchMisses) => Some(6),
        (Model::P550, Generic::CacheMisses) => Some(0x202),
        (Model::P550, Generic::Branches) => Some(0x4000),
        (Model::P550, Generic::BranchMisses) => Some(0x2001),
        (Model::Ax45, Generic::Cycles) => Some(0x10),
        (Model::Ax45, Generic::Instructions) => Some(0x20),
        (Model::Ax45, Generic::CacheReferences) => Some(0x41),
        (Model::Ax45, Generic::CacheMisses) => Some(0x51),
        (Model::Ax45, Generic::Branches) => Some(0x80),
        (Model::Ax45, Generic::BranchMisses) => Some(0x02),
        (Model::Dubhe80, Generic::Branches) => Some(0xA),
        (Model::Dubhe80, Generic::BranchMisses) => Some(0xB),
        (Model::Cva6, Generic::Branches) => Some(0x9),
        (Model::Cva6, Generic::BranchMisses) => Some(0xA),
        (Model::Cv32e40p, Generic::Cycles) => Some(1 << 0),
        (Model::Cv32e40p, Generic::Instructions) => Some(1 << 1),
        (Model::Cv32e40p, Generic::Branches) => Some(1 << 8),
        (Model::Ibex, Generic::Branches) => Some(1 << 5),
        _ => None,
    }
}

/// Returns the event that a generic event is, by its code.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    let code = match (programmable_code(model, generic), generic) {
        (None, Generic::Cycles) => Some(MCYCLE),
        (None, Generic::Instructions) => Some(MINSTRET),
        (code, _) => code,
    };
    code.map(Event::raw).ok_or(Refusal::UnknownEvent)
}
