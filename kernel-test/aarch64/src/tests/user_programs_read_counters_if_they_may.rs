//! A user program's access is refused until the kernel opens the counters, then reads the very counter and nothing of
//! the others, still writes none, and is refused again once they are closed.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::{CounterId, Error, Modes};

use super::clocked;
use crate::guest::probe;
use crate::guest::unit::{self, Unit};
use crate::guest::{instructions, user};

static UNIT: Unit<0> = unit::new();

/// What a user program got: of the lent counter before some instructions and after, of the other one, and of a write.
static READ: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];
static LENGTH: AtomicU64 = AtomicU64::new(0);

/// No counter holds this.
const REFUSED: u64 = u64::MAX;

const LENT: CounterId = CounterId::ZERO;
const OTHER: CounterId = CounterId::new(1).unwrap();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let request = |counter| clocked::request(counter).modes(Modes::USER);
    let mut session = pmu.open([request(LENT)]).expect("the counter is free");
    let mut secret = pmu.open([request(OTHER)]).expect("the counter is free");
    session.start().expect("it can start");
    assert_eq!(passed(100), [REFUSED; 4]);

    secret.start().expect("it can start");
    if pmu.driver().capabilities().has_user_access() {
        pmu.driver().open_user_reads(LENT.only()).expect("the other one is hidden");
        assert_eq!(passed(100)[2], 0, "the other one counts, and reads as 0");
        pmu.driver().close_user_reads();
    } else {
        let seen = Err(Error::InUse(OTHER.only()));
        assert_eq!(pmu.driver().open_user_reads(LENT.only()), seen, "it would be seen");
    }
    drop(secret);
    pmu.show_only(&session).expect("nobody has another counter");
    pmu.driver().open_user_reads(LENT.only()).expect("nothing is in the others");
    let [before, after, other, write] = passed(100);
    let around = after - before - 100;
    let [next, last, ..] = passed(1000);
    assert_eq!(last - next, 1000 + around);
    assert!(other == 0 || other == 1 << 31 || other == 1 << 63, "{other:#x} is in a counter that is not lent");
    // A counter that a program may only read ignores what is written where counters are opened one by one.
    let is_ignored = pmu.driver().capabilities().has_user_access();
    assert_eq!(write == REFUSED, !is_ignored);
    assert!(next > after, "{next} after {after}: it was written");

    pmu.driver().close_user_reads();
    assert_eq!(passed(100), [REFUSED; 4]);
}

/// What a user program gets around so many instructions.
fn passed(length: u64) -> [u64; 4] {
    LENGTH.store(length, Relaxed);
    user::run(read_around);
    READ.each_ref().map(|read| read.load(Relaxed))
}

extern "C" fn read_around() {
    let before = probe::read_counter_0(0);
    instructions::exactly(LENGTH.load(Relaxed));
    let after = probe::read_counter_0(0);
    let answers = [before, after, probe::read_counter_1(0), probe::write_counter_0(5)];
    for (read, answer) in READ.iter().zip(answers) {
        read.store(answer.unwrap_or(REFUSED), Relaxed);
    }
}
