//! An interrupt and the return from it are branches, and nothing of its handler is lost that there is room for.

use core::arch::asm;

use pmu::Modes;
use pmu::branches::{BranchFilter, BranchKind, Branches};

use super::recorder;
use crate::guest::on_tick;
use crate::trap::TICK_VECTOR;

pub fn test() {
    on_tick(|_| ());
    let far = [BranchKind::Exception, BranchKind::Interrupt, BranchKind::TrapReturn];
    let filter = BranchFilter::new(Modes::KERNEL).only(&far);
    // SAFETY: the vector has its handler, which returns.
    let run = || unsafe { asm!("int {vector}", vector = const TICK_VECTOR) };
    let (found, ()) = recorder().around::<8, _>(&filter, run).expect("it leaves others out");
    let [back, there] = &*found else { panic!("{found}") };
    assert_eq!(back.to, there.from + 2, "{found}");
}
