//! A thread for each of four harts moves on to the next one again and again, while the others run: what it has counted is what
//! its counter counted while it was in, by the books of all harts.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::accounts::accounted;
use harness::{Effort, Guest, Kernel};
use pmu::{Context, CounterId};

use super::harts::{self, Driver};
use super::here::Here;
use crate::boot::HARTS;

const COUNTER: CounterId = CounterId::new(3).unwrap();
/// Rounds by the whole effort, and by less.
const ROUNDS: [usize; 2] = [200, 40];

struct Thread {
    context: UnsafeCell<Option<Context<Driver, 1>>>,
    booked: AtomicUsize,
}

// SAFETY: one hart at a time has the context, and they meet before it is another one.
unsafe impl Sync for Thread {}

static THREADS: [Thread; HARTS] =
    [const { Thread { context: UnsafeCell::new(None), booked: AtomicUsize::new(0) } }; HARTS];
/// The periods that all harts have accounted for.
static PERIODS: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let (hart, pmu) = (harts::number(), harts::claim());
    let mut context = Context::new(hart as u32);
    context.bind(&pmu, [Here::request(COUNTER).every(Here::PERIOD)]).expect("the counter is free");
    context.restart().expect("it is bound");
    // SAFETY: no other hart has it before they meet.
    unsafe { *THREADS[hart].context.get() = Some(context) };
    for round in 0..ROUNDS[usize::from(Effort::chosen() != Effort::Whole)] {
        harts::meet();
        let thread = &THREADS[(hart + round) % HARTS];
        // SAFETY: in this round no other hart has it.
        let context = unsafe { &mut *thread.context.get() }.as_mut().expect("it is bound");
        let before = Here::counted(COUNTER);
        pmu.switch_in(context);
        Here::exactly(100 + 1000 * context.thread() as u64 + round as u64);
        pmu.switch_out(context);
        thread.booked.fetch_add((Here::counted(COUNTER) - before) as usize, Relaxed);
    }
    PERIODS.fetch_add(accounted(harts::this_unit()) as usize, Relaxed);
    harts::meet();
    let booked = THREADS.each_ref().map(|thread| thread.booked.load(Relaxed) as u64);
    // SAFETY: no hart changes one any more.
    let counted = THREADS.each_ref().map(|thread| unsafe { &*thread.context.get() }.as_ref().map(Context::counts));
    let counted = counted.map(|counts| counts.expect("it is bound").expect("it is out").raw[0]);
    assert_eq!(counted, booked);
    assert_eq!(PERIODS.load(Relaxed) as u64, booked.iter().map(|booked| booked / Here::PERIOD).sum::<u64>());
}
