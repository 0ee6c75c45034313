//! Where only user programs are counted the handler is not, and the least period is what a counter can wait for: every
//! second instruction can be sampled on most processors; each single one cannot.

use core::arch::naked_asm;

use harness::Guest;
use harness::claim::least_period;
use pmu::request::Refusal;
use pmu::{Error, Event, Interrupted, Mode, Modes, Request};

use super::clocked;
use crate::guest::unit::{self, Unit};
use crate::guest::{Here, enter_nmi_at, user};

const USER: Request = Request::new(Event::INSTRUCTIONS).modes(Modes::USER);
/// How many instructions of one byte the program has.
const ROW: u64 = 200;

static UNIT: Unit<1024> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let least = least_period::<Here>(&pmu, USER);
    assert_eq!(least, clocked::least());
    let mut session = pmu.open([USER.every(least)]).expect("the period is possible");
    session.start().expect("it is stopped");
    user::run(row);
    session.stop().expect("it runs");
    let samples = UNIT.samples().expect("there is one reader");
    assert_eq!(samples.received() + samples.lost().total(), Here::overflows());
    // The call of the program is the first instruction in ring 3.
    let row = row as *const () as u64 - 1;
    let places = samples.map(|sample| (sample.mode, sample.address.wrapping_sub(row)));
    let every = (least..=ROW).step_by(least as usize);
    assert!(places.take(every.clone().count()).eq(every.map(|place| (Mode::User, place))));
    let refused = pmu.open([USER.every(least - 1)]).err();
    let too_short = Refusal::PeriodTooShort { least };
    assert!(matches!(refused, Some(Error::Refused { request: 0, reason, .. }) if reason == too_short));
}

#[unsafe(naked)]
extern "C" fn row() {
    naked_asm!(".rept {row}", "nop", ".endr", "ret", row = const ROW)
}
