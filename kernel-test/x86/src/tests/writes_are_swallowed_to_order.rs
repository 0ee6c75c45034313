//! A unit in disguise accepts writes and forgets them, as an emulator without a unit does.

use super::programs::{self, COUNTING};
use crate::guest::{Here, msr};
use harness::{Disguise, Guest};

pub fn test() {
    Here::present(Disguise::SwallowsWrites);
    assert_eq!(msr::write(programs::counter(), 1234), Ok(()));
    assert_eq!(programs::set(COUNTING), Ok(()));
    assert_eq!((msr::read(programs::counter()), msr::read(programs::select())), (Ok(0), Ok(0)));
}
