//! A thread's counts are its own, on any CPU and whichever threads run in between.

use pmu::request::Refusal;
use pmu::{Context, Error, Event, Handled, Modes, Threads};

use crate::races::ACCESSES;
use crate::scheduled::{count, numbered, run, thread};
use crate::{Bench, HERE, INSTRUCTIONS, Subject};

pub(crate) fn a_threads_counts_are_its_own<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut threads = [1, 2, 3].map(|number| numbered(number, &bench, [INSTRUCTIONS]));
    let mut ran = [0; 3];
    for slice in 0..300_u64 {
        let who = (slice * 7 % 3) as usize;
        run(&bench, &mut threads[who], slice);
        ran[who] += slice;
        bench.machine.work(17);
    }
    assert_eq!(threads.each_ref().map(count), ran);
}

pub(crate) fn a_thread_counts_beside_a_session<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    let mut thread = thread(&bench, [INSTRUCTIONS]);
    for _ in 0..5 {
        run(&bench, &mut thread, 100);
        bench.machine.work(10);
    }
    assert_eq!((count(&thread), session.read()), (500, Ok([550])));
}

pub(crate) fn a_thread_that_leaves_room_takes_no_sessions_counter_with_it<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    let mut roomy = Context::<S::Driver, 4>::new(1);
    roomy.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    for _ in 0..2 {
        bench.pmu.switch_in(&mut roomy);
        bench.machine.work(100);
        bench.pmu.switch_out(&mut roomy);
        bench.machine.work(10);
    }
    assert_eq!((roomy.counts().unwrap().raw[0], session.read()), (200, Ok([220])));
}

pub(crate) fn a_threads_counts_survive_any_number_of_wraps<S: Subject>() {
    let bench = Bench::<S>::new();
    let modulus = bench.span();
    let mut thread = thread(&bench, [INSTRUCTIONS]);
    let mut ran = 0;
    for slice in [modulus / 2, modulus / 2 + 1, 1, modulus, modulus + 5, 3] {
        run(&bench, &mut thread, slice);
        ran += slice;
        assert_eq!(count(&thread), ran);
    }
}

pub(crate) fn a_period_goes_on_where_the_thread_left_it<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = numbered(9, &bench, [INSTRUCTIONS.every(1000)]);
    for _ in 0..50 {
        run(&bench, &mut context, 299);
        bench.machine.work(5000);
    }
    assert_eq!((bench.samples().len(), count(&context)), (14, 50 * 299));
}

pub(crate) fn samples_name_their_thread_and_its_request<S: Subject>() {
    let bench = Bench::<S>::new();
    let unit = bench.unit;
    bench.machine.on_interrupt(move |at| {
        let _ = unit.on_overflow(at.in_thread(9));
    });
    let mut context = numbered(9, &bench, [INSTRUCTIONS.every(1000)]);
    let other = numbered(8, &bench, [INSTRUCTIONS.every(1000)]);
    run(&bench, &mut context, 2500);
    let samples = bench.samples();
    assert_eq!(samples.len(), 2);
    assert!(samples.iter().all(|sample| context.request_of(sample) == Some(0) && other.request_of(sample).is_none()));
}

/// Numbers of stays begin at the clock, and none is nobody's.
pub(crate) fn a_thread_is_somebody_whatever_the_clock_was_at_the_claim<S: Subject>() {
    let machine = S::machine();
    machine.passed.set(u32::MAX.into());
    let unit = pmu::Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(S::driver(machine)).unwrap();
    let [mut first, mut second] = [1, 2].map(Context::<S::Driver, 1>::new);
    for context in [&mut first, &mut second] {
        context.bind(&pmu, [INSTRUCTIONS]).unwrap();
        pmu.switch_in(context);
    }
    assert_eq!((first.is_waiting(), second.is_waiting()), (false, true), "one at a time");
}

pub(crate) fn a_thread_that_notifies_counts_no_further_until_it_is_restarted<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.once_after(100)]);
    run(&bench, &mut context, 60);
    assert!(!context.is_frozen());
    run(&bench, &mut context, 60);
    assert!(context.is_frozen());
    assert_eq!((count(&context), bench.samples().len()), (100, 1));
    run(&bench, &mut context, 1000);
    assert_eq!(count(&context), 100);
    assert_eq!(context.enable(), Err(Error::Stopped), "only a restart or a resume lets it go on");
    context.restart().unwrap();
    run(&bench, &mut context, 99);
    assert_eq!((count(&context), context.is_frozen()), (99, false));
    run(&bench, &mut context, 1);
    assert!(context.is_frozen());
    context.resume().unwrap();
    run(&bench, &mut context, 50);
    assert_eq!((count(&context), context.is_frozen()), (150, false));
}

pub(crate) fn a_notification_freezes_all_requests_of_its_thread<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = Context::<S::Driver, 2>::new(1);
    context.bind(bench.pmu, [INSTRUCTIONS.once_after(100), INSTRUCTIONS]).unwrap();
    bench.pmu.switch_in(&mut context);
    bench.machine.work(5000);
    bench.pmu.switch_out(&mut context);
    let counts = context.counts().unwrap();
    assert!(context.is_frozen());
    assert_eq!(counts.raw, [100, 100]);
}

/// The others keep the events that they count between the notification and the end of a start that it interrupts.
pub(crate) fn a_notification_at_any_access_of_a_start_keeps_all_counts<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut other = bench.pmu.open([INSTRUCTIONS]).unwrap();
        let mut context = Context::<S::Driver, 2>::new(1);
        context.bind(bench.pmu, [INSTRUCTIONS.once_after(400), INSTRUCTIONS]).unwrap();
        bench.pmu.switch_in(&mut context);
        bench.machine.work(400 - lead);
        bench.machine.per_access.set(1);
        other.start().unwrap();
        bench.machine.per_access.set(0);
        bench.machine.work(5000);
        bench.pmu.switch_out(&mut context);
        let [shot, beside] = context.counts().unwrap().raw;
        assert!(shot == 400 && (400..400 + ACCESSES).contains(&beside), "lead {lead}: {shot} and {beside}");
    }
}

pub(crate) fn a_created_thread_is_notified_before_it_counts<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut parent = thread(&bench, [INSTRUCTIONS.once_after(1000)]);
    for _ in 0..2 {
        let mut child = parent.inherit(2);
        assert_eq!((child.enable(), child.disable()), (Err(Error::Stopped), Err(Error::Stopped)));
        assert_eq!((child.thread(), count(&child), child.is_frozen()), (2, u64::MAX, true));
        for is_first in [true, false] {
            assert_eq!(bench.pmu.switch_in(&mut child), is_first);
            bench.machine.work(5000);
            bench.pmu.switch_out(&mut child);
            assert_eq!((count(&child), child.is_frozen(), bench.samples().len()), (u64::MAX, true, 0));
        }
        child.restart().unwrap();
        assert!(!bench.pmu.switch_in(&mut child), "it goes on");
        bench.machine.work(999);
        bench.pmu.switch_out(&mut child);
        assert_eq!((child.is_frozen(), count(&child), count(&parent)), (false, 999, 0));
        let _ = parent.disable(); // the next one is created by a thread that does not count
    }
}

pub(crate) fn a_disabled_thread_counts_nothing_and_loses_nothing<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    bench.pmu.switch_in(&mut context);
    assert_eq!(context.disable(), Err(Error::ThreadIn));
    bench.machine.work(10);
    bench.pmu.switch_out(&mut context);
    context.disable().unwrap();
    assert_eq!(context.disable(), Err(Error::Stopped));
    run(&bench, &mut context, 10);
    context.enable().unwrap();
    assert_eq!(context.enable(), Err(Error::Running));
    run(&bench, &mut context, 10);
    assert_eq!(count(&context), 20);
}

pub(crate) fn a_thread_is_read_while_it_runs<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.every(1000)]);
    run(&bench, &mut context, 500);
    bench.pmu.switch_in(&mut context);
    bench.machine.work(777);
    assert_eq!(bench.pmu.thread_counts(&context).unwrap().raw, [1277]);
    assert_eq!(context.counts(), Err(Error::ThreadIn));
    HERE.set(1);
    assert!(matches!(bench.pmu.thread_counts(&context), Err(Error::WrongCpu { .. })));
    bench.pmu.switch_out(&mut context);
    assert_eq!(context.counts(), Err(Error::ThreadIn));
    HERE.set(0);
    bench.pmu.switch_out(&mut context);
    assert_eq!(bench.pmu.thread_counts(&context).unwrap().raw, [1277]);
}

pub(crate) fn a_thread_keeps_its_counts_on_another_cpu<S: Subject>() {
    let first = Bench::<S>::new();
    let mut context = thread(&first, [INSTRUCTIONS.every(1000)]);
    run(&first, &mut context, 700);
    HERE.set(1);
    let machine = S::machine();
    let unit: &'static pmu::Unit<S::Driver, 16> = Box::leak(Box::new(pmu::Unit::new()));
    let second = unit.claim(S::driver(machine)).unwrap();
    machine.on_interrupt(|at| assert_eq!(unit.on_overflow(at), Handled::Overflow));
    second.switch_in(&mut context);
    machine.work(400);
    second.switch_out(&mut context);
    assert_eq!(count(&context), 1100);
    assert_eq!(unit.samples().unwrap().map(|sample| sample.address).collect::<Vec<_>>(), [300]);
}

pub(crate) fn modes_can_be_changed_and_counts_stay<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    run(&bench, &mut context, 40);
    match context.set_modes(bench.pmu, Modes::USER) {
        Ok(()) => run(&bench, &mut context, 40), // the kernel's
        Err(error) => assert!(matches!(error, Error::Refused { .. }), "{error}"),
    }
    assert_eq!(count(&context), 40);
}

pub(crate) fn a_thread_waits_while_its_counters_are_taken<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    let mut others: Vec<_> = (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS]).unwrap()).collect();
    run(&bench, &mut context, 100);
    let waited = context.counts().unwrap();
    assert_eq!((waited.raw, waited.running), ([0], 0));
    assert!(waited.enabled >= 100);
    others.clear();
    run(&bench, &mut context, 100);
    let counted = context.counts().unwrap();
    assert_eq!(counted.raw, [100]);
    assert!(counted.running >= 100 && counted.enabled >= counted.running + 100);
}

pub(crate) fn a_thread_yields_to_a_session_if_that_was_chosen<S: Subject>() {
    let bench = Bench::<S>::for_threads(Threads::Yield);
    let [mut context, mut other] = [1, 2].map(|number| numbered(number, &bench, [INSTRUCTIONS]));
    run(&bench, &mut context, 100);
    bench.pmu.switch_in(&mut context);
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    assert_eq!(bench.pmu.thread_counts(&context), Err(Error::Invalidated));
    session.start().unwrap();
    bench.machine.work(50);
    bench.pmu.switch_out(&mut context);
    assert_eq!((context.counts(), session.read()), (Err(Error::Invalidated), Ok([50])));
    let refused = context.bind(bench.pmu, [INSTRUCTIONS]);
    assert!(matches!(refused, Err(Error::InUse(_))), "the session is still open: {refused:?}");
    run(&bench, &mut context, 10);
    run(&bench, &mut other, 10);
    assert_eq!([context.counts(), other.counts()], [Err(Error::Invalidated); 2], "the session is still open");
    drop(session);
    context.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    run(&bench, &mut context, 10);
    assert_eq!(count(&context), 10);
}

pub(crate) fn a_thread_does_not_yield_to_a_session_that_was_dropped_elsewhere<S: Subject>() {
    let bench = Bench::<S>::for_threads(Threads::Yield);
    let mut context = thread(&bench, [INSTRUCTIONS]);
    let session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    HERE.set(1);
    drop(session);
    HERE.set(0);
    run(&bench, &mut context, 100);
    assert_eq!(count(&context), 100);
}

pub(crate) fn one_thread_is_in_at_a_time_and_others_wait<S: Subject>() {
    let bench = Bench::<S>::new();
    let [mut first, mut second] = [1, 2].map(|number| numbered(number, &bench, [INSTRUCTIONS]));
    bench.pmu.switch_in(&mut first);
    bench.pmu.switch_in(&mut second);
    bench.pmu.switch_in(&mut first);
    bench.machine.work(30);
    assert_eq!(bench.pmu.thread_counts(&second).unwrap().running, 0);
    bench.pmu.switch_out(&mut first);
    bench.pmu.switch_out(&mut second);
    assert_eq!((count(&first), count(&second)), (30, 0));
    let waited = second.counts().unwrap();
    assert!(waited.enabled > 0 && waited.running == 0, "{waited:?}");
}

pub(crate) fn a_context_is_bound_once_and_read_when_it_is_bound<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = Context::<S::Driver, 1>::new(1);
    assert_eq!(context.counts(), Err(Error::NotBound));
    run(&bench, &mut context, 10);
    context.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    assert_eq!(context.bind(bench.pmu, [INSTRUCTIONS]), Err(Error::AlreadyBound));
    let before = context.generation();
    run(&bench, &mut context, 10);
    assert!(context.generation() != before);
    context.unbind().unwrap();
    assert_eq!(context.counts(), Err(Error::NotBound));
}

pub(crate) fn a_context_that_was_dropped_is_evicted<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut gone = thread(&bench, [INSTRUCTIONS]);
    bench.pmu.switch_in(&mut gone);
    let _ = gone;
    assert!(matches!(bench.pmu.release(), Err(Error::InUse(_))));
    bench.pmu.evict().unwrap();
    let mut next = numbered(2, &bench, [INSTRUCTIONS]);
    run(&bench, &mut next, 5);
    assert_eq!((count(&next), bench.pmu.release()), (5, Ok(())));
}

pub(crate) fn an_evicted_context_is_told_so_where_it_looks_for_counters<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    bench.pmu.switch_in(&mut context);
    assert_eq!(bench.pmu.place(&mut context), Ok(()));
    bench.pmu.evict().unwrap();
    assert_eq!(bench.pmu.place(&mut context), Err(Error::Invalidated));
}

pub(crate) fn another_period_begins_at_the_next_restart<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.every(1000)]);
    run(&bench, &mut context, 10);
    context.set_period(bench.pmu, 0, 400).unwrap();
    assert!(matches!(context.set_period(bench.pmu, 0, 0), Err(Error::Refused { .. })));
    context.restart().unwrap();
    run(&bench, &mut context, 799);
    assert_eq!((bench.samples().len(), count(&context)), (1, 799));
}

pub(crate) fn a_request_that_only_counts_is_given_no_period<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    let refused = Error::Refused { request: 0, event: Event::INSTRUCTIONS, name: None, reason: Refusal::NoPeriod };
    assert_eq!(context.set_period(bench.pmu, 0, 400), Err(refused));
    context.restart().unwrap();
    run(&bench, &mut context, 1000);
    assert_eq!((bench.samples().len(), count(&context)), (0, 1000));
}

/// Units that halt while they are programmed count fewer events than there were. None counts more, and every
/// period that was counted leaves a sample or is counted as lost.
pub(crate) fn an_overflow_at_any_access_of_a_switch_is_counted_and_kept<S: Subject>() {
    /// All turns together are longer than any of the periods, which begin each overflow at another access.
    const TURNS: u64 = 25;
    for period in S::facts().some(400..500) {
        let bench = Bench::<S>::new();
        bench.machine.per_access.set(1);
        let mut session = bench.pmu.open([INSTRUCTIONS.every(period)]).unwrap();
        let mut context = thread(&bench, [INSTRUCTIONS]);
        session.start().unwrap();
        let passed = bench.machine.passed.get();
        for _ in 0..TURNS {
            run(&bench, &mut context, 23);
        }
        session.stop().unwrap();
        let counted = session.read().unwrap()[0];
        let inside = bench.machine.passed.get() - passed;
        let samples = bench.unit.samples().unwrap();
        let periods = samples.received() + samples.lost().total();
        assert!((TURNS * 23..=inside).contains(&counted), "period {period}: {counted} of {inside}");
        assert_eq!(counted / period, periods, "period {period}: {counted} counted");
        assert!((TURNS * 23..=counted).contains(&count(&context)), "period {period}");
    }
}
