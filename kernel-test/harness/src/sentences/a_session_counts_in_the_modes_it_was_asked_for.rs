//! A session counts user programs, or the kernel, or both: each instruction in its own mode, and none in the other.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{CounterId, Modes};

use crate::booked::Booked;
use crate::claim::claim;
use crate::{Claimed, Kernel};

static LENGTH: AtomicU32 = AtomicU32::new(0);

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    for counter in K::kinds(&pmu.description()) {
        let count = |modes, length| count::<K>(&pmu, counter, modes, length);
        let [user, kernel, all] = [Modes::USER, Modes::KERNEL, Modes::ALL].map(|modes| count(modes, 100));
        for length in [4, 501, 3000] {
            assert_eq!(count(Modes::USER, length) + 100, user + length);
            assert_about::<K>(count(Modes::KERNEL, length), kernel);
            assert_about::<K>(count(Modes::ALL, length) + 100, all + length);
        }
        assert_about::<K>(user + kernel, all);
        assert!(user >= 100 && kernel > user - 100, "{user} and {kernel}");
    }
}

/// They differ by no more than the driver's start and stop from one time to the next.
fn assert_about<K: Kernel>(count: u64, expected: u64) {
    assert!(count.abs_diff(expected) <= K::VARIES, "{count} instead of {expected}");
}

/// What is counted in these modes during a program's visit; the host's book agrees. It is counted by the same code each
/// time.
#[inline(never)]
fn count<K: Kernel>(pmu: &Claimed<K>, counter: CounterId, modes: Modes, length: u64) -> u64 {
    LENGTH.store(length as u32, Relaxed);
    let mut session = Booked::<K>::open(pmu, K::request(counter).modes(modes));
    session.around(|| K::run_program(body::<K>));
    session.count()
}

extern "C" fn body<K: Kernel>() {
    K::exactly(LENGTH.load(Relaxed).into());
}
