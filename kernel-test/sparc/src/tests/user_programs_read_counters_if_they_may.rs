//! A user program reads %pic once it is lent, and never writes it; %pcr, and what is no register, are not its own.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::Kernel as _;
use harness::claim::claim;
use pmu::Context;

use crate::guest::Here;
use crate::guest::{probe, user};

/// Which of the [accesses](probe::ACCESSES) were refused, a bit each.
static REFUSED: AtomicU64 = AtomicU64::new(0);
const COUNTERS: u64 = 1;
const OTHERS: u64 = 0b1110;

pub fn test() {
    let pmu = claim::<Here>();
    assert_eq!(refused(), COUNTERS | OTHERS, "nothing is lent");
    let counter = Here::few(&pmu.description()).lowest().expect("there are counters");
    let mut thread = Context::<_, 1>::new(1);
    thread.bind(&pmu, [Here::request(counter)]).expect("it is free");
    pmu.switch_in(&mut thread);
    pmu.lend().expect("this is the unit's CPU");
    assert_eq!(refused(), OTHERS, "it is lent");
    pmu.take_back().expect("this is the unit's CPU");
    pmu.switch_out(&mut thread);
    assert_eq!(refused(), COUNTERS | OTHERS, "it is taken back");
    let [.., read_stranger] = probe::ACCESSES;
    assert!(probe::is_refused(read_stranger), "the kernel has no such register either");
}

fn refused() -> u64 {
    user::run(program);
    REFUSED.load(Relaxed)
}

extern "C" fn program() {
    let bits = (0..).zip(probe::ACCESSES).map(|(number, access)| u64::from(probe::is_refused(access)) << number);
    REFUSED.store(bits.sum(), Relaxed);
}
