//! How many of an event a piece of code has, by itself; and what is said where there is no event.

use core::hint::black_box;

use harness::Guest;
use pmu::{Event, Pmu, Request};

use super::programs;
use crate::guest::unit::Driver;
use crate::guest::{Here, instructions};

/// Counts `body`, [called](instructions::call) with `argument`, and nothing around it.
pub fn count(pmu: &Pmu<Driver>, event: Event, body: extern "C" fn(), argument: u64) -> u64 {
    let count = |body: extern "C" fn()| {
        let ([count], ()) = pmu
            .count([Request::new(event)], || instructions::call(black_box(body), argument))
            .expect("the event is known");
        count
    };
    count(body) - count(nothing)
}

#[unsafe(naked)]
extern "C" fn nothing() {
    core::arch::naked_asm!("ret")
}

/// Where the processor has no event for a kind, the code that others have is silence with a reason.
pub fn is_reported(others_code: u64) {
    /// USR, OS, EN.
    const COUNTING: u64 = 0x43_0000;
    programs::set(COUNTING | others_code).expect("any event can be selected");
    assert_eq!(Here::unfed(), programs::number().only());
    programs::stop();
}
