//! Where samples are taken by the clock, what passes while interrupts are off is found at the instruction that lets them in
//! again, and the ticks that came to nothing are counted.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{Interrupted, Timer};

use crate::Kernel;
use crate::tick::on_tick;

/// From one tick to the next.
const INTERVAL: u64 = 20_000;
/// Intervals with interrupts on, and with interrupts off, and how often these take turns.
const HEARD: u64 = 3;
const DEAF: u64 = 5;
const ROUNDS: u64 = 8;

static TIMER: Timer<64> = Timer::new();
/// When the next tick is due, by a clock of 32 bits: not every processor has atomic words of 64.
static DUE: AtomicU32 = AtomicU32::new(0);

/// Shows it: each tick that was due left a sample or is said to be outrun; of those that were due while interrupts were
/// off one left a sample, and where it says that time was spent is where they were let in.
pub fn test<K: Kernel>() {
    on_tick::<K>(tick::<K>);
    let begin = K::retired() as u32;
    order::<K>(begin.wrapping_add(INTERVAL as u32));
    for _ in 0..ROUNDS {
        K::exactly(HEARD * INTERVAL);
        K::with_interrupts_masked(DEAF * INTERVAL);
    }
    let due = u64::from((K::retired() as u32).wrapping_sub(begin)) / INTERVAL;
    on_tick::<K>(|_| ());
    let mut samples = TIMER.samples().expect("nobody else reads");
    let hot = samples.by_ref().filter(|sample| K::is_where_interrupts_come(sample.address)).count() as u64;
    let (received, lost) = (samples.received(), samples.lost());
    assert_eq!((received + lost.outrun, lost.total()), (due, lost.outrun), "{lost:?}");
    assert_eq!(hot, ROUNDS, "one in each round is found where interrupts are let in");
    assert!((ROUNDS * (DEAF - 1)..=ROUNDS * DEAF).contains(&lost.outrun), "{lost:?}");
    assert!((ROUNDS * HEARD..=ROUNDS * (HEARD + 1)).contains(&(received - hot)), "{received} samples");
}

/// What the tick's interrupt does: the clock tells it how many ticks came to nothing.
fn tick<K: Kernel>(at: Interrupted) {
    let due = DUE.load(Relaxed);
    let missed = (K::retired() as u32).wrapping_sub(due) / INTERVAL as u32;
    TIMER.late_tick(at, missed.into());
    order::<K>(due.wrapping_add((missed + 1) * INTERVAL as u32));
}

fn order<K: Kernel>(due: u32) {
    DUE.store(due, Relaxed);
    K::tick_after(due.wrapping_sub(K::retired() as u32).into());
}
