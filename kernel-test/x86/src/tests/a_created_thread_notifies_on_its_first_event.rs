//! A thread that inherits a request which notifies is notified of its first event, chooses a period of its own, and
//! does not disturb its creator's.

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
    threads::inherit::<Here>(&UNIT, &unit::claim(&UNIT));
}
