//! A visit to user mode runs what it shall there, may not reach the unit's registers, and comes back.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::guest::user;

static VISITS: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    (0..100).for_each(|_| user::run(visit));
    assert_eq!(VISITS.load(Relaxed), 100);
}

extern "C" fn visit() {
    assert!(user::is_refused_a_counter());
    VISITS.fetch_add(1, Relaxed);
}
