//! Intel masks the local APIC's entry as it delivers; until it is unmasked, overflows are lost.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::programs::{self, SAMPLING, STOPPED};
use crate::guest::{lvt, on_nmi, position, truth};
use crate::trap::Frame;

static TAKEN: AtomicU32 = AtomicU32::new(0);

pub fn test() {
    on_nmi(|_: &mut Frame| {
        TAKEN.fetch_add(1, Relaxed);
    });
    lvt::write(lvt::NMI);
    overflow();
    assert_eq!(lvt::read(), lvt::NMI | lvt::MASK);
    overflow();
    assert_eq!((TAKEN.load(Relaxed), truth::overflows(), truth::masked_overflows()), (1, 2, 1));
    lvt::write(lvt::NMI);
    overflow();
    assert_eq!(TAKEN.load(Relaxed), 2);
}

fn overflow() {
    programs::overflow_after(10);
    position::run(SAMPLING, 10, STOPPED);
}
