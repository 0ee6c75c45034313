//! A thread that inherits a request which notifies is notified of its first event, chooses a period of its own, and
//! does not disturb its creator's.

use harness::{running, threads};

use super::amid::Here;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = running::service(&UNIT, at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    threads::inherit::<Here>(&UNIT, &unit::claim(&UNIT));
}
