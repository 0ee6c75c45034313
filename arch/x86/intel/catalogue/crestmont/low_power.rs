//! The events that Crestmont has only in Arrow Lake-H, or with another code than elsewhere.
//!
//! Names that the lists call deprecated are left out, and so is the event of the off-core responses without a value.
//!
//! Source: intel/perfmon, arrowlake_crestmont_core.json (BSD-3-Clause): names, codes and counters.

use super::super::any;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] =
    &[any("MEM_BOUND_STALLS_LOAD.LLC_MISS_LOCALMEM", 0x5034), any("MEM_LOAD_UOPS_MISC_RETIRED.LOCAL_DRAM", 0x02D4)];
