//! Intel's processors mask the local APIC's entry as they deliver, and until it is unmasked
//! overflows are lost; AMD's never do.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::Guest;

use super::programs::{self, SAMPLING};
use crate::guest::{Here, lvt, on_nmi, truth};
use crate::identity;
use crate::trap::Frame;

static TAKEN: AtomicU32 = AtomicU32::new(0);

pub fn test() {
    on_nmi(|_: &mut Frame| {
        TAKEN.fetch_add(1, Relaxed);
    });
    let (mask, lost) = if identity::presented().processor.masks_line() { (lvt::MASK, 1) } else { (0, 0) };
    lvt::write(lvt::NMI);
    overflow();
    assert_eq!(lvt::read(), lvt::NMI | mask);
    overflow();
    assert_eq!((TAKEN.load(Relaxed), Here::overflows(), truth::masked_overflows()), (2 - lost, 2, lost.into()));
    lvt::write(lvt::NMI);
    overflow();
    assert_eq!(TAKEN.load(Relaxed), 3 - lost);
}

fn overflow() {
    programs::overflow_after(10);
    programs::run(SAMPLING, 10);
}
