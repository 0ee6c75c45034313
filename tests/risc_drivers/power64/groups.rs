//! Whole groups of events, as public tables have them: what IBM's lists put into MMCR0 and MMCR1 for
//! events that are counted together, and what the driver makes of the events' codes.
//!
//! The words are those of OProfile's events/ppc64/*/event_mappings, "Power4", "970", "Power5", "Power6"
//! and "Power7" (GPL data; numbers alone). The codes are of the same events.

use pmu::arch::powerpc::book3s::Model;
use pmu::driver::Plan;
use pmu::{Event, Request};

use crate::power64::{Bench, counter};

const MMCR0: u16 = 795;
const MMCR1: u16 = 798;

/// MMCR0's selectors and MMCR1 once these codes count on these counters.
fn words<const N: usize>(model: Model, codes: [(u8, u64); N]) -> (u64, u64) {
    let bench = Bench::new(model);
    let requests = codes.map(|(number, code)| Request::new(Event::raw(code)).pinned_to(counter(number - 1)));
    let slots = bench.open(requests).unwrap();
    bench.run(slots.iter().map(|slot| slot.counter).collect());
    let selects = if model <= Model::Ppc970 { 0x1F3E } else { 0 };
    assert!(bench.driver.description().general.covers(slots.iter().map(|slot| slot.counter).collect()));
    (bench.register(MMCR0) & selects, bench.register(MMCR1))
}

/// Group 1, "pm_slice0": run cycles, cycles, PM_STOP_COMPLETION, instructions, PM_1PLUS_PPC_CMPL, cycles,
/// PM_GRP_CMPL, PM_GRP_DISP_REJECT.
#[test]
fn the_970s_first_group_comes_out_as_in_the_tables() {
    let codes = [(1, 0x1005), (2, 7), (3, 0x3001), (4, 1), (5, 0x5003), (6, 7), (7, 0x7003), (8, 0x8003)];
    assert_eq!(words(Model::Ppc970, codes), (0x51E, 0x0A46_F18C));
}

/// Group 2: cycles on PMC1 and 2, PM_LD_MISS_L1, PM_DC_INV_L2, PM_INST_DISP, instructions, PM_ST_REF_L1,
/// PM_LD_REF_L1; the lanes come from the load-store units.
#[test]
fn the_970s_second_group_adds_up_its_lanes() {
    let codes = [(1, 7), (2, 7), (3, 0x3810), (6, 1), (7, 0x7810), (8, 0x8810)];
    let (mmcr0, mmcr1) = words(Model::Ppc970, codes);
    assert_eq!((mmcr0, mmcr1 >> 48 & 3), (0xF1E, 3), "lane 1 is the second load-store unit's");
    assert_eq!([mmcr1 >> 27 & 31, mmcr1 >> 12 & 31, mmcr1 >> 7 & 31, mmcr1 >> 2 & 31], [0, 9, 0, 0]);
}

/// POWER7's groups 1 and 2: cycles, run cycles, instructions dispatched, instructions completed; and
/// branches predicted by the count cache and the link stack, and mispredicted ones, of unit 4.
#[test]
fn power7s_groups_come_out_as_in_the_tables() {
    let utilization = [(1, 0x1E), (2, 0x2_00F4), (3, 0x3_00F2), (4, 0x02)];
    assert_eq!(words(Model::Power7, utilization), (0, 0x1EF4_F202));
    let branches = [(1, 0x40A0), (2, 0x40A2), (3, 0x40A4), (4, 0x40AE)];
    assert_eq!(words(Model::Power7, branches), (0, 0x4444_0000_A0A2_A4AE));
    let more = [(1, 0x409C), (2, 0x40A8), (3, 0x40A0), (4, 0x40A2)];
    assert_eq!(words(Model::Power7, more), (0, 0x4444_0000_9CA8_A0A2));
}
