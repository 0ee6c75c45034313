//! An entry with a vector delivers that interrupt, once the guest takes interrupts.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::programs::{self, SAMPLING};
use crate::guest::{instructions, lvt, on_nmi};
use crate::machine_code;
use crate::trap::{self, Frame};

static TAKEN: AtomicU32 = AtomicU32::new(0);

pub fn test() {
    on_nmi(|frame: &mut Frame| {
        assert_eq!(frame.vector, trap::FIXED_VECTOR.into());
        TAKEN.fetch_add(1, Relaxed);
    });
    lvt::write(trap::FIXED_VECTOR.into());
    programs::overflow_after(10);
    programs::run(SAMPLING, 10);
    assert_eq!(TAKEN.load(Relaxed), 0, "interrupts are off");
    machine_code::enable_interrupts();
    instructions::exactly(instructions::FEWEST);
    assert_eq!(TAKEN.load(Relaxed), 1);
}
