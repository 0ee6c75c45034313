//! A bound context is given another period, and from its restart on each end of it is on its very event.

use harness::{running, threads};

use super::amid::Here;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = running::service(&UNIT, at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    threads::set_period::<Here>(&UNIT, &unit::claim(&UNIT));
}
