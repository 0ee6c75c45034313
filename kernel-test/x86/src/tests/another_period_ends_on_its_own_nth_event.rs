//! A bound context is given another period, and from its restart on each end of it is on its very event.

use harness::{running, threads};
use pmu::Interrupted;

use super::amid::Here;
use crate::guest::enter_nmi_at;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<64> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    threads::set_period::<Here>(&UNIT, &unit::claim(&UNIT));
}
