//! An overflow interrupts at its very instruction: the counter's n-th, neither before nor after.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::programs::{self, SAMPLING};
use crate::guest::{lvt, on_nmi, position, truth};
use crate::trap::Frame;

static INTERRUPTED_AT: AtomicU32 = AtomicU32::new(0);
const ELSEWHERE: u32 = u32::MAX;

pub fn test() {
    on_nmi(note);
    for n in (1..2000).chain([4321, 10_007, 100_000, 250_001]) {
        lvt::write(lvt::NMI);
        programs::overflow_after(n.into());
        INTERRUPTED_AT.store(ELSEWHERE, Relaxed);
        programs::run(SAMPLING, u64::from(n) / 3 + 2);
        assert_eq!(INTERRUPTED_AT.load(Relaxed), n);
        assert_eq!(truth::skid(), 0);
    }
}

fn note(frame: &mut Frame) {
    programs::stop();
    INTERRUPTED_AT.store(position::of(frame).map_or(ELSEWHERE, |at| at as u32), Relaxed);
}
