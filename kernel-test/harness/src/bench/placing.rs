//! What does it cost to find counters for requests, in the worst of all their orders?

use pmu::CounterSet;
use pmu::driver::placement::match_masks;
use pmu::driver::{Slot, Steps};
use pmu::request::Conflict;

use super::cost::line;
use super::{Bench, Reached, figure};

/// As many counters as Skylake has general ones.
const COUNTERS: u8 = 8;

/// Two groups of four requests on four counters each, with one placement or two.
const TIGHT: [u64; 8] = [0x9, 0x3, 0x3, 0xC, 0x90, 0x30, 0x30, 0xC0];

/// Prints the figures.
pub(super) fn measure<B: Bench>() {
    print::<B, 4>("easy.4", [0xFF; 4]);
    print::<B, 8>("easy.8", [0xFF; 8]);
    print::<B, 8>("chain.8", [0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01]);
    print::<B, 8>("infeasible.8", [0x7F; 8]);
    print::<B, 8>("tight.8", TIGHT);
}

fn print<B: Bench, const N: usize>(name: &str, masks: [u64; N]) {
    let name = format_args!("{}.place.{name}", B::name());
    match B::STEPS {
        true => line::<B>(format_args!("absent {name} every instruction is a step here")),
        false => figure::<B>(name, worst::<B, N>(masks), Reached::Called),
    }
}

/// The cost in the worst order of these masks, or of their mirror images.
fn worst<B: Bench, const N: usize>(masks: [u64; N]) -> u64 {
    let mirrored = masks.map(|mask| mask.reverse_bits() >> (64 - COUNTERS));
    worst_order::<B, N>(masks).max(worst_order::<B, N>(mirrored))
}

/// All orders, each from the last by one exchange (B. R. Heap, "Permutations by Interchanges",
/// The Computer Journal 6, 1963).
fn worst_order<B: Bench, const N: usize>(mut masks: [u64; N]) -> u64 {
    let (mut turns, mut at) = ([0; N], 0);
    let mut worst = cost::<B, N>(&masks);
    while at < N {
        if turns[at] < at {
            masks.swap(if at % 2 == 0 { 0 } else { turns[at] }, at);
            worst = worst.max(cost::<B, N>(&masks));
            turns[at] += 1;
            at = 0;
        } else {
            turns[at] = 0;
            at += 1;
        }
    }
    worst
}

fn cost<B: Bench, const N: usize>(masks: &[u64; N]) -> u64 {
    let mut slots = masks.map(|bits| Slot { bits, ..Slot::EMPTY });
    B::time(|| _ = place(&mut slots)).0
}

#[inline(never)]
fn place(slots: &mut [Slot]) -> Result<(), Conflict> {
    match_masks(CounterSet::first(COUNTERS), Steps::OPEN, slots)
}
