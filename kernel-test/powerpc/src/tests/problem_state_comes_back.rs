//! A visit to problem state runs what it shall there, may not reach the unit's registers, and comes
//! back.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::guest::probe::{self, Refused};
use crate::guest::user;
use crate::processor;

static VISITS: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let before = processor::machine_state();
    (0..100).for_each(|_| user::run(visit));
    assert_eq!((VISITS.load(Relaxed), processor::machine_state()), (100, before));
}

extern "C" fn visit() {
    assert_eq!(probe::read_counter(), Err(Refused));
    assert_eq!(probe::read_stranger(), Err(Refused));
    VISITS.fetch_add(1, Relaxed);
}
