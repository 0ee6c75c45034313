//! Sampling by the clock, and what it is blind to: what passes while interrupts are off is found at the instruction
//! that lets them in again, and a kernel that knows how many ticks it missed says so.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{Interrupted, Timer};

use crate::amid::Book;

/// A kernel that has a tick to order; the instructions that have retired are its clock.
pub trait Ticking: Book {
    /// Has the tick come when so many more have retired, or as soon as interrupts are on after that: by an interrupt
    /// like the unit's, which has nothing to do with it, unless the kernel has one of its own.
    fn tick_after(instructions: u64) {
        Self::interrupt_after(instructions);
    }
    /// Retires so many with interrupts off, and turns them on again.
    fn deafly(instructions: u64);
    /// Is this the instruction before which the first interrupt comes when they are turned on?
    fn is_where_interrupts_come(address: u64) -> bool;
}

/// From one tick to the next.
const INTERVAL: u64 = 20_000;
/// Intervals with interrupts on, and with interrupts off, and how often these take turns.
const HEARD: u64 = 3;
const DEAF: u64 = 5;
const ROUNDS: u64 = 8;

/// The clock of a kernel's ticks, and their samples.
pub struct Ticks {
    timer: Timer<64>,
    /// When the next is due, by a clock of 32 bits: not every processor has atomic words of 64.
    due: AtomicU32,
}

impl Ticks {
    /// It does not tick yet.
    #[expect(clippy::new_without_default, reason = "a kernel keeps it in a static")]
    pub const fn new() -> Self {
        Self { timer: Timer::new(), due: AtomicU32::new(0) }
    }

    /// What the tick's interrupt does: the clock tells it how many ticks came to nothing.
    pub fn tick<K: Ticking>(&self, at: Interrupted) {
        let due = self.due.load(Relaxed);
        let missed = (K::retired() as u32).wrapping_sub(due) / INTERVAL as u32;
        self.timer.late_tick(at, missed.into());
        self.order::<K>(due.wrapping_add((missed + 1) * INTERVAL as u32));
    }

    fn order<K: Ticking>(&self, due: u32) {
        self.due.store(due, Relaxed);
        K::tick_after(due.wrapping_sub(K::retired() as u32).into());
    }

    /// The sentence: each tick that was due left a sample or is said to be outrun; of those that were due while
    /// interrupts were off one left a sample, and where it says that time was spent is where they were let in.
    pub fn expect_blindness<K: Ticking>(&self) {
        let begin = K::retired() as u32;
        self.order::<K>(begin.wrapping_add(INTERVAL as u32));
        for _ in 0..ROUNDS {
            K::exactly(HEARD * INTERVAL);
            K::deafly(DEAF * INTERVAL);
        }
        let due = u64::from((K::retired() as u32).wrapping_sub(begin)) / INTERVAL;
        let mut samples = self.timer.samples().expect("nobody else reads");
        let hot = samples.by_ref().filter(|sample| K::is_where_interrupts_come(sample.address)).count() as u64;
        let (received, lost) = (samples.received(), samples.lost());
        assert_eq!((received + lost.outrun, lost.total()), (due, lost.outrun), "{lost:?}");
        assert_eq!(hot, ROUNDS, "one in each round is found where interrupts are let in");
        assert!((ROUNDS * (DEAF - 1)..=ROUNDS * DEAF).contains(&lost.outrun), "{lost:?}");
        assert!((ROUNDS * HEARD..=ROUNDS * (HEARD + 1)).contains(&(received - hot)), "{received} samples");
    }
}
