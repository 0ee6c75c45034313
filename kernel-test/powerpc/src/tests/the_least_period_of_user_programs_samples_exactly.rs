//! Where only user programs are counted the handler is not, and each single instruction can be sampled:
//! the last of all is SC, whose sample is taken in the kernel.

use pmu::{CounterId, Error, Interrupted, Mode, Modes, Refusal};

use super::clocked;
use crate::assembly;
use crate::guest::unit::{self, Unit};
use crate::guest::{on_overflow, truth, user};

/// How many instructions the program has before its return.
const ROW: u64 = 100;

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
    let mut session = pmu.open([request.every(1)]).expect("the period is possible");
    session.start().expect("it is stopped");
    user::run(row);
    session.stop().expect("it runs");
    let samples = UNIT.samples().expect("there is one reader");
    assert_eq!(samples.received() + samples.lost().total(), truth::overflows());
    let first = user_row as *const () as u64;
    let in_row = samples.filter(|sample| (first..=first + 4 * ROW).contains(&sample.address));
    let places = in_row.map(|sample| (sample.mode, (sample.address - first) / 4));
    assert!(places.eq((0..=ROW).map(|place| (Mode::User, place))), "each instruction of the row, once");
    let refused = pmu.open([request.every(0)]).err();
    assert!(matches!(refused, Some(Error::Refused { request: 0, reason: Refusal::PeriodZero, .. })));
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
