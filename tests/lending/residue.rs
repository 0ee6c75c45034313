//! Nothing that others have counted is left in what a program can read.

use std::iter;

use pmu::driver::counters_for;
use pmu::{Event, Request};

use super::families::{Family, Subject};
use super::{INSTRUCTIONS, thread_in};

/// What has counted before, for as long as this.
type Others<D> = fn(&Subject<D>, u64);

/// What a program sees of every counter when it has counted a hundred instructions, where `others` have counted before.
fn seen<F: Family>(others: Others<F::Driver>, times: u64) -> Vec<Option<u64>> {
    let subject = F::subject();
    others(&subject, times);
    let thread = thread_in(&subject.pmu, subject.request);
    subject.lend().unwrap();
    subject.work();
    assert!(subject.is_open());
    assert_eq!(subject.pmu.thread_counts(&thread).unwrap().raw, [100]);
    subject.pmu.description().counters().map(|counter| subject.seen(counter)).collect()
}

pub(super) fn what_sessions_and_threads_have_left_in_any_counter_is_not_seen<F: Family>() {
    let all: [(&str, Others<F::Driver>); 3] = [
        ("sessions on every counter", |subject, times| {
            let open = |event| iter::from_fn(move || subject.pmu.open([event]).ok());
            let mut sessions: Vec<_> = open(Event::INSTRUCTIONS).chain(open(Event::CYCLES)).collect();
            sessions.iter_mut().for_each(|session| session.start().unwrap());
            (0..times).for_each(|_| subject.work());
        }),
        ("a thread on its counter", |subject, times| a_thread_counts(subject, subject.request, times)),
        ("a thread on another one", |subject, times| {
            a_thread_counts(subject, beside(subject), times);
        }),
    ];
    for (what, others) in all {
        let [little, much] = [1, 123].map(|times| seen::<F>(others, times));
        assert_eq!(little, much, "{what}");
    }
}

/// Instructions on another counter than the subject's.
fn beside<D: pmu::driver::Driver>(subject: &Subject<D>) -> Request {
    let others = counters_for(subject.pmu.driver(), &INSTRUCTIONS).without(subject.request.counters);
    INSTRUCTIONS.pinned_to(others.lowest().expect("several count instructions"))
}

pub(super) fn a_thread_whose_counter_was_cleared_for_a_program_has_its_own_count<F: Family>() {
    let subject = F::subject();
    let mut other = thread_in(&subject.pmu, beside(&subject));
    subject.work();
    subject.pmu.switch_out(&mut other);
    let mut lent = thread_in(&subject.pmu, subject.request);
    subject.lend().unwrap();
    subject.work();
    subject.pmu.take_back().unwrap();
    subject.pmu.switch(&mut lent, &mut other);
    subject.work();
    subject.pmu.switch_out(&mut other);
    assert_eq!((other.counts().unwrap().raw, lent.counts().unwrap().raw), ([200], [100]));
}

fn a_thread_counts<D: pmu::driver::Driver>(subject: &Subject<D>, request: Request, times: u64) {
    let mut thread = thread_in(&subject.pmu, request);
    assert!(!thread.is_waiting());
    (0..times).for_each(|_| subject.work());
    subject.pmu.switch_out(&mut thread);
}
