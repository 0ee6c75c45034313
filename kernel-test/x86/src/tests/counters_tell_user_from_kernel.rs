//! A counter of one mode counts that mode's instructions and no others, each of them.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::programs;
use crate::guest::{instructions, user};

/// Instructions retired in ring 3: event C0H, USR, EN.
const USER: u64 = 0x41_00c0;
/// Instructions retired in ring 0: event C0H, OS, EN.
const KERNEL: u64 = 0x42_00c0;

static LENGTH: AtomicU32 = AtomicU32::new(0);

pub fn test() {
    let around = count(USER, 10) - 10;
    let beside = count(KERNEL, 10);
    for length in [11, 50, 501, 3000] {
        assert_eq!(count(USER, length), around + u64::from(length));
        assert_eq!(count(KERNEL, length), beside, "what user programs do is not the kernel's");
    }
    assert_eq!(count(USER | KERNEL, 100), around + 100 + beside);
}

fn count(select: u64, length: u32) -> u64 {
    LENGTH.store(length, Relaxed);
    programs::preset(0);
    programs::set(select).expect("modes can be selected");
    user::run(body);
    programs::stop();
    programs::value()
}

extern "C" fn body() {
    instructions::exactly(LENGTH.load(Relaxed).into());
}
