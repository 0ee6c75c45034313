//! What is asked of the firmware: the calls, and how many of them give a counter an event.

use core::array;
use core::fmt::{Display, Write};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::bench::{Bench, Cost, Counted, Reached};
use pmu::arch::riscv::hpm::sbi::{Address, Call};

/// So many calls, and so many of them that configured a counter.
#[derive(Clone, Copy, Debug)]
pub struct Called([u32; 2]);

/// The calls so far, and those of them that configured a counter.
static TALLY: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

impl Called {
    fn now() -> Self {
        Self(TALLY.each_ref().map(|calls| calls.load(Relaxed)))
    }
}

impl Cost for Called {
    fn measure<B: Bench, T>(work: impl FnOnce() -> T) -> (Self, T) {
        let before = Self::now();
        let result = work();
        (Self::now().beyond(before), result)
    }

    fn beyond(self, other: Self) -> Self {
        Self(array::from_fn(|kind| self.0[kind].saturating_sub(other.0[kind])))
    }

    fn or_more(self, other: Self) -> Self {
        Self(array::from_fn(|kind| self.0[kind].max(other.0[kind])))
    }

    fn print<B: Bench>(self, name: impl Display, _: Reached) {
        let Self([calls, configurations]) = self;
        writeln!(B::console(), "calls {name} {calls} {configurations}").expect("a console takes everything");
    }
}

impl Counted<Address> for Called {
    fn read(at: &Address) {
        if let Address::Call(call) = at {
            TALLY[0].fetch_add(1, Relaxed);
            TALLY[1].fetch_add(matches!(call, Call::Configure { .. }).into(), Relaxed);
        }
    }
}
