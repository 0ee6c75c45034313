//! What does it cost to switch from one thread to the next?
//!
//! Both halves of a switch are measured as a scheduler has them in its own code: nothing of a context is known there but
//! its address.

use pmu::{Context, Pmu, Request};

use super::figures::Figures;
use super::requests::{choose, choose_own, of_session};
use super::{Cost, Measured, Reached};

/// So many events are tried for a session beside which both threads can be counted.
const TRIED: usize = 4;

/// Prints the figures.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    let (mut one, mut other) = (Context::new(1), Context::new(2));
    figures.print("switch.none", Some(switch::<S, 1>(&figures.pmu, &mut one, &mut other)), Reached::Inline);
    several::<S, 1>(figures);
    several::<S, 4>(figures);
    several::<S, 8>(figures);
    let disjoint = Threads::<S, 4>::disjoint(figures).and_then(|mut threads| threads.alternate(figures));
    figures.print("switch.disjoint.4", disjoint, Reached::Inline);
}

fn several<S: Measured, const N: usize>(figures: &Figures<S>) {
    let mut threads = Threads::<S, N>::new(figures);
    let same = threads.as_mut().map(|threads| threads.same(figures));
    let alternate = threads.as_mut().and_then(|threads| threads.alternate(figures));
    let beside = threads.as_mut().and_then(|threads| threads.beside(figures));
    let more = beside.zip(alternate).map(|(beside, alone)| beside.beyond(alone));
    figures.print(format_args!("switch.same.{N}"), same, Reached::Inline);
    figures.print(format_args!("switch.alternate.{N}"), alternate, Reached::Inline);
    figures.print(format_args!("switch.beside.{N}"), more, Reached::Inline);
}

/// Two threads. Each asks for instructions, for cycles, and for events that the other does not ask for; or for such events
/// alone.
struct Threads<S: Measured, const N: usize> {
    contexts: [Context<S::Driver, N>; 2],
    /// What can be counted beside either.
    session: Option<Request>,
}

impl<S: Measured, const N: usize> Threads<S, N> {
    fn new(figures: &Figures<S>) -> Option<Self> {
        let mut sessions = of_session(&figures.pmu).take(TRIED).map(Some).chain([None]);
        let ([first, second], session) = sessions.find_map(|session| Some((requests(figures, session)?, session)))?;
        Some(Self { contexts: [figures.thread(1, first)?, figures.thread(2, second)?], session })
    }

    /// Two threads that have no event in common.
    fn disjoint(figures: &Figures<S>) -> Option<Self> {
        let first = choose_own(&figures.pmu, &[])?;
        let second = choose_own(&figures.pmu, &first)?;
        Some(Self { contexts: [figures.thread(1, first)?, figures.thread(2, second)?], session: None })
    }

    /// The same thread comes back.
    fn same(&mut self, figures: &Figures<S>) -> S::Cost {
        let [thread, _] = &mut self.contexts;
        figures.pmu.switch_in(thread);
        let cost = leave_and_come_back::<S, N>(&figures.pmu, thread);
        figures.pmu.switch_out(thread);
        cost
    }

    /// They alternate, and each has been in before. `None` if one of them finds no counters.
    fn alternate(&mut self, figures: &Figures<S>) -> Option<S::Cost> {
        let (pmu, before) = (&figures.pmu, self.waited());
        let [first, second] = &mut self.contexts;
        pmu.switch_in(first);
        pmu.switch(first, second);
        pmu.switch(second, first);
        let there = switch::<S, N>(pmu, first, second);
        let back = switch::<S, N>(pmu, second, first);
        pmu.switch_out(first);
        (self.waited() == before).then(|| there.or_more(back))
    }

    /// The same while a session counts another event.
    fn beside(&mut self, figures: &Figures<S>) -> Option<S::Cost> {
        let mut session = figures.pmu.open([self.session?]).expect("nothing else is open");
        session.start().expect("it is stopped");
        self.alternate(figures)
    }

    /// For how long they were in without counters.
    fn waited(&self) -> u64 {
        let counts = self.contexts.each_ref().map(|thread| thread.counts().expect("it is bound and out"));
        counts.iter().map(|counts| counts.enabled - counts.running).sum()
    }
}

/// What the threads ask for, so that this can be counted beside either.
fn requests<S: Measured, const N: usize>(figures: &Figures<S>, session: Option<Request>) -> Option<[[Request; N]; 2]> {
    let first = choose(&figures.pmu, &[], session)?;
    Some([first, choose(&figures.pmu, &first, session)?])
}

/// The thread leaves, and comes again.
#[inline(never)]
fn leave_and_come_back<S: Measured, const N: usize>(
    pmu: &Pmu<'static, S::Driver>,
    thread: &mut Context<S::Driver, N>,
) -> S::Cost {
    let both = || {
        pmu.switch_out(thread);
        pmu.switch_in(thread);
    };
    S::Cost::measure::<S::Kernel, _>(both).0
}

/// One thread leaves, and the other one comes.
#[inline(never)]
fn switch<S: Measured, const N: usize>(
    pmu: &Pmu<'static, S::Driver>,
    from: &mut Context<S::Driver, N>,
    to: &mut Context<S::Driver, N>,
) -> S::Cost {
    S::Cost::measure::<S::Kernel, _>(|| pmu.switch(from, to)).0
}
