//! Each n-th event overflows, and every overflow is recorded for its own request.

use pmu::request::Refusal;
use pmu::samples::Lost;
use pmu::{Context, Error, Handled};

use crate::{Bench, INSTRUCTIONS, SAMPLES, Subject};

pub(crate) fn a_one_shot_period_ends_on_the_nth_event<S: Subject>() {
    let bench = Bench::<S>::new();
    for n in S::facts().some(S::facts().least.max(2)..2000).chain([2001, 4095, 4096, 65_535, 65_536, 250_000]) {
        let mut session = bench.pmu.open([INSTRUCTIONS.once_after(n)]).unwrap();
        session.start().unwrap();
        let start = bench.machine.passed.get();
        bench.machine.work(n - 1);
        assert_eq!((bench.positions(start), session.has_ended(0)), (vec![], false), "period {n}");
        bench.machine.work(n + 10);
        assert_eq!((bench.positions(start), session.has_ended(0)), (vec![n], true), "period {n}");
    }
}

pub(crate) fn a_one_shot_counter_stays_stopped<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
    session.start().unwrap();
    bench.machine.work(5000);
    assert_eq!((session.read(), bench.samples().len()), (Ok([400]), 1));
}

pub(crate) fn a_one_shot_period_ends_once_however_late_its_interrupt<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(S::facts().least)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(S::facts().least * 15);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    assert_eq!((session.read(), session.has_ended(0), bench.samples().len()), (Ok([S::facts().least]), true, 1));
    assert_eq!(bench.unit.samples().unwrap().lost(), Lost::default());
}

pub(crate) fn a_one_shot_that_ends_as_it_is_stopped_has_ended<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(440);
    session.stop().unwrap();
    assert_eq!((session.read(), session.has_ended(0)), (Ok([400]), true));
    session.start().unwrap();
    assert!(!session.has_ended(0), "a new period begins");
}

pub(crate) fn a_one_shot_period_can_be_had_again<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
    session.start().unwrap();
    for round in 1..=4 {
        let start = bench.machine.passed.get();
        bench.machine.work(1400);
        assert_eq!((bench.positions(start), session.read()), (vec![400], Ok([round * 400])));
        session.start().unwrap();
    }
}

/// A period of some more events than any counter of the unit can wait for.
fn beyond<S: Subject>(bench: &Bench<S>) -> u64 {
    let description = bench.pmu.description();
    description.general_width.longest().max(description.fixed_width.longest()).min(1 << 60) + 3
}

pub(crate) fn a_period_longer_than_its_counter_ends_on_its_nth_event<S: Subject>() {
    let bench = Bench::<S>::new();
    let period = beyond(&bench);
    let mut repeats = bench.pmu.open([INSTRUCTIONS.every(period)]).unwrap();
    let mut ends = bench.pmu.open([INSTRUCTIONS.once_after(2 * period)]).unwrap();
    let start = bench.machine.passed.get();
    repeats.start().unwrap();
    ends.start().unwrap();
    bench.machine.work(period - 1);
    assert_eq!(bench.samples().len(), 0);
    repeats.stop().unwrap();
    repeats.start().unwrap();
    bench.machine.work(period + 500);
    assert_eq!(bench.positions(start), [period, 2 * period, 2 * period]);
    assert_eq!((repeats.read(), ends.read()), (Ok([2 * period + 499]), Ok([2 * period])));
    assert_eq!((ends.has_ended(0), bench.unit.samples().unwrap().lost()), (true, Lost::default()));
}

pub(crate) fn a_long_period_goes_on_over_a_sleep_and_with_its_thread<S: Subject>() {
    let bench = Bench::<S>::new();
    let period = beyond(&bench);
    let mut session = bench.pmu.open([INSTRUCTIONS.every(period)]).unwrap();
    session.start().unwrap();
    let start = bench.machine.passed.get();
    bench.machine.work(1000);
    bench.pmu.suspend().unwrap();
    bench.unit.resume().unwrap();
    bench.machine.work(period - 1000);
    assert_eq!(bench.positions(start), [period]);
    drop(session);
    let mut context = Context::<S::Driver, 1>::new(1);
    context.bind(bench.pmu, [INSTRUCTIONS.every(period)]).unwrap();
    let start = bench.machine.passed.get();
    for part in [1000, period - 1001, 1] {
        bench.pmu.switch_in(&mut context);
        bench.machine.work(part);
        bench.pmu.switch_out(&mut context);
    }
    assert_eq!((bench.positions(start), context.counts().unwrap().raw), (vec![period], [period]));
}

/// The shortest period of instructions that the driver accepts.
fn least_period<S: Subject>(bench: &Bench<S>) -> u64 {
    match bench.pmu.open([INSTRUCTIONS.every(1)]) {
        Err(Error::Refused { reason: Refusal::PeriodTooShort { least }, .. }) => least,
        _ => 1,
    }
}

pub(crate) fn periods_follow_each_other_without_a_gap<S: Subject>() {
    let bench = Bench::<S>::new();
    let least = least_period(&bench);
    for period in [256, 257, 384, 385, 1021, 4096].into_iter().filter(|&period| period >= least) {
        let mut session = bench.pmu.open([INSTRUCTIONS.every(period)]).unwrap();
        session.start().unwrap();
        let start = bench.machine.passed.get();
        bench.machine.work(20 * period + 3);
        let expected: Vec<_> = (1..=20).map(|n| n * period).collect();
        assert_eq!((bench.positions(start), session.read()), (expected, Ok([20 * period + 3])));
    }
}

pub(crate) fn counters_that_overflow_together_each_leave_a_sample<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut sessions: Vec<_> =
        (0..S::facts().periods).map(|_| bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap()).collect();
    sessions.iter_mut().for_each(|session| session.start().unwrap());
    bench.machine.work(4000);
    assert_eq!(bench.samples().len(), 10 * S::facts().periods);
    assert!(sessions.iter().all(|session| session.read() == Ok([4000])));
}

pub(crate) fn a_full_ring_loses_samples_and_not_events<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.machine.work(400 * (SAMPLES as u64 + 50));
    let mut reader = bench.unit.samples().unwrap();
    assert_eq!((reader.by_ref().count(), reader.lost().ring_full), (SAMPLES, 50));
    assert_eq!(session.read(), Ok([400 * (SAMPLES as u64 + 50)]));
}

pub(crate) fn an_interrupt_that_comes_late_is_claimed_once<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(600);
    session.stop().unwrap();
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    bench.machine.interrupt();
    let late: &[_] = if S::facts().latches { &[Handled::Late, Handled::NotMine] } else { &[Handled::NotMine] };
    assert_eq!(bench.handled(), late);
    assert_eq!((session.read(), bench.samples()), (Ok([600]), vec![]));
    assert_eq!(bench.unit.samples().unwrap().lost().stopped, 1);
    let spurious = bench.unit.spurious();
    assert_eq!((spurious.late, spurious.foreign), (S::facts().latches.into(), 1));
}

pub(crate) fn a_claim_expects_no_interrupt_of_the_claim_before<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(600);
    drop(session);
    bench.pmu.release().unwrap();
    bench.unit.reclaim().unwrap();
    bench.machine.interrupt();
    assert_eq!(bench.handled(), [Handled::NotMine]);
}

pub(crate) fn an_interrupt_of_somebody_else_is_not_claimed<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    bench.machine.interrupt();
    session.start().unwrap();
    bench.machine.work(200);
    bench.machine.interrupt();
    bench.machine.work(240);
    assert_eq!(bench.handled(), [Handled::NotMine, Handled::NotMine, Handled::Overflow]);
    assert_eq!((session.read(), bench.samples().len()), (Ok([440]), 1));
}

pub(crate) fn periods_that_pass_unserviced_are_counted_as_lost<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    let start = bench.machine.passed.get();
    bench.machine.wire.held.set(true);
    bench.machine.work(1400);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    bench.machine.work(200);
    assert_eq!((bench.positions(start), session.read()), (vec![1400, 1600], Ok([1600])));
    assert_eq!(bench.unit.samples().unwrap().lost().outrun, 2);
}

/// A handler behind an entry that takes so many instructions of the kernel, and as many on the way out.
fn slow_entry<S: Subject>(bench: &Bench<S>, instructions: u64) {
    let (machine, unit) = (bench.machine, bench.unit);
    machine.on_interrupt(move |at| {
        machine.work(instructions);
        _ = unit.on_overflow(at);
        machine.work(instructions);
    });
}

/// Such a kernel once got on by no instruction, or by seven from one interrupt to the next.
pub(crate) fn a_kernel_gets_on_whatever_its_entry_takes_of_the_period<S: Subject>() {
    const ENTRY: u64 = 5_000;
    const WORK: u64 = 400_000;
    let least = least_period(&Bench::<S>::new());
    for period in [1, 2, 7, 128, 400, 2_203, 5_000, 10_007, 100_000].into_iter().filter(|&period| period >= least) {
        let bench = Bench::<S>::new();
        slow_entry(&bench, ENTRY);
        let mut session = bench.pmu.open([INSTRUCTIONS.every(period)]).unwrap();
        let start = bench.machine.passed.get();
        session.start().unwrap();
        bench.machine.work(WORK);
        session.stop().unwrap();
        let counted = bench.machine.passed.get() - start;
        assert_eq!(session.read(), Ok([counted]), "period {period}");
        let statistics = bench.unit.sample_statistics();
        let sum = statistics.received + statistics.lost.total();
        // A counter may be too narrow for the period: then it overflows late.
        assert!(
            (counted / period).abs_diff(sum) <= u64::from(S::facts().least > period),
            "period {period}: {statistics}"
        );
        assert!(bench.machine.taken.get() < 8 * 17 + WORK / ENTRY, "period {period}: {}", bench.machine.taken.get());
        assert_eq!(statistics.lost.throttled == 0, period == 100_000, "period {period}: {statistics}");
    }
}

pub(crate) fn a_start_begins_with_the_period_that_was_asked_for<S: Subject>() {
    let bench = Bench::<S>::new();
    let (machine, unit) = (bench.machine, bench.unit);
    slow_entry(&bench, 300);
    let mut session = bench.pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
    session.start().unwrap();
    bench.machine.work(50_000);
    session.stop().unwrap();
    let [counted] = session.read().unwrap();
    let statistics = bench.unit.sample_statistics();
    assert_eq!(statistics.received + statistics.lost.total(), counted / 1000, "{statistics}");
    assert!(statistics.lost.throttled > 0, "{statistics}");
    machine.on_interrupt(move |at| _ = unit.on_overflow(at));
    bench.samples();
    session.start().unwrap();
    let start = bench.machine.passed.get();
    bench.machine.work(5000);
    let first = (1000 - counted % 1000).max(S::facts().least);
    assert_eq!(bench.positions(start)[..3], [first, 2000 - counted % 1000, 3000 - counted % 1000]);
    bench.machine.work(50_000);
    assert_eq!(bench.unit.sample_statistics().lost.throttled, statistics.lost.throttled);
}

/// Whatever was in between: nobody, so that its counters only run, or another thread.
pub(crate) fn each_turn_of_a_thread_begins_with_the_period_that_was_asked_for<S: Subject>() {
    let bench = Bench::<S>::new();
    slow_entry(&bench, 300);
    let mut context = Context::<S::Driver, 1>::new(1);
    context.bind(bench.pmu, [INSTRUCTIONS.every(1000)]).unwrap();
    let mut other = Context::<S::Driver, 1>::new(2);
    other.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    for (turn, slice) in [30_000, 7, 450, 90_000, 13, 999, 40_000, 1].into_iter().enumerate() {
        bench.pmu.switch_in(&mut context);
        bench.machine.work(slice);
        bench.pmu.switch_out(&mut context);
        if turn % 3 == 2 {
            bench.pmu.switch_in(&mut other);
            bench.machine.work(100);
            bench.pmu.switch_out(&mut other);
        }
        let statistics = bench.unit.sample_statistics();
        let sum = statistics.received + statistics.lost.total();
        assert_eq!(sum, context.counts().unwrap().raw[0] / 1000, "turn {turn}: {statistics}");
    }
    assert!(bench.unit.sample_statistics().lost.throttled > 0);
}

/// Whole periods are the edge: where a late interrupt finds that another has just ended, the next is a whole one. Where
/// fewer events are left than the unit can wait for, the period ends late and no event is lost.
pub(crate) fn a_period_that_ends_as_its_late_interrupt_comes_has_ended<S: Subject>() {
    for passed in (1..=3).flat_map(|periods| [periods * 400 - 1, periods * 400, periods * 400 + 1]) {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
        session.start().unwrap();
        let start = bench.machine.passed.get();
        bench.machine.wire.held.set(true);
        bench.machine.work(400 + passed);
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        let left = (400 - passed % 400).max(S::facts().least);
        bench.machine.work(left);
        let next = 400 + passed + left;
        assert_eq!((bench.positions(start), session.read()), (vec![400 + passed, next], Ok([next])), "{passed} passed");
        assert_eq!(bench.unit.samples().unwrap().lost().outrun, passed / 400, "{passed} passed");
    }
}

/// Otherwise there would be fewer samples than periods in the count.
pub(crate) fn a_period_that_the_unit_lengthens_shortens_the_next_one<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    let start = bench.machine.passed.get();
    bench.machine.wire.held.set(true);
    bench.machine.work(799);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    bench.machine.work(801);
    assert_eq!(bench.positions(start), [799, 799 + S::facts().least, 1200, 1600]);
}

pub(crate) fn a_count_that_only_counts_leaves_no_sample<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(3 * bench.span());
    assert_eq!(bench.samples(), []);
    assert_eq!(bench.unit.samples().unwrap().lost().total(), 0);
}

pub(crate) fn samples_name_their_session_and_its_request<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut first = bench.pmu.open([INSTRUCTIONS, INSTRUCTIONS.every(400)]).unwrap();
    first.start().unwrap();
    bench.machine.work(500);
    drop(first);
    let mut second = bench.pmu.open([INSTRUCTIONS, INSTRUCTIONS.every(600)]).unwrap();
    second.start().unwrap();
    bench.machine.work(700);
    let requests: Vec<_> = bench.samples().iter().map(|sample| second.request_of(sample)).collect();
    assert_eq!(requests, [None, Some(1)]);
}
