//! An overflow whose interrupt is slow, and comes on whichever instruction of the stop, the close,
//! and another session's life behind them: it is accounted for once, its interrupt is claimed, and
//! nobody else's is.

use pmu::{CounterId, Pmu, Request};

use super::amid::{Accounts, Booked, Here, assert_all_free};
use super::clocked;
use crate::gic;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{enter_interrupts_at, instructions, mischief, truth};

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

/// More than a stop takes, or another period would end before it.
const PERIOD: u64 = 2100;

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::pair(&pmu.description()) {
        let other = clocked::counters(&pmu.description()).without(counter.only()).lowest().expect("there are two");
        for request in [clocked::request(counter).every(PERIOD), clocked::request(counter).once_after(PERIOD)] {
            let mut delay = 1;
            while comes_within(&pmu, request, other, delay) {
                delay += 1;
            }
            assert!(delay > 300, "it never was late");
        }
    }
    assert_all_free(&pmu);
}

/// Overflows once, with an interrupt that is held back until `delay` instructions after that, at
/// the least; false if all was over by then.
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
    assert_eq!((accounts, truth::interrupts()), (Accounts::ONE, before + 1), "delay {delay}");
    let foreign = UNIT.strays().foreign;
    mischief::interrupt_after(1);
    instructions::exactly(instructions::FEWEST);
    assert_eq!(UNIT.strays().foreign, foreign + 1, "delay {delay}: it would be claimed too");
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
