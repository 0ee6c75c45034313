//! A bound context is given another period, and from its restart on each end of it is on its very event.

use harness::{running, threads};
use pmu::Interrupted;

use super::amid::Here;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    on_overflow(handle);
    threads::set_period::<Here>(&UNIT, &unit::claim(&UNIT));
}
