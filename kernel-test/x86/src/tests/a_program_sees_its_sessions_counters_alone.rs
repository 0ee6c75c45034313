//! Where CR4.PCE lets a program read counters it reads all of them, and what others have left there; until it is shown
//! its own session's alone, which counts on.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use pmu::arch::x86::Index;
use pmu::{CounterId, CounterSet, Pmu};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, msr, user};

static UNIT: Unit<0> = Unit::new();

/// The counters that are not the program's, a bit each; and whether it has seen something in one of them.
static OTHERS: AtomicU32 = AtomicU32::new(0);
static SEEN: AtomicBool = AtomicBool::new(false);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let counters = clocked::counters(&pmu.description());
    counters.into_iter().for_each(|counter| leave_something(&pmu, counter));
    unit::hardware().open_user_reads();
    for own in clocked::kinds(&pmu.description()) {
        // Nehalem's general counters are woken by events of their own, which leaves nothing in them.
        leave_something(&pmu, others(counters, own).highest().expect("there are several"));
        let mut session = pmu.open([clocked::request(own)]).expect("it is free");
        session.start().expect("it is stopped");
        assert!(seen(), "somebody has left something beside {own}");
        pmu.show_only(&session).expect("nobody has another counter");
        assert!(!seen(), "beside {own}");
        let before = session.read().expect("this is its CPU")[0];
        instructions::exactly(100);
        assert!(session.read().expect("this is its CPU")[0] >= before + 100, "{own} counts on");
    }
    unit::hardware().close_user_reads();
}

fn others(counters: CounterSet, own: CounterId) -> CounterSet {
    let others = counters.without(own.only());
    OTHERS.store(others.bits() as u32, Relaxed);
    others
}

fn leave_something(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter)]).expect("it is free");
    session.start().expect("it is stopped");
    instructions::exactly(101);
    session.stop().expect("it runs");
}

/// Whether a program sees something of others.
fn seen() -> bool {
    user::run(look);
    SEEN.load(Relaxed)
}

extern "C" fn look() {
    let others = CounterSet::from_bits(OTHERS.load(Relaxed).into());
    let mut values = others.into_iter().map(|other| msr::read_counter(Index::of(other).raw()).unwrap_or(u64::MAX));
    SEEN.store(values.any(clocked::tells), Relaxed);
}
