//! A thread that inherits a request which notifies is notified of its first event, chooses a period of its own, and
//! does not disturb its creator's.

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
    threads::inherit::<Here>(&UNIT, &unit::claim(&UNIT));
}
