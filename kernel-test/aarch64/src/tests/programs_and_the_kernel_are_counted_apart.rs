//! User programs are counted, or the kernel that they belong to, or both: at EL1 the kernel is EL1, and with FEAT_VHE
//! at EL2 it is EL2, and no guest's.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::request::Flag;
use pmu::{CounterId, Modes, Pmu, Request};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, user};
use crate::system::level;

static UNIT: Unit<0> = unit::new();
static LENGTH: AtomicU64 = AtomicU64::new(0);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let count = |modes, length| count(&pmu, clocked::request(counter).modes(modes), length);
        let around = count(Modes::USER, 100) - 100;
        let kernel = count(Modes::KERNEL, 100);
        assert!((1..40).contains(&around) && (1..1000).contains(&kernel), "{around} {kernel}");
        for length in [4, 501, 3000] {
            assert_eq!(count(Modes::USER, length), around + length);
            assert_eq!(count(Modes::KERNEL, length), kernel);
            assert_eq!(count(Modes::ALL, length), around + length + kernel);
        }
        if level() == 2 {
            tells_the_host_from_guests(&pmu, counter, kernel);
        }
    }
}

/// A kernel at EL2 is the host, and what the unit calls a hypervisor.
fn tells_the_host_from_guests(pmu: &Pmu<'static, Driver>, counter: CounterId, kernel: u64) {
    let request = clocked::request(counter);
    assert_eq!(count(pmu, request.modes(Modes::HYPERVISOR), 100), kernel);
    let only = |flag| request.modes(Modes::KERNEL).flag(flag);
    assert_eq!([Flag::HostOnly, Flag::GuestOnly].map(|flag| count(pmu, only(flag), 100)), [kernel, 0]);
}

/// What is counted during a visit to EL0. Not inlined: the kernel's own part is to be the same code each time.
#[inline(never)]
fn count(pmu: &Pmu<'static, Driver>, request: Request, length: u64) -> u64 {
    LENGTH.store(length, Relaxed);
    let mut session = pmu.open([request]).expect("the unit tells them apart");
    session.start().expect("it can start");
    user::run(body);
    session.stop().expect("it runs");
    session.read().expect("this is its CPU")[0]
}

extern "C" fn body() {
    instructions::exactly(LENGTH.load(Relaxed));
}
