//! An overflow whose interrupt is slow, and comes on any instruction of the stop, the close,
//! and another session's life behind them: it is accounted for once, its interrupt is claimed, and
//! nobody else's is.

use pmu::{CounterId, Interrupted, Pmu, Request};

use super::amid::{Accounts, Booked, Here, assert_all_free};
use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, mischief, on_overflow, truth};

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// More than a stop takes, or another period would end before it.
const PERIOD: u64 = 3000;

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let other = clocked::counters(&pmu.description()).without(counter.only()).lowest().expect("there are two");
        for request in [clocked::request(counter).every(PERIOD), clocked::request(counter).once_after(PERIOD)] {
            let delays = core::iter::successors(Some(1), |delay| Some(delay + 3 + delay / 8))
                .take_while(|&delay: &u64| comes_within(&pmu, request, other, delay));
            assert!(delays.count() > 5, "it never was late");
        }
    }
    assert_all_free(&pmu);
}

/// Overflows once, with an interrupt that is held back until `delay` instructions after that, at
/// the least; false if all was over by then, or the stop had taken it back.
fn comes_within(pmu: &Pmu<'static, Driver>, request: Request, other: CounterId, delay: u64) -> bool {
    let before = truth::interrupts();
    let (within, accounts) = Accounts::around::<Here, _>(&UNIT, || {
        live(pmu, request, || {
            mischief::hold_interrupts(PERIOD + delay);
            instructions::exactly(PERIOD);
        });
        live(pmu, clocked::request(other), || ());
        let within = truth::interrupts() > before;
        instructions::exactly(PERIOD + delay);
        within
    });
    assert_eq!(accounts, Accounts::ONE, "delay {delay}");
    let foreign = UNIT.strays().foreign;
    let came = truth::interrupts() - before;
    (came..2).for_each(|_| mischief::interrupt_after(0));
    assert_eq!(UNIT.strays().foreign, foreign + 1, "delay {delay}: a stranger's would be claimed too");
    within
}

/// Open, start, work, stop, close.
fn live(pmu: &Pmu<'static, Driver>, request: Request, work: impl FnOnce()) {
    let mut session = Booked::open(pmu, request);
    session.session.start().expect("it can start");
    work();
    session.session.stop().expect("it runs");
    session.count();
}
