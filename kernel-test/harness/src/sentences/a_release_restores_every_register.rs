//! What the unit held before a claim it holds again after the release, bit for bit, whatever was done in between.

use crate::Kernel;
use crate::claim::{claim_again, sampling};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    let unit = pmu.description();
    pmu.release().expect("nothing is open");
    for variant in (0..).take_while(|&variant| K::leave_something(&unit, variant)) {
        let before = K::registers();
        use_everything::<K>();
        assert_eq!(K::registers(), before, "variant {variant}");
    }
}

/// Samples on every counter, or counts where nothing interrupts, and uses what stands beside them.
fn use_everything<K: Kernel>() {
    let pmu = claim_again::<K>();
    let sampled = |request| K::sampled(request, 2 * K::PERIOD);
    let open = |counter| pmu.open([sampled(K::request(counter))]).expect("the counter is free");
    let mut sessions = [const { None }; 64];
    for (session, counter) in sessions.iter_mut().zip(K::counters(&pmu.description())) {
        session.insert(open(counter)).start().expect("it can start");
    }
    K::exactly(5 * K::PERIOD);
    drop(sessions);
    K::use_the_rest(&pmu);
    pmu.release().expect("nothing is open");
}
