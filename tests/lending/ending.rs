//! What was lent ends where the right to it ends.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::virt::{Device as _, Fault};
use pmu::{Error, Mode, Pmu, Threads, Unit};

use super::families::{Family, Subject};
use super::{INSTRUCTIONS, IS_CLOSED, Kinds, USER, Unconnected, leaked, thread_in};

pub(super) fn lending_ends_where_a_session_is_opened_that_the_program_would_see<F: Family>() {
    let subject = F::subject();
    let (pmu, each) = (subject.pmu, subject.lends_each());
    let thread = thread_in(&pmu, subject.request);
    subject.lend().unwrap();
    subject.work();
    assert!(pmu.open([subject.request]).is_err() && subject.is_open(), "none was opened");
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    assert_eq!(subject.is_open(), each, "a session is open");
    assert_eq!(subject.lend().is_ok(), each, "it is in the way");
    session.start().unwrap();
    subject.work();
    assert_eq!(session.read(), Ok([100]));
    drop(session);
    assert!(subject.lend().is_ok() && subject.is_open(), "it is gone");
    assert_eq!(pmu.thread_counts(&thread).unwrap().raw, [200]);
    pmu.take_back().unwrap();
    assert!(!subject.is_open(), "it is taken back");
}

/// What ends the lending of a thread's counters.
type End<D> = fn(&Pmu<'_, D>, &Unit<D, 0>);

pub(super) fn lending_ends_where_the_threads_counters_are_taken_from_it<F: Family>() {
    let subject = F::subject_for(Threads::Yield);
    let ends: [(&str, End<F::Driver>); 4] = [
        ("its thread is evicted", |pmu, _| pmu.evict().unwrap()),
        ("its thread yields to a session", |pmu, _| drop(pmu.open([INSTRUCTIONS]).unwrap())),
        ("the unit is given up", |pmu, unit| {
            pmu.revoke().unwrap();
            assert!(unit.reclaim().is_ok());
        }),
        ("the unit sleeps", |pmu, unit| {
            pmu.evict().unwrap();
            pmu.suspend().unwrap();
            assert!(unit.resume().is_ok());
        }),
    ];
    for (what, end) in ends {
        let mut thread = thread_in(&subject.pmu, subject.request);
        subject.lend().unwrap();
        subject.work();
        assert!(subject.is_open(), "{what}");
        end(&subject.pmu, subject.unit);
        assert!(!subject.is_open(), "{what}");
        subject.pmu.switch_out(&mut thread);
        assert_eq!(thread.counts().err(), Some(Error::Invalidated), "{what}");
    }
}

pub(super) fn lending_ends_with_a_sleep_and_a_release<F: Family>() {
    let subject = F::subject();
    let Subject { unit, pmu, request, .. } = subject;
    let ends: [fn(&Pmu<'_, F::Driver>); 2] = [|pmu| pmu.suspend().unwrap(), |pmu| pmu.release().unwrap()];
    for end in ends {
        let mut thread = thread_in(&pmu, request);
        subject.lend().unwrap();
        subject.work();
        assert!(subject.is_open());
        pmu.switch_out(&mut thread);
        end(&pmu);
        assert!(IS_CLOSED.get(), "the kernel is told, and the registers are as they were before the claim");
        assert!(unit.resume().or_else(|_| unit.reclaim()).is_ok());
        let mut session = pmu.open([request]).unwrap();
        session.start().unwrap();
        subject.work();
        assert!(!subject.is_open(), "what runs is a session's");
        assert_eq!(session.read(), Ok([100]));
    }
}

pub(super) fn a_session_is_shown_until_another_one_is_opened<F: Family>() {
    let Subject { pmu, request, .. } = F::subject();
    let shown = pmu.open([request]).unwrap();
    pmu.show_only(&shown).unwrap();
    IS_CLOSED.set(false);
    pmu.evict().unwrap();
    assert!(!IS_CLOSED.get(), "nobody was in");
    let _beside = pmu.open([INSTRUCTIONS]).unwrap();
    assert!(IS_CLOSED.get());
}

pub(super) fn a_session_is_shown_until_a_thread_gets_counters_beside_it<F: Family>() {
    let Subject { pmu, request, .. } = F::subject();
    let shown = pmu.open([request]).unwrap();
    pmu.show_only(&shown).unwrap();
    IS_CLOSED.set(false);
    let mut waiting = thread_in(&pmu, request);
    pmu.switch_out(&mut waiting);
    assert!(!IS_CLOSED.get(), "the shown session has its counter");
    let mut thread = thread_in(&pmu, INSTRUCTIONS);
    assert!(IS_CLOSED.get(), "it would be seen");
    IS_CLOSED.set(false);
    pmu.switch_out(&mut thread);
    pmu.show_only(&shown).unwrap();
    drop(shown);
    pmu.switch_in(&mut thread);
    assert!(IS_CLOSED.get(), "it would be seen after the session too");
}

/// A program that another one is scheduled after without [`Pmu::take_back`] sees nothing of it.
pub(super) fn lending_ends_where_another_thread_gets_the_counters<F: Family>() {
    let subject = F::subject();
    let Subject { pmu, request, .. } = subject;
    let mut thread = thread_in(&pmu, request);
    subject.lend().unwrap();
    pmu.switch_out(&mut thread);
    pmu.switch_in(&mut thread);
    subject.work();
    assert!(subject.is_open(), "it is the same thread");
    pmu.switch_out(&mut thread);
    let _next = thread_in(&pmu, request);
    subject.work();
    assert!(!subject.is_open(), "it is another one");
}

/// %pic is a program's to write while it is lent.
#[test]
fn a_session_that_was_opened_beside_a_program_on_sparc_is_out_of_its_reach() {
    let identity = ultrasparc::Identity::III;
    let (device, registers) = leaked(ultrasparc::Device::new(&identity, Kinds::CLOCK, Unconnected));
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(UltraSparc::detect(identity.version(), registers).unwrap()).unwrap();
    let _thread = thread_in(&pmu, INSTRUCTIONS);
    pmu.lend().unwrap();
    assert_eq!(device.write_from(Mode::User, Asr::Pic, 0), Ok(()));
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    device.advance(&USER);
    assert_eq!(device.write_from(Mode::User, Asr::Pic, 0), Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!(session.read(), Ok([100]));
}
