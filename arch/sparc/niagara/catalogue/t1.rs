//! The events of T1.
//!
//! Sources: illumos-gate, usr/src/uts/sun4v/pcbe/niagara_pcbe.c, compared with libpfm4,
//! lib/events/sparc_niagara1_events.h, and with OpenSPARC T1's design, tlu_pib.v.

use crate::arch::sparc::Half;
use crate::event::catalogue::NamedEvent;
use crate::event::{CounterId, CounterSet};

/// pic0.
const PIC0: CounterSet = CounterId::ZERO.only();
/// pic1.
const PIC1: CounterSet = CounterSet::from_bits(1 << Half::Pic1.number());

const fn event(name: &'static str, code: u64, counters: CounterSet) -> NamedEvent {
    NamedEvent::new(name, code, counters)
}

pub(super) const EVENTS: &[NamedEvent] = &[
    event("DC_miss", 0x003, PIC0),
    event("DTLB_miss", 0x005, PIC0),
    event("FP_instr_cnt", 0x001, PIC0),
    event("IC_miss", 0x002, PIC0),
    event("Instr_cnt", 0x100, PIC1),
    event("ITLB_miss", 0x004, PIC0),
    event("L2_dmiss_ld", 0x007, PIC0),
    event("L2_imiss", 0x006, PIC0),
    event("SB_full", 0x000, PIC0),
];
