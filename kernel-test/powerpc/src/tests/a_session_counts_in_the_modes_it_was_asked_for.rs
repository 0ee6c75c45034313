//! A session counts user programs, or the kernel, or both: each instruction in its own mode, and
//! none in the other.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Modes, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, user};

/// By so many instructions does the driver's start, and its stop, differ from one time to the next.
const OWN: u64 = 8;

static UNIT: Unit<0> = Unit::new();
static LENGTH: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let count = |modes, length| count(&pmu, counter, modes, length);
        let (user, kernel, all) =
            (count(Modes::USER, 100) - 100, count(Modes::KERNEL, 100), count(Modes::ALL, 100) - 100);
        for length in [4, 501, 3000] {
            assert_eq!(count(Modes::USER, length), user + length);
            assert!(count(Modes::KERNEL, length).abs_diff(kernel) < OWN, "what user programs do is not the kernel's");
            assert!(count(Modes::ALL, length).abs_diff(all + length) < OWN);
        }
        assert!(all.abs_diff(user + kernel) < OWN && user > 0 && kernel > user, "{user} and {kernel} are not {all}");
    }
}

/// What is counted in these modes during a visit to problem state; the host's book agrees.
fn count(pmu: &Pmu<'static, Driver>, counter: CounterId, modes: Modes, length: u64) -> u64 {
    LENGTH.store(length as usize, Relaxed);
    let mut session = Booked::open(pmu, clocked::request(counter).modes(modes));
    session.session.start().expect("it can start");
    user::run(body);
    session.session.stop().expect("it runs");
    session.count()
}

extern "C" fn body() {
    instructions::exactly(LENGTH.load(Relaxed) as u64);
}
