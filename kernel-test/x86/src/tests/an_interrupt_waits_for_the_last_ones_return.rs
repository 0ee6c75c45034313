//! NMIs do not nest: one that comes while another is handled waits for its IRET, and not longer;
//! of several, one is kept.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::guest::{instructions, mischief, on_nmi, truth};
use crate::trap::Frame;

static TAKEN: AtomicU32 = AtomicU32::new(0);
static INTERRUPTED: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

pub fn test() {
    on_nmi(handle);
    mischief::interrupt_after(0);
    assert_eq!(truth::interrupts(), 2);
    let [first, second] = INTERRUPTED.each_ref().map(|at| at.load(Relaxed));
    assert_eq!(first, second, "the second comes before any other instruction");
}

fn handle(frame: &mut Frame) {
    let taken = TAKEN.fetch_add(1, Relaxed);
    INTERRUPTED[taken as usize].store(frame.ip as u64, Relaxed);
    if taken == 0 {
        mischief::interrupt_after(0);
        mischief::interrupt_after(10);
        instructions::exactly(50);
        assert_eq!(TAKEN.load(Relaxed), 1, "nested");
    }
}
