//! A request that takes two counters, merged or chained, and overflows of it and of its lower half at every access.

use pmu::driver::counters_for;
use pmu::virt::Device as _;
use pmu::{Context, Error, Handled, Request, Session};

use crate::races::{ACCESSES, accounted, could_be_counted};
use crate::scheduled::{count, run, thread};
use crate::{Bench, INSTRUCTIONS, Subject};

/// The events that the lower half counts before it wraps, and a period amid which it does.
fn lengths<S: Subject>() -> (u64, u64) {
    let (_, half) = S::facts().pair.expect("the processor has pairs");
    (half, half + half / 2)
}

fn request<S: Subject>() -> Request {
    let (event, _) = S::facts().pair.expect("the processor has pairs");
    Request::new(event).every(lengths::<S>().1)
}

fn bench<S: Subject>() -> Bench<S> {
    let bench = Bench::new();
    bench.machine.feeds.set(true);
    bench
}

/// Numbers of events before the lower half wraps amid an operation, or the pair: how many are left, and until which.
fn leads<S: Subject>() -> impl Iterator<Item = (u64, u64)> {
    let (half, period) = lengths::<S>();
    let leads: Vec<_> = S::facts().some(0..ACCESSES).collect();
    [half / 2, period].into_iter().flat_map(move |until| leads.clone().into_iter().map(move |lead| (until, lead)))
}

fn open<S: Subject>(bench: &Bench<S>) -> Session<'static, S::Driver, 1> {
    let session = bench.pmu.open([request::<S>()]).unwrap();
    let in_use = bench.pmu.release();
    assert!(matches!(in_use, Err(Error::InUse(counters)) if counters.len() == 2), "it is a pair: {in_use:?}");
    session
}

pub(crate) fn a_lower_half_that_wraps_at_any_access_carries<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = bench::<S>();
        let mut session = open(&bench);
        session.start().unwrap();
        bench.machine.work(lengths::<S>().0 / 2 - lead);
        bench.machine.per_access.set(1);
        let before = bench.machine.passed.get();
        let [read] = session.read().unwrap();
        assert!((before..=bench.machine.passed.get()).contains(&read), "lead {lead}: {read}");
        session.stop().unwrap();
        session.start().unwrap();
        session.stop().unwrap();
        let [count] = session.read().unwrap();
        assert!(could_be_counted(&bench).contains(&count), "lead {lead}: {count}");
        assert_eq!(bench.handled(), [], "lead {lead}: a lower half interrupts nobody");
    }
}

pub(crate) fn an_overflow_of_a_pair_at_any_access_of_a_start_or_stop_is_counted_and_kept<S: Subject>() {
    let (_, period) = lengths::<S>();
    for lead in S::facts().some(0..ACCESSES) {
        let bench = bench::<S>();
        let mut session = open(&bench);
        bench.machine.per_access.set(1);
        session.start().unwrap();
        bench.machine.work(period - lead);
        session.stop().unwrap();
        session.start().unwrap();
        bench.machine.work(period);
        session.stop().unwrap();
        let [count] = session.read().unwrap();
        assert!(could_be_counted(&bench).contains(&count), "lead {lead}: {count}");
        assert_eq!(accounted(&bench), count / period, "lead {lead}");
        assert!(!bench.handled().contains(&Handled::NotMine), "lead {lead}");
    }
}

pub(crate) fn a_pairs_periods_follow_each_other_without_a_gap<S: Subject>() {
    let (_, period) = lengths::<S>();
    let bench = bench::<S>();
    let mut session = open(&bench);
    session.start().unwrap();
    let start = bench.machine.passed.get();
    bench.machine.work(5 * period + 3);
    let expected: Vec<_> = (1..=5).map(|n| n * period).collect();
    assert_eq!((bench.positions(start), session.read()), (expected, Ok([5 * period + 3])));
}

pub(crate) fn a_late_interrupt_of_a_pair_at_any_access_of_its_stop_is_claimed<S: Subject>() {
    let (_, period) = lengths::<S>();
    for delay in S::facts().some(0..ACCESSES) {
        let bench = bench::<S>();
        let mut session = open(&bench);
        session.start().unwrap();
        bench.machine.wire.held.set(true);
        bench.machine.work(period + 80);
        bench.machine.release_after(delay);
        session.stop().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        assert!(bench.handled().iter().all(|handled| handled.is_mine()), "delay {delay}");
        assert_eq!((session.read(), accounted(&bench)), (Ok([period + 80]), 1), "delay {delay}");
    }
}

/// Halves of two values beside each other may look as if the pair had overflowed.
pub(crate) fn somebody_elses_interrupt_at_any_access_finds_no_overflow_in_a_pair<S: Subject>() {
    let (half, period) = lengths::<S>();
    for accesses in S::facts().some(0..ACCESSES) {
        let bench = bench::<S>();
        let mut session = open(&bench);
        session.start().unwrap();
        bench.machine.work(period + half / 2 + 5);
        session.stop().unwrap();
        assert_eq!(bench.handled(), [Handled::Overflow]);
        bench.machine.interrupt_after(accesses);
        session.reset().unwrap();
        session.start().unwrap();
        bench.machine.work(half);
        session.stop().unwrap();
        drop(session);
        let mut other = open(&bench);
        other.start().unwrap();
        other.stop().unwrap();
        assert_eq!((other.read(), accounted(&bench)), (Ok([0]), 1), "access {accesses}");
        assert!(!bench.handled().contains(&Handled::Overflow), "access {accesses}");
    }
}

pub(crate) fn a_threads_pair_goes_on_where_it_left_whatever_comes_amid_a_switch<S: Subject>() {
    let (_, period) = lengths::<S>();
    for (until, lead) in leads::<S>() {
        let bench = bench::<S>();
        let [mut first, mut second]: [Context<S::Driver, 1>; 2] = [(); 2].map(|()| thread(&bench, [request::<S>()]));
        bench.pmu.switch_in(&mut first);
        bench.machine.work(until - lead);
        bench.machine.per_access.set(1);
        bench.pmu.switch(&mut first, &mut second);
        bench.pmu.switch(&mut second, &mut first);
        bench.machine.per_access.set(0);
        bench.machine.work(period);
        bench.pmu.switch_out(&mut first);
        let all = count(&first) + count(&second);
        assert!(could_be_counted(&bench).contains(&all), "{lead} before {until}: {all}");
        assert_eq!(accounted(&bench), count(&first) / period, "{lead} before {until}");
        assert!(!bench.handled().contains(&Handled::NotMine), "{lead} before {until}");
    }
}

/// A pair writes both of its counters.
pub(crate) fn a_thread_goes_on_after_a_pair_had_its_counter<S: Subject>() {
    let bench = bench::<S>();
    let pair = open(&bench);
    let Err(Error::InUse(counters)) = bench.pmu.release() else { panic!("a pair is open") };
    drop(pair);
    for counter in counters_for(bench.pmu.driver(), &INSTRUCTIONS).and(counters) {
        let mut single = thread(&bench, [INSTRUCTIONS.pinned_to(counter)]);
        run(&bench, &mut single, 100);
        let mut session = open(&bench);
        session.start().unwrap();
        bench.machine.work(lengths::<S>().0 + 5);
        drop(session);
        run(&bench, &mut single, 10);
        run(&bench, &mut thread(&bench, [request::<S>()]), lengths::<S>().0 + 7);
        run(&bench, &mut single, 1);
        assert_eq!(count(&single), 111, "counter {counter}");
    }
}

/// The unit has lost its registers meanwhile.
pub(crate) fn a_pair_goes_on_after_a_sleep_whatever_comes_amid_it<S: Subject>() {
    let (_, period) = lengths::<S>();
    let fresh = S::machine().device.snapshot();
    for (until, lead) in leads::<S>() {
        let bench = bench::<S>();
        let mut session = open(&bench);
        session.start().unwrap();
        bench.machine.work(until - lead);
        bench.machine.per_access.set(1);
        bench.pmu.suspend().unwrap();
        bench.machine.per_access.set(0);
        let [slept] = session.read().unwrap();
        assert!((until - lead..until - lead + ACCESSES).contains(&slept), "{lead} before {until}: {slept}");
        bench.machine.device.restore(fresh.as_bytes()).unwrap();
        bench.unit.resume().unwrap();
        assert_eq!(session.read(), Ok([slept]), "{lead} before {until}");
        bench.machine.work(period);
        session.stop().unwrap();
        assert_eq!(session.read(), Ok([slept + period]), "{lead} before {until}");
        assert_eq!(accounted(&bench), (slept + period) / period, "{lead} before {until}");
        assert!(!bench.handled().contains(&Handled::NotMine), "{lead} before {until}");
    }
}
