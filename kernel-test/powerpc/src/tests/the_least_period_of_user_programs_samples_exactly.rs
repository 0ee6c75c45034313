//! Where only user programs are counted the handler is not: the shortest period samples a program at even
//! distances, and a shorter one, in which an atomic operation might not end, is refused.

use harness::Guest;
use pmu::arch::powerpc::book3s::Capabilities;
use pmu::request::Refusal;
use pmu::{CounterId, Error, Interrupted, Mode, Modes};

use super::clocked;
use crate::assembly;
use crate::guest::unit::{self, Unit};
use crate::guest::{Here, on_overflow, user};

/// How many instructions the program has before its return.
const ROW: u64 = 8 * Capabilities::LEAST_IN_USER;

static UNIT: Unit<256> = Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

unsafe extern "C" {
    fn user_row();
}

extern "C" fn row() {
    // SAFETY: it does nothing, and returns.
    unsafe { user_row() }
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let request = clocked::request(CounterId::ZERO).modes(Modes::USER);
    let mut session = pmu.open([request.every(Capabilities::LEAST_IN_USER)]).expect("the period is possible");
    session.start().expect("it is stopped");
    user::run(row);
    session.stop().expect("it runs");
    let samples = UNIT.samples().expect("there is one reader");
    assert_eq!(samples.received() + samples.lost().total(), Here::overflows());
    let first = user_row as *const () as u64;
    let in_row = samples.filter(|sample| (first..=first + 4 * ROW).contains(&sample.address));
    let mut places = in_row.map(|sample| (sample.mode, (sample.address - first) / 4));
    let (mode, begun) = places.next().expect("the row is longer than a period");
    assert!(mode == Mode::User && begun < Capabilities::LEAST_IN_USER, "{begun}");
    let others = (1..8).map(|number| (Mode::User, begun + number * Capabilities::LEAST_IN_USER));
    assert!(places.eq(others), "each {}th instruction of the row, once", Capabilities::LEAST_IN_USER);
    let refused = pmu.open([request.every(Capabilities::LEAST_IN_USER - 1)]).err();
    let least = Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_USER };
    assert!(matches!(refused, Some(Error::Refused { request: 0, reason, .. }) if reason == least));
}

assembly!(
    r#"
    .text
    .global user_row
user_row:
    .rept {row}
    nop
    .endr
    blr
    "#,
    row = const ROW,
);
