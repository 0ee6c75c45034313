//! What one occurrence of an event costs, for the processors for which Intel publishes numbers.
//!
//! Source: intel/perfmon, the metrics of the top-down method (`*_metrics.json`, August 2026; BSD-3-Clause). They multiply
//! the counts of these events with constants, which are the costs here: `Store_Fwd_Blk`, `DTLB_Load` and `DTLB_Store`
//! (hits of the second-level TLB), `MS_Switches`, `Branch_Resteers` and `Unknown_Branches` in clocks, `L2_Hit_Latency`
//! and `L3_Hit_Latency` in clocks or nanoseconds. The latency of the third level is less that of the second, as there.
//! They are typical costs; no least or greatest ones are published, so that all three are the same.

use crate::event::catalogue::{Cost, CostUnit};

const fn clocks(whole: u64) -> Cost {
    Cost::always(whole * 1000, CostUnit::Clocks)
}

/// A cost in hundreds of picoseconds.
const fn tenths_of_a_nanosecond(tenths: u64) -> Cost {
    Cost::always(tenths * 100, CostUnit::Nanoseconds)
}

type Costs = &'static [(&'static str, Cost)];

/// Haswell and Broadwell, without their large servers: haswell_metrics.json, broadwell_metrics.json.
pub(super) const HASWELL: Costs = &[
    ("BACLEARS.ANY", clocks(12)),
    ("BR_MISP_RETIRED.ALL_BRANCHES", clocks(12)),
    ("CPU_CLK_UNHALTED.THREAD_P", Cost::CLOCK),
    ("DTLB_LOAD_MISSES.STLB_HIT", clocks(8)),
    ("DTLB_STORE_MISSES.STLB_HIT", clocks(8)),
    ("IDQ.MS_SWITCHES", clocks(2)),
    ("LD_BLOCKS.STORE_FORWARD", clocks(13)),
    ("MEM_LOAD_UOPS_RETIRED.L3_HIT", clocks(29)),
];

/// Skylake to Comet Lake: skylake_metrics.json.
pub(super) const SKYLAKE: Costs = &[
    ("BACLEARS.ANY", clocks(9)),
    ("CPU_CLK_UNHALTED.THREAD_P", Cost::CLOCK),
    ("DTLB_LOAD_MISSES.STLB_HIT", clocks(9)),
    ("DTLB_STORE_MISSES.STLB_HIT", clocks(9)),
    ("IDQ.MS_SWITCHES", clocks(2)),
    ("LD_BLOCKS.STORE_FORWARD", clocks(13)),
    ("MEM_LOAD_RETIRED.L2_HIT", tenths_of_a_nanosecond(35)),
    ("MEM_LOAD_RETIRED.L3_HIT", tenths_of_a_nanosecond(100 - 35)),
];

/// The first scalable Xeons: skylakex_metrics.json.
pub(super) const SKYLAKE_SP: Costs = &[
    ("BACLEARS.ANY", clocks(9)),
    ("CPU_CLK_UNHALTED.THREAD_P", Cost::CLOCK),
    ("DTLB_LOAD_MISSES.STLB_HIT", clocks(9)),
    ("DTLB_STORE_MISSES.STLB_HIT", clocks(9)),
    ("IDQ.MS_SWITCHES", clocks(2)),
    ("LD_BLOCKS.STORE_FORWARD", clocks(13)),
    ("MEM_LOAD_RETIRED.L2_HIT", tenths_of_a_nanosecond(35)),
    ("MEM_LOAD_RETIRED.L3_HIT", tenths_of_a_nanosecond(205 - 35)),
];

/// Ice Lake: icelake_metrics.json.
pub(super) const ICE_LAKE: Costs = &[
    ("BACLEARS.ANY", clocks(10)),
    ("CPU_CLK_UNHALTED.THREAD_P", Cost::CLOCK),
    ("DTLB_LOAD_MISSES.STLB_HIT", clocks(7)),
    ("DTLB_STORE_MISSES.STLB_HIT", clocks(7)),
    ("IDQ.MS_SWITCHES", clocks(3)),
    ("LD_BLOCKS.STORE_FORWARD", clocks(13)),
    ("MEM_LOAD_RETIRED.L2_HIT", tenths_of_a_nanosecond(35)),
    ("MEM_LOAD_RETIRED.L3_HIT", tenths_of_a_nanosecond(125 - 35)),
];

/// Sapphire Rapids: sapphirerapids_metrics.json.
pub(super) const SAPPHIRE_RAPIDS: Costs = &[
    ("CPU_CLK_UNHALTED.THREAD_P", Cost::CLOCK),
    ("DTLB_LOAD_MISSES.STLB_HIT", clocks(7)),
    ("DTLB_STORE_MISSES.STLB_HIT", clocks(7)),
    ("LD_BLOCKS.STORE_FORWARD", clocks(13)),
    ("MEM_LOAD_RETIRED.L2_HIT", tenths_of_a_nanosecond(44)),
    ("MEM_LOAD_RETIRED.L3_HIT", tenths_of_a_nanosecond(370 - 44)),
];
