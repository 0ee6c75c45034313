//! The events of UltraSPARC I and II.
//!
//! Sources: illumos-gate, usr/src/uts/sun4u/pcbe/us234_pcbe.c, and libpfm4, lib/events/sparc_ultra12_events.h (MIT).

use super::{on, on_any};
use crate::arch::sparc::Half::{Pic0, Pic1};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    on_any("Cycle_cnt", 0x00),
    on(Pic0, "DC_rd", 0x09),
    on(Pic1, "DC_rd_hit", 0x09),
    on(Pic0, "DC_wr", 0x0a),
    on(Pic1, "DC_wr_hit", 0x0a),
    on(Pic1, "Dispatch0_FP_use", 0x03),
    on(Pic0, "Dispatch0_IC_miss", 0x02),
    on(Pic1, "Dispatch0_mispred", 0x02),
    on(Pic0, "Dispatch0_storeBuf", 0x03),
    on(Pic1, "EC_hit", 0x0c),
    on(Pic1, "EC_ic_hit", 0x0f),
    on(Pic0, "EC_rd_hit", 0x0f),
    on(Pic0, "EC_ref", 0x0c),
    on(Pic1, "EC_snoop_cb", 0x0e),
    on(Pic0, "EC_snoop_inv", 0x0e),
    on(Pic1, "EC_wb", 0x0d),
    on(Pic0, "EC_write_hit_RDO", 0x0d),
    on(Pic1, "IC_hit", 0x08),
    on(Pic0, "IC_ref", 0x08),
    on_any("Instr_cnt", 0x01),
    on(Pic0, "Load_use", 0x0b),
    on(Pic1, "Load_use_RAW", 0x0b),
];
