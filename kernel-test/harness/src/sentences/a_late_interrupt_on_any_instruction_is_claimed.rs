//! An overflow whose interrupt is slow, and comes on whichever instruction of the stop, the close, and another session's
//! life behind them: it is accounted for once, its interrupt is claimed, and nobody else's is.

use core::iter;

use pmu::{CounterId, Request};

use crate::accounts::{Accounts, assert_all_free};
use crate::booked::Booked;
use crate::claim::sampling;
use crate::{Claimed, Effort, Kernel};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    let unit = pmu.description();
    for counter in K::few(&unit) {
        let other = K::counters(&unit).without(counter.only()).lowest().expect("there are two");
        for request in [K::request(counter).every(K::PERIOD), K::request(counter).once_after(K::PERIOD)] {
            let stride = Effort::on::<K>(&pmu, counter).stride(K::PERIOD);
            let late = delays::<K>(stride).take_while(|&delay| comes_within::<K>(&pmu, request, other, delay)).count();
            let fewest = if K::STEPS { 5 } else { 300 / K::share().1 / stride };
            assert!(late > fewest, "it was late {late} times");
        }
    }
    assert_all_free::<K>(&pmu);
}

/// This processor's share of them, or more and more of them are left out; and of a share in steps of `stride`.
fn delays<K: Kernel>(stride: usize) -> impl Iterator<Item = u64> {
    let (first, step) = K::share();
    let step = (step * stride) as u64;
    iter::successors(Some(first), move |delay| Some(delay + if K::STEPS { 3 + delay / 8 } else { step }))
}

/// Overflows once, with an interrupt that is held back until `delay` instructions after that, at the least; false if all
/// was over by then, or the stop had taken it back.
fn comes_within<K: Kernel>(pmu: &Claimed<K>, request: Request, other: CounterId, delay: u64) -> bool {
    let before = K::interrupts();
    let (within, accounts) = Accounts::around::<K, _>(|| {
        live::<K>(pmu, request, || {
            K::hold_interrupts(K::PERIOD + delay);
            K::exactly(K::PERIOD);
        });
        live::<K>(pmu, K::request(other), || ());
        let within = K::interrupts() > before;
        K::exactly(K::PERIOD + delay);
        within
    });
    assert_eq!(accounts, Accounts::ONE, "delay {delay}");
    let came = K::interrupts() - before;
    assert!(came == 1 || came == 0 && K::TAKES_INTERRUPTS_BACK, "delay {delay}: {came}");
    let foreign = K::unit().spurious().foreign;
    (came..2).for_each(|_| K::interrupt_after(0));
    assert_eq!(K::unit().spurious().foreign, foreign + 1, "delay {delay}: a stranger's would be claimed too");
    within
}

/// Open, start, work, stop, close.
fn live<K: Kernel>(pmu: &Claimed<K>, request: Request, work: impl FnOnce()) {
    let mut session = Booked::<K>::open(pmu, request);
    session.around(work);
    session.count();
}
