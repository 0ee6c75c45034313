//! Events that a revision of POWER9 miscounts. They are refused: their counts say nothing.
//!
//! Source: torvalds/linux arch/powerpc/perf/power9-pmu.c, `p9_dd21_bl_ev` and `p9_dd22_bl_ev`, which refuses them too, and
//! power9-events-list.h for the codes.

use super::capabilities::Capabilities;
use super::model::Model;
use crate::event::{Event, Refusal, Result};

/// A revision of POWER9 (Nimbus) that miscounts some events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Revision {
    Dd21 = 1,
    Dd22 = 2,
}

/// PM_MRK_ST_DONE_L2, PM_RADIX_PWC_L1_HIT, PM_FLOP_CMPL, PM_MRK_NTF_FIN, PM_RADIX_PWC_L2_HIT, PM_IFETCH_THROTTLE,
/// PM_MRK_L2_TM_ST_ABORT_SISTER, PM_RADIX_PWC_L3_HIT, PM_RUN_CYC_SMT2_MODE, PM_TM_TX_PASS_RUN_INST,
/// PM_DISP_HELD_SYNC_HOLD.
const OF_DD21: [u64; 11] =
    [0x1_0134, 0x1_F056, 0x1_00F4, 0x2_0112, 0x2_D024, 0x3_405E, 0x3_E15C, 0x3_F056, 0x3_006C, 0x4_E014, 0x4_003C];

/// PM_DTLB_MISS_16G, PM_DERAT_MISS_2M, PM_DTLB_MISS_2M, PM_MRK_DTLB_MISS_1G, PM_DTLB_MISS_4K, PM_DERAT_MISS_1G,
/// PM_MRK_DERAT_MISS_2M, PM_MRK_DTLB_MISS_4K, PM_MRK_DTLB_MISS_16G, PM_DTLB_MISS_64K, PM_MRK_DERAT_MISS_1G,
/// PM_MRK_DTLB_MISS_64K, PM_DISP_HELD_SYNC_HOLD, PM_DTLB_MISS_16M, PM_DTLB_MISS_1G, PM_MRK_DTLB_MISS_16M.
const OF_DD22: [u64; 16] = [
    0x1_C058, 0x1_C05A, 0x1_C05C, 0x1_D15C, 0x2_C056, 0x2_C05A, 0x2_D152, 0x2_D156, 0x2_D15E, 0x3_C056, 0x3_D152,
    0x3_D156, 0x4_003C, 0x4_C056, 0x4_C05A, 0x4_C15E,
];

/// Refuses an event that this revision miscounts.
pub(super) fn check(capabilities: &Capabilities, event: Event) -> Result<(), Refusal> {
    match revision(capabilities) {
        Some(revision) if is_miscounted(revision, event) => {
            Err(Refusal::Impossible("this revision of the processor (POWER9 DD2.1 or DD2.2) miscounts the event"))
        }
        _ => Ok(()),
    }
}

fn is_miscounted(revision: Revision, event: Event) -> bool {
    let miscounted = match revision {
        Revision::Dd21 => OF_DD21.as_slice(),
        Revision::Dd22 => &OF_DD22,
    };
    matches!(event, Event::Raw { code, .. } if miscounted.contains(&code))
}

impl Capabilities {
    /// Returns a number for the events that the revision miscounts; 0 if it miscounts none.
    pub(super) const fn errata(&self) -> u64 {
        match revision(self) {
            Some(revision) => revision as u64,
            None => 0,
        }
    }
}

/// Bit 13 of the processor version is 1 on Cumulus, which miscounts none; bits 8 to 11 are the major revision, and bits 0
/// to 3 the minor one (torvalds/linux arch/powerpc/include/asm/reg.h, PVR_CFG and PVR_MIN).
const fn revision(capabilities: &Capabilities) -> Option<Revision> {
    let revision = capabilities.pvr.revision();
    match (capabilities.model, revision & 0x2000, revision >> 8 & 0xF, revision & 0xF) {
        (Model::Power9, 0, 2, 1) => Some(Revision::Dd21),
        (Model::Power9, 0, 2, 2) => Some(Revision::Dd22),
        _ => None,
    }
}
