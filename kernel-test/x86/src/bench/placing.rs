//! What does it cost to find counters for requests, in the worst of all their orders?

use pmu::placement::match_masks;
use pmu::{Conflict, CounterSet, Slot, Steps};

use super::stopwatch::time;
use super::{Reached, print};

/// As many counters as Skylake has general ones.
const COUNTERS: u8 = 8;

/// Two groups of four requests on four counters each, with one placement or two.
const TIGHT: [u64; 8] = [0x9, 0x3, 0x3, 0xC, 0x90, 0x30, 0x30, 0xC0];

/// Prints the figures.
pub fn measure() {
    print("x86.place.easy.4", worst([0xFF; 4]), Reached::Called);
    print("x86.place.easy.8", worst([0xFF; 8]), Reached::Called);
    print("x86.place.chain.8", worst([0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01]), Reached::Called);
    print("x86.place.infeasible.8", worst([0x7F; 8]), Reached::Called);
    print("x86.place.tight.8", worst(TIGHT), Reached::Called);
}

/// The cost in the worst order of these masks, or of their mirror images.
fn worst<const N: usize>(masks: [u64; N]) -> u64 {
    let mirrored = masks.map(|mask| mask.reverse_bits() >> (64 - COUNTERS));
    worst_order(masks).max(worst_order(mirrored))
}

/// All orders, each from the last by one exchange (B. R. Heap, "Permutations by Interchanges",
/// The Computer Journal 6, 1963).
fn worst_order<const N: usize>(mut masks: [u64; N]) -> u64 {
    let (mut turns, mut at) = ([0; N], 0);
    let mut worst = cost(&masks);
    while at < N {
        if turns[at] < at {
            masks.swap(if at % 2 == 0 { 0 } else { turns[at] }, at);
            worst = worst.max(cost(&masks));
            turns[at] += 1;
            at = 0;
        } else {
            turns[at] = 0;
            at += 1;
        }
    }
    worst
}

fn cost<const N: usize>(masks: &[u64; N]) -> u64 {
    let mut slots = masks.map(|bits| Slot { bits, ..Slot::EMPTY });
    time(|| _ = place(&mut slots)).0
}

#[inline(never)]
fn place(slots: &mut [Slot]) -> Result<(), Conflict> {
    match_masks(CounterSet::first(COUNTERS), Steps::OPEN, slots)
}
