//! The events and their bindings as OProfile lists them (module/x86/op_model_p4.c, `p4_events`), and a search for a
//! placement by trying every counter.
//!
//! OProfile binds an event to the counters of its bank; the other counters of a half have the same ESCRs (SDM vol. 3, table
//! "Performance Counter MSRs and Associated CCCR and ESCR MSRs").

use pmu::arch::x86::netburst::{Share, View};
use pmu::{CounterSet, Event};

/// An event: its number in the CCCR and in its ESCR, the part that counts it (0 BPU, 1 MS, 2 FLAME, 3 IQ), the mask that
/// OProfile has by default, and the addresses of its ESCRs in the two halves, 0 where it has none.
pub(crate) struct Binding {
    select: u8,
    event: u8,
    part: u8,
    mask: u64,
    pub(crate) escrs: [u32; 2],
}

const fn bind(select: u8, event: u8, part: u8, mask: u64, escrs: [u32; 2]) -> Binding {
    Binding { select, event, part, mask, escrs }
}

/// The 39 events in the order of OProfile's numbers, 01H to 27H.
pub(crate) const EVENTS: [Binding; 39] = [
    bind(5, 0x06, 3, 0xC, [0x3CC, 0x3CD]),    // BRANCH_RETIRED
    bind(4, 0x03, 3, 0x1, [0x3B8, 0x3B9]),    // MISPRED_BRANCH_RETIRED
    bind(1, 0x01, 1, 0x4, [0x3C4, 0x3C5]),    // TC_DELIVER_MODE
    bind(0, 0x03, 0, 0x1, [0x3B2, 0x3B3]),    // BPU_FETCH_REQUEST
    bind(3, 0x18, 0, 0x7, [0x3B6, 0x3B7]),    // ITLB_REFERENCE
    bind(5, 0x02, 2, 0x8, [0x3A8, 0x3A9]),    // MEMORY_CANCEL
    bind(2, 0x08, 2, 0x3, [0x3AE, 0x3AF]),    // MEMORY_COMPLETE
    bind(2, 0x04, 2, 0x2, [0x3AE, 0x3AF]),    // LOAD_PORT_REPLAY
    bind(2, 0x05, 2, 0x2, [0x3AE, 0x3AF]),    // STORE_PORT_REPLAY
    bind(2, 0x03, 0, 0x3A, [0x3AA, 0x3AB]),   // MOB_LOAD_REPLAY
    bind(4, 0x01, 0, 0x1, [0x3AC, 0x3AD]),    // PAGE_WALK_TYPE
    bind(7, 0x0C, 0, 0x73F, [0x3A0, 0x3A1]),  // BSQ_CACHE_REFERENCE
    bind(6, 0x03, 0, 0xEFE1, [0x3A2, 0]),     // IOQ_ALLOCATION
    bind(6, 0x1A, 0, 0xEFE1, [0, 0x3A3]),     // IOQ_ACTIVE_ENTRIES
    bind(6, 0x17, 0, 0x3F, [0x3A2, 0x3A3]),   // FSB_DATA_ACTIVITY
    bind(7, 0x05, 0, 0x21, [0x3A0, 0]),       // BSQ_ALLOCATION
    bind(7, 0x06, 0, 0x21, [0, 0x3A1]),       // BSQ_ACTIVE_ENTRIES
    bind(5, 0x03, 3, 0x1F, [0x3CC, 0x3CD]),   // X87_ASSIST
    bind(1, 0x34, 2, 0x8000, [0x3A4, 0x3A5]), // SSE_INPUT_ASSIST
    bind(1, 0x08, 2, 0x8000, [0x3A4, 0x3A5]), // PACKED_SP_UOP
    bind(1, 0x0C, 2, 0x8000, [0x3A4, 0x3A5]), // PACKED_DP_UOP
    bind(1, 0x0A, 2, 0x8000, [0x3A4, 0x3A5]), // SCALAR_SP_UOP
    bind(1, 0x0E, 2, 0x8000, [0x3A4, 0x3A5]), // SCALAR_DP_UOP
    bind(1, 0x02, 2, 0x8000, [0x3A4, 0x3A5]), // 64BIT_MMX_UOP
    bind(1, 0x1A, 2, 0x8000, [0x3A4, 0x3A5]), // 128BIT_MMX_UOP
    bind(1, 0x04, 2, 0x8000, [0x3A4, 0x3A5]), // X87_FP_UOP
    bind(1, 0x2E, 2, 0x18, [0x3A4, 0x3A5]),   // X87_SIMD_MOVES_UOP
    bind(5, 0x02, 3, 0x1, [0x3CC, 0x3CD]),    // MACHINE_CLEAR
    bind(6, 0x13, 0, 0x1, [0x3A2, 0x3A3]),    // GLOBAL_POWER_EVENTS
    bind(0, 0x05, 1, 0x1, [0x3C0, 0x3C1]),    // TC_MS_XFER
    bind(0, 0x09, 1, 0x7, [0x3C0, 0x3C1]),    // UOP_QUEUE_WRITES
    bind(5, 0x08, 3, 0x1, [0x3CC, 0x3CD]),    // FRONT_END_EVENT
    bind(5, 0x0C, 3, 0x1, [0x3CC, 0x3CD]),    // EXECUTION_EVENT
    bind(5, 0x09, 3, 0x5, [0x3CC, 0x3CD]),    // REPLAY_EVENT
    bind(4, 0x02, 3, 0x1, [0x3B8, 0x3B9]),    // INSTR_RETIRED
    bind(4, 0x01, 3, 0x1, [0x3B8, 0x3B9]),    // UOPS_RETIRED
    bind(2, 0x02, 3, 0x2, [0x3BC, 0x3BD]),    // UOP_TYPE
    bind(2, 0x05, 1, 0x1F, [0x3C2, 0x3C3]),   // RETIRED_MISPRED_BRANCH_TYPE
    bind(2, 0x04, 1, 0x1F, [0x3C2, 0x3C3]),   // RETIRED_BRANCH_TYPE
];

/// The counters of the halves of each part.
const HALVES: [[u64; 2]; 4] = [[0x3, 0xC], [0x30, 0xC0], [0x300, 0xC00], [0x1_3000, 0x2_C000]];
/// OProfile's counters 0 to 7.
const BANK: u64 = 1 << 0 | 1 << 4 | 1 << 8 | 1 << 16 | 1 << 2 | 1 << 6 | 1 << 10 | 1 << 17;

impl Binding {
    pub(crate) fn event(&self) -> Event {
        let (event, select, part) = (u64::from(self.event), u64::from(self.select), u64::from(self.part));
        Event::raw(event | select << 8 | part << 12 | self.mask << 16)
    }

    pub(crate) fn part(&self) -> usize {
        usize::from(self.part)
    }

    /// The counters of one half that count it, for these views.
    pub(crate) fn counters(&self, half: usize, view: View, share: Share) -> CounterSet {
        let own = if self.escrs[half] == 0 { 0 } else { HALVES[usize::from(self.part)][half] };
        let seen = if view == View::Bank { BANK } else { u64::MAX };
        let is_shared = match share {
            Share::Whole => true,
            Share::Thread0 => half == 0,
            Share::Thread1 => half == 1,
        };
        CounterSet::from_bits(if is_shared { own & seen } else { 0 })
    }
}

/// Can these requests, each for the event with its number, be counted together? Two counters can share an ESCR if they
/// want the same of it, which is if they count the same event.
pub(crate) fn is_possible(wanted: &[usize], view: View, share: Share) -> bool {
    try_all(wanted, view, share, CounterSet::EMPTY, &mut Vec::new())
}

fn try_all(wanted: &[usize], view: View, share: Share, taken: CounterSet, escrs: &mut Vec<(u32, usize)>) -> bool {
    let Some((&first, rest)) = wanted.split_first() else { return true };
    for half in 0..2 {
        let escr = EVENTS[first].escrs[half];
        if escrs.iter().any(|&(used, by)| used == escr && by != first) {
            continue;
        }
        for counter in EVENTS[first].counters(half, view, share).without(taken) {
            escrs.push((escr, first));
            let fits = try_all(rest, view, share, taken.or(counter.only()), escrs);
            escrs.pop();
            if fits {
                return true;
            }
        }
    }
    false
}
