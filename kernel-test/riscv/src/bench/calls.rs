//! What is asked of the firmware: the calls, how many of them give a counter an event, and the firmware's own instructions.

use core::array;
use core::fmt::{Display, Write};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::bench::{Bench, Cost, Counted, Reached};
use pmu::arch::riscv::hpm::sbi::{Address, Call};

use crate::board::TICK;
use crate::csr::{self, get};

/// So many calls, so many of them that configured a counter, and so many instructions in machine mode.
#[derive(Clone, Copy, Debug)]
pub struct Called([u64; 3]);

/// The calls so far, and those of them that configured a counter.
static TALLY: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

/// Waits for the clock's next tick. Returns it.
fn next_tick() -> u64 {
    let before = csr::time();
    loop {
        let now = csr::time();
        if now != before {
            return now;
        }
    }
}

impl Called {
    /// Time passes in all modes, and cycle leaves machine mode out. Right to the few instructions of a look at the clock.
    fn now() -> Self {
        let [calls, configurations] = TALLY.each_ref().map(|calls| calls.load(Relaxed).into());
        let everywhere = next_tick() * TICK;
        Self([calls, configurations, everywhere.wrapping_sub(get!("cycle") as u64)])
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
        let Self([calls, configurations, instructions]) = self;
        writeln!(B::console(), "calls {name} {calls} {configurations} {instructions}")
            .expect("a console takes everything");
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
