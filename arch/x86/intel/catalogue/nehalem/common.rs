//! The events that all Nehalem processors, and no Westmere, have by name.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the lists call deprecated.
//!
//! Source: intel/perfmon, NehalemEP_core.json and NehalemEX_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::{any, only};
use crate::event::Flag;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    only("L1D_ALL_REF.ANY", 0x0143, 0x3),
    only("L1D_ALL_REF.CACHEABLE", 0x0243, 0x3),
    only("L1D_CACHE_LD.E_STATE", 0x0440, 0x3),
    only("L1D_CACHE_LD.I_STATE", 0x0140, 0x3),
    only("L1D_CACHE_LD.M_STATE", 0x0840, 0x3),
    only("L1D_CACHE_LD.MESI", 0x0F40, 0x3),
    only("L1D_CACHE_LD.S_STATE", 0x0240, 0x3),
    only("L1D_CACHE_LOCK.E_STATE", 0x0442, 0x3),
    only("L1D_CACHE_LOCK.HIT", 0x0142, 0x3),
    only("L1D_CACHE_LOCK.M_STATE", 0x0842, 0x3),
    only("L1D_CACHE_LOCK.S_STATE", 0x0242, 0x3),
    only("L1D_CACHE_LOCK_FB_HIT", 0x0153, 0x3),
    only("L1D_CACHE_ST.E_STATE", 0x0441, 0x3),
    only("L1D_CACHE_ST.M_STATE", 0x0841, 0x3),
    only("L1D_CACHE_ST.S_STATE", 0x0241, 0x3),
    any("UOPS_EXECUTED.CORE_STALL_COUNT", 0x3FB1)
        .threshold(1)
        .flag(Flag::Edge)
        .flag(Flag::Invert)
        .flag(Flag::AnyThread),
    any("UOPS_EXECUTED.CORE_STALL_COUNT_NO_PORT5", 0x1FB1)
        .threshold(1)
        .flag(Flag::Edge)
        .flag(Flag::Invert)
        .flag(Flag::AnyThread),
];
