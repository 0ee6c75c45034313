//! NMIs do not nest: one that comes while another is handled waits for its IRET, and not longer;
//! of several, one is kept.

use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use harness::Guest;

use crate::guest::{Here, instructions, on_nmi};
use crate::trap::Frame;

static TAKEN: AtomicU32 = AtomicU32::new(0);
static INTERRUPTED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

pub fn test() {
    on_nmi(handle);
    Here::interrupt_after(0);
    assert_eq!(Here::interrupts(), 2);
    let [first, second] = INTERRUPTED.each_ref().map(|at| at.load(Relaxed));
    assert_eq!(first, second, "the second comes before any other instruction");
}

fn handle(frame: &mut Frame) {
    let taken = TAKEN.fetch_add(1, Relaxed);
    INTERRUPTED[taken as usize].store(frame.ip, Relaxed);
    if taken == 0 {
        Here::interrupt_after(0);
        Here::interrupt_after(10);
        instructions::exactly(50);
        assert_eq!(TAKEN.load(Relaxed), 1, "nested");
    }
}
