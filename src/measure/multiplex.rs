//! More requests than counters: groups that take turns.
//!
//! A kernel calls [`Pmu::rotate`] from its own timer tick, with interrupts off. The requests of one group are counted
//! together for a turn, then those of the next group. What a group missed is reported: [`Counts`] has the events that were
//! counted, the time for which the group was enabled, and the part of it in which it was counted. [`Multiplex::scaled`]
//! estimates the events of the whole time, with a standard error.
//!
//! A unit without global control starts and stops its counters one by one. Some instructions of each turn are then in its time
//! and not in its counts, so the estimate is low by that amount. The standard error does not include this loss, which is small
//! if turns are long.
//!
//! A group is a [`Context`]. The scheduler switches the current one ([`Multiplex::context`]) in and out with its thread, so a
//! thread can be followed with more requests than counters too.

use core::{array, fmt};

use super::{Context, Counts};
use crate::contract::Driver;
use crate::event::{Error, Refusal, Result, Set};
use crate::sample::{Sample, SessionId};
use crate::stats::{Products, Time, Turns};
use crate::unit::Pmu;

/// `GROUPS` groups of up to `N` requests that take turns on the counters.
pub struct Multiplex<D: Driver, const GROUPS: usize, const N: usize> {
    groups: [Group<D, N>; GROUPS],
    /// Whose turn it is.
    current: usize,
}

/// A group, and what its turns were like.
#[repr(C)]
struct Group<D: Driver, const N: usize> {
    context: Context<D, N>,
    ended: Ended<N>,
}

/// The turns of a group that have ended, but for those in which it only waited.
#[derive(Clone, Copy)]
struct Ended<const N: usize> {
    time: Time,
    products: [Products; N],
    /// The counts when the last one ended.
    before: [u64; N],
    /// The ticks that it was counted for by then.
    counted: u64,
}

/// A request of one of the groups that take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Member {
    /// Which group, from 0.
    pub group: usize,
    /// Which of its requests, from 0.
    pub request: usize,
}

/// Why groups cannot take turns: what is wrong with the first that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GroupRefused {
    /// Which group, from 0.
    pub group: usize,
    /// Why; its requests are numbered within the group.
    pub error: Error,
}

/// An estimate of what was only counted in turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Scaled {
    /// The events, if they were as frequent while they were not counted as while they were.
    pub estimate: u64,
    /// Its standard error, by how much the turns differ from each other; `None` after fewer than two
    /// turns. 0 if everything was counted.
    pub error: Option<u64>,
}

impl<D: Driver, const GROUPS: usize, const N: usize> Multiplex<D, GROUPS, N> {
    /// Groups of the thread with this number that ask for nothing yet, 1 to 512.
    #[must_use]
    pub const fn new(thread: u32) -> Self {
        const { assert!(GROUPS > 0, "there is a group whose turn it is") };
        const { assert!(GROUPS <= SessionId::GROUPS, "samples tell at most 512 groups apart") };
        let mut groups = [Group::NEW; GROUPS];
        let mut number = 0;
        while number < GROUPS {
            groups[number].context = Context::in_group(thread, number as u16);
            number += 1;
        }
        Self { groups, current: 0 }
    }

    /// Asks for these groups, from 0. What must be seen together belongs in one group.
    ///
    /// # Errors
    /// [`Error::AlreadyBound`] for the first group that is bound already; nothing has changed then. [`Error::Refused`] and
    /// [`Error::Conflict`], as [`Context::bind`], for the first group that is refused; no group is bound then. A request that
    /// notifies ([`Request::once_after`](crate::Request::once_after)) is refused.
    pub fn bind(&mut self, pmu: &Pmu<'_, D>, groups: [impl Into<Set<N>>; GROUPS]) -> Result<(), GroupRefused> {
        self.bind_each(groups, |context, set| context.bind(pmu, set))
    }

    /// Like [`Multiplex::bind`], with [`Context::bind_by_name`].
    ///
    /// # Errors
    /// As [`Multiplex::bind`].
    pub fn bind_by_name(&mut self, pmu: &Pmu<'_, D>, groups: [impl Into<Set<N>>; GROUPS]) -> Result<(), GroupRefused> {
        self.bind_each(groups, |context, set| context.bind_by_name(pmu, set))
    }

    fn bind_each<S: Into<Set<N>>>(
        &mut self,
        groups: [S; GROUPS],
        bind: impl Fn(&mut Context<D, N>, Set<N>) -> Result<()>,
    ) -> Result<(), GroupRefused> {
        self.check_valid();
        if let Some(group) = self.groups.iter().position(|group| group.context.is_asking()) {
            return Err(GroupRefused { group, error: Error::AlreadyBound });
        }
        let mut result = Ok(());
        for (number, (group, set)) in self.groups.iter_mut().zip(groups).enumerate() {
            let set = set.into();
            let bind = |()| {
                check_turns(&set)
                    .and_then(|()| bind(&mut group.context, set))
                    .map_err(|error| GroupRefused { group: number, error })
            };
            result = result.and_then(bind);
            group.ended = Ended::since_bound(&group.context);
        }
        self.current = 0;
        if result.is_err() {
            self.groups.iter_mut().for_each(|group| group.context.forget());
        }
        result
    }

    /// Asks for nothing any more.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] while it is switched in; it is as it was.
    pub fn unbind(&mut self) -> Result<()> {
        if self.is_in() {
            return Err(Error::ThreadIn);
        }
        self.groups.iter_mut().try_for_each(|group| group.context.unbind())
    }

    /// The context of the group whose turn it is: what the scheduler switches in and out with the thread, by
    /// [`Pmu::switch_in`] and the like. If that invalidates it, all groups are invalid.
    pub const fn context(&mut self) -> &mut Context<D, N> {
        &mut self.groups[self.current].context
    }

    /// Invalidates all groups if the current one is invalid.
    fn check_valid(&mut self) {
        if self.context().is_invalid() {
            self.groups.iter_mut().for_each(|group| group.context.invalidate());
        }
    }

    fn is_in(&self) -> bool {
        self.groups.iter().any(|group| group.context.is_in())
    }

    /// What was counted of a group until it was switched out last: `enabled` is the time for which any group was in, `running`
    /// that for which this one was counted.
    ///
    /// # Errors
    /// [`Error::NotBound`] if there is no such group or it asks for nothing, [`Error::ThreadIn`] while
    /// it is switched in, [`Error::Invalidated`].
    pub fn counts(&self, group: usize) -> Result<Counts<N>> {
        let group = self.groups.get(group).ok_or(Error::NotBound)?;
        if self.groups[self.current].context.is_invalid() {
            return Err(Error::Invalidated);
        }
        let each = self.groups.iter().map(|group| group.context.times().0);
        Ok(Counts { enabled: each.fold(0, u64::wrapping_add), ..group.context.counts()? })
    }

    /// An estimate of each of a group's requests over all turns, also the one that has not ended; `None` in the place of a
    /// request that was never counted.
    ///
    /// # Errors
    /// As [`Multiplex::counts`].
    pub fn scaled(&self, group: usize) -> Result<[Option<Scaled>; N]> {
        let mut counts = self.counts(group)?;
        let group = self.groups.get(group).ok_or(Error::NotBound)?;
        let mut ended = group.ended;
        ended.end_turn(&group.context);
        let beginnings: [u64; N] = array::from_fn(|request| group.context.beginning(request));
        counts.raw = array::from_fn(|request| counts.raw[request].wrapping_sub(beginnings[request]));
        Ok(array::from_fn(|request| {
            let estimate = counts.scaled(request)?.wrapping_add(beginnings[request]);
            let turns = Turns::of(ended.time, counts.raw[request], ended.products[request]);
            Some(Scaled { estimate, error: turns.error(counts.enabled) })
        }))
    }

    /// The group, and the request in it, whose overflow this sample is; `None` if it is another thread's, or a
    /// session's.
    #[must_use]
    pub fn member_of(&self, sample: &Sample) -> Option<Member> {
        let of = |group: &Group<D, N>| group.context.request_of(sample);
        let mut members = self.groups.iter().enumerate();
        members.find_map(|(group, each)| of(each).map(|request| Member { group, request }))
    }

    /// The group whose turn it is, from 0.
    #[must_use]
    pub const fn current(&self) -> usize {
        self.current
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Ends the current group's turn and begins the next group's, on this CPU if the thread is in here. If it is in on another
    /// CPU, the turn stays with the current group; [`Pmu::switch_in`] says what becomes of it.
    pub fn rotate<const GROUPS: usize, const N: usize>(&self, multiplex: &mut Multiplex<D, GROUPS, N>) {
        let next = if multiplex.current + 1 < GROUPS { multiplex.current + 1 } else { 0 };
        let is_in = multiplex.context().is_in();
        if is_in
            && let Ok([from, to]) = multiplex.groups.get_disjoint_mut([multiplex.current, next])
            && self.exchange(&mut from.context, &mut to.context)
        {
            from.end_turn();
            multiplex.current = next;
            return;
        }
        self.switch_out(multiplex.context());
        if !multiplex.context().is_in() {
            multiplex.check_valid();
            multiplex.groups[multiplex.current].end_turn();
            multiplex.current = next;
        }
        if is_in {
            self.switch_in(multiplex.context());
        }
    }
}

impl<D: Driver, const N: usize> Group<D, N> {
    const NEW: Self = Self { context: Context::new(0), ended: Ended::NONE };

    #[inline(always)]
    fn end_turn(&mut self) {
        self.ended.end_turn(&self.context);
    }
}

impl<const N: usize> Ended<N> {
    const NONE: Self = Self { time: Time::NONE, products: [Products::NONE; N], before: [0; N], counted: 0 };

    /// None yet of a context that was bound now. What it had counted, as with a set that begins at other counts than 0, is no
    /// turn's.
    fn since_bound<D: Driver>(context: &Context<D, N>) -> Self {
        Self { before: array::from_fn(|request| context.count(request)), ..Self::NONE }
    }

    /// Ends a turn of this context, which is out.
    #[inline(never)]
    fn end_turn<D: Driver>(&mut self, context: &Context<D, N>) {
        let (_, counted) = context.times();
        let ran = counted.wrapping_sub(self.counted);
        if ran == 0 {
            return;
        }
        self.counted = counted;
        self.time.add(ran);
        for (request, (products, before)) in self.products.iter_mut().zip(&mut self.before).enumerate() {
            let now = context.count(request);
            products.add(now.wrapping_sub(*before), ran);
            *before = now;
        }
    }
}

/// Refuses a request that notifies: it would freeze its group, whose later turns would count nothing.
fn check_turns<const N: usize>(set: &Set<N>) -> Result<()> {
    let reason =
        Refusal::Impossible("a group that takes turns cannot be frozen by a notification; sample it with every()");
    match set.requests().iter().enumerate().find(|(_, request)| request.notifies()) {
        Some((number, request)) => Err(Error::refused(number, request, reason)),
        None => Ok(()),
    }
}

impl fmt::Display for GroupRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group {}: {}", self.group, self.error)
    }
}

impl core::error::Error for GroupRefused {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<GroupRefused> for Error {
    fn from(refused: GroupRefused) -> Self {
        refused.error
    }
}

impl<const N: usize> Counts<N> {
    /// This request's events over the whole enabled time, if they were as frequent while they were
    /// not counted as while they were, to the nearest; `None` if it was never counted.
    ///
    /// ```
    /// use pmu::Counts;
    ///
    /// let half = Counts::new([100], 1000, 500);
    /// assert_eq!((half.scaled(0), half.scaled(1)), (Some(200), None));
    /// assert_eq!(Counts::new([1], 5, 3).scaled(0), Some(2));
    /// ```
    #[must_use]
    pub fn scaled(&self, request: usize) -> Option<u64> {
        let raw = u128::from(*self.raw.get(request)?);
        let whole = raw * u128::from(self.enabled) + u128::from(self.running / 2);
        Some(u64::try_from(whole.checked_div(self.running.into())?).unwrap_or(u64::MAX))
    }
}

impl<D: Driver, const GROUPS: usize, const N: usize> fmt::Debug for Multiplex<D, GROUPS, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.groups.iter().map(|group| &group.context)).finish()
    }
}
