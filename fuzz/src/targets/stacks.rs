//! Any memory as a stack: a walk by frame pointers ends, asks for words within the stack alone, and
//! finds callers outwards only.

use pmu::samples::{chain::Chains, chain::Frames};
use pmu::{Interrupted, Mode, Timer};

const BASE: u64 = 0x8000;

pub(crate) fn run((pointer, words): (u64, Vec<u64>)) {
    let stack = BASE..BASE + 8 * words.len() as u64;
    let (timer, chains) = (Timer::<1>::new(), Chains::<8, 1>::new());
    let mut asked = Vec::new();
    let frames = Frames::new(BASE + pointer % 0x200, stack.clone());
    let frames = if pointer >> 63 == 0 { frames } else { frames.below_pointers() };
    timer.tick_chained(Interrupted::new(1, Mode::Kernel), &chains, |callers| {
        frames.walk(callers, |address| {
            assert!(stack.contains(&address) && address % 8 == 0, "{address:#x} was asked for");
            asked.push(address);
            words.get(((address - BASE) / 8) as usize).copied()
        })
    });
    assert!(asked.is_sorted(), "the walk went back: {asked:#x?}");
    let (_, chain) =
        chains.pair(timer.samples().expect("it is free")).expect("it is free").next().expect("it was taken");
    assert!(chain.expect("there was room").callers().len() * 2 <= asked.len());
}
