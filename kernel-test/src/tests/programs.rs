//! What several tests write into the unit: the first general counter, counting instructions.
//!
//! Intel SDM volume 3, "Architectural Performance Monitoring": the same in every version.

use crate::guest::msr;
use crate::guest::position::Write;

/// IA32_PERFEVTSEL0.
pub const SELECT: u32 = 0x186;
/// IA32_PMC0.
pub const COUNTER: u32 = 0xc1;

/// Instructions retired in any ring: event C0H, USR, OS, EN.
pub const COUNTING: Write = Write { register: SELECT, value: 0x43_00c0 };
/// The same, and interrupt on overflow (INT).
pub const SAMPLING: Write = Write { register: SELECT, value: 0x53_00c0 };
/// Nothing.
pub const STOPPED: Write = Write { register: SELECT, value: 0 };

/// Makes the counter start at `value`.
pub fn preset(value: u64) {
    msr::write(COUNTER, value).expect("every unit has a first counter");
}

/// Makes the counter overflow on the event with this number, from 1.
pub fn overflow_after(events: u64) {
    preset(events.wrapping_neg());
}

/// Stops the counter.
pub fn stop() {
    msr::write(STOPPED.register, STOPPED.value).expect("every unit has a first counter");
}
