//! A flight recorder: in a handler, as of a panic, the last branches say how it came there.

use core::arch::asm;
use core::cell::UnsafeCell;

use pmu::Modes;
use pmu::branches::{BranchFilter, BranchKind, BranchList, Branches};

use super::code::{addresses, branches_of_path, call_path};
use super::recorder;
use crate::guest::on_tick;
use crate::trap::TICK_VECTOR;

/// The branches that the handler has found.
struct Path(UnsafeCell<BranchList<32>>);

// SAFETY: one processor runs, and it reads the path when the handler has returned.
unsafe impl Sync for Path {}

static PATH: Path = Path(UnsafeCell::new(BranchList::new()));

pub fn test() {
    on_tick(|_| {
        // SAFETY: the test does not read it meanwhile.
        unsafe { *PATH.0.get() = recorder().last() };
    });
    // Neither the handler nor what finds the recorder jumps through a register.
    let filter = BranchFilter::new(Modes::KERNEL).only(&[BranchKind::IndirectJump]);
    recorder().record(&filter).expect("it leaves others out");
    call_path();
    // SAFETY: the vector has its handler, which returns.
    unsafe { asm!("int {vector}", vector = const TICK_VECTOR) };
    recorder().halt();
    // SAFETY: the handler has returned.
    let path = unsafe { *PATH.0.get() };
    let expected = branches_of_path().into_iter().find(|branch| branch.kind == Some(BranchKind::IndirectJump));
    assert!(path.iter().any(|branch| expected.map(addresses) == Some(addresses(*branch))), "{path}");
}
