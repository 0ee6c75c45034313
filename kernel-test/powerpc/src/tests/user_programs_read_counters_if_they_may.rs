//! A user program reads counters if the kernel lets it (MMCR0, PMCC), and never writes one; what it reads
//! is the counter itself. Before POWER8 every program may read them.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Pmu};

use super::clocked;
use crate::family;
use crate::guest::probe::{self, Refused};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, user};

static CLOSED: Unit<0> = Unit::new();
static OPEN: Unit<0> = Unit::new();

static READ: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// No counter is so wide.
const REFUSED: usize = usize::MAX;

pub fn test() {
    let pmu = unit::claim(&CLOSED);
    let is_always_open = !family::closes_counters(pmu.driver());
    assert_eq!(passed(&pmu, 100).is_ok(), is_always_open);
    pmu.release().expect("nothing is open");

    let driver = family::lent(unit::detect().expect("the unit is there"));
    let pmu = OPEN.claim(driver).expect("nobody has it");
    let around = passed(&pmu, 100).expect("it may") - 100;
    assert_eq!([501, 1000].map(|length| passed(&pmu, length)), [501, 1000].map(|length| Ok(around + length)));
}

/// What a user program sees passing around so many instructions.
fn passed(pmu: &Pmu<'static, Driver>, length: usize) -> Result<usize, Refused> {
    let mut session = pmu.open([clocked::request(CounterId::ZERO)]).expect("the counter is free");
    session.start().expect("it can start");
    LENGTH.store(length, Relaxed);
    user::run(read_around);
    session.stop().expect("it runs");
    match READ.each_ref().map(|read| read.load(Relaxed)) {
        [REFUSED, REFUSED] => Err(Refused),
        [before, after] => Ok(after - before),
    }
}

extern "C" fn read_around() {
    let before = probe::read_users_counter();
    instructions::exactly(LENGTH.load(Relaxed) as u64);
    let after = probe::read_users_counter();
    assert_eq!(probe::write_users_counter(0), Err(Refused), "it may never write");
    READ[0].store(before.unwrap_or(REFUSED), Relaxed);
    READ[1].store(after.unwrap_or(REFUSED), Relaxed);
}
