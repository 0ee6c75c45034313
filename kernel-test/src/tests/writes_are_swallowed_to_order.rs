//! A unit in disguise accepts writes and forgets them, as an emulator without a unit does.

use super::programs::{COUNTER, COUNTING};
use crate::guest::{mischief, msr};
use crate::hypercall::Disguise;

pub fn test() {
    mischief::present(Disguise::SwallowsWrites);
    assert_eq!(msr::write(COUNTER, 1234), Ok(()));
    assert_eq!(msr::write(COUNTING.register, COUNTING.value), Ok(()));
    assert_eq!((msr::read(COUNTER), msr::read(COUNTING.register)), (Ok(0), Ok(0)));
}
