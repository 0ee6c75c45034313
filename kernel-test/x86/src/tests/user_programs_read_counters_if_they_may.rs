//! RDPMC in ring 3 faults until the kernel opens it (CR4.PCE), then reads the very counter, and
//! faults again once it is closed.

use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use pmu::Modes;
use pmu::arch::x86::Index;

use super::clocked;
use crate::guest::msr::{self, Faulted};
use crate::guest::unit::{self, Unit};
use crate::guest::{instructions, user};

static UNIT: Unit<0> = Unit::new();

/// The low word of what ring 3 has read: before some instructions, and after.
static READ: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
static COUNTER: AtomicU32 = AtomicU32::new(0);
static LENGTH: AtomicU32 = AtomicU32::new(0);

/// No counter has counted so far.
const FAULTED: usize = usize::MAX;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        COUNTER.store(Index::of(counter).raw(), Relaxed);
        let mut session = pmu.open([clocked::request(counter).modes(Modes::USER)]).expect("the counter is free");
        session.start().expect("it can start");
        assert_eq!(passed(100), Err(Faulted));
        unit::hardware().open_user_reads();
        let around = passed(100).map(|passed| passed - 100);
        assert_eq!(passed(1000), around.map(|around| around + 1000));
        unit::hardware().close_user_reads();
        assert_eq!(passed(100), Err(Faulted));
    }
}

/// What a user program sees passing around so many instructions.
fn passed(length: u32) -> Result<usize, Faulted> {
    LENGTH.store(length, Relaxed);
    user::run(read_around);
    match READ.each_ref().map(|read| read.load(Relaxed)) {
        [FAULTED, FAULTED] => Err(Faulted),
        [before, after] => Ok(after - before),
    }
}

extern "C" fn read_around() {
    let index = COUNTER.load(Relaxed);
    let before = msr::read_counter(index);
    instructions::exactly(LENGTH.load(Relaxed).into());
    let after = msr::read_counter(index);
    READ[0].store(before.map_or(FAULTED, |value| value as usize), Relaxed);
    READ[1].store(after.map_or(FAULTED, |value| value as usize), Relaxed);
}
