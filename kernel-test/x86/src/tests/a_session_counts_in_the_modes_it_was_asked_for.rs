//! A session counts user programs, or the kernel, or both: each instruction in its own mode, and
//! none in the other.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::{CounterId, Modes, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, user};

static UNIT: Unit<0> = Unit::new();
static LENGTH: AtomicU64 = AtomicU64::new(0);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let count = |modes, length| count(&pmu, counter, modes, length);
        let around = count(Modes::USER, 100) - 100;
        let kernel = count(Modes::KERNEL, 100);
        for length in [4, 501, 3000] {
            assert_eq!(count(Modes::USER, length), around + length);
            assert_eq!(count(Modes::KERNEL, length), kernel);
            assert_eq!(count(Modes::ALL, length), around + length + kernel);
        }
    }
}

/// What is counted in these modes during a visit to ring 3; the host's book agrees. It is counted by the
/// same code each time.
#[inline(never)]
fn count(pmu: &Pmu<'static, Driver>, counter: CounterId, modes: Modes, length: u64) -> u64 {
    LENGTH.store(length, Relaxed);
    let mut session = Booked::open(pmu, clocked::request(counter).modes(modes));
    session.session.start().expect("it can start");
    user::run(body);
    session.session.stop().expect("it runs");
    session.count()
}

extern "C" fn body() {
    instructions::exactly(LENGTH.load(Relaxed));
}
