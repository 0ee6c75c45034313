//! A set of requests whose number is known at run time.

use core::fmt;

use crate::event::{Codes, Error, Event, Request, Result};

/// Up to `N` requests that are counted together.
///
/// A set is for requests whose number is known only at run time, because they are parsed from a command line or added one
/// by one. [`Pmu::open_set`](crate::Pmu::open_set) opens a session with it, and [`Context::bind`](crate::Context::bind)
/// gives it to a thread.
///
/// ```
/// use pmu::{Event, Request, Set};
///
/// let mut set = Set::<4>::new();
/// set.add(Event::CYCLES)?;
/// set.add(Request::new(Event::INSTRUCTIONS).every(10_000))?;
/// let events: Vec<_> = set.requests().iter().map(|request| request.event).collect();
/// assert_eq!(events, [Event::CYCLES, Event::INSTRUCTIONS]);
/// # Ok::<(), pmu::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Set<const N: usize> {
    requests: [Request; N],
    length: usize,
}

/// The set is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Full {
    /// The most requests that it can hold.
    pub most: usize,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the set is full: it has room for {} and no more", self.most)
    }
}

impl core::error::Error for Full {}

impl From<Full> for Error {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl<const N: usize> Set<N> {
    /// Creates an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self::NEW
    }

    const NEW: Self = Self { requests: [Request::new(Event::raw(0)); N], length: 0 };

    /// Adds a request whose count starts at 0, and returns its number.
    ///
    /// # Errors
    /// Returns [`Full`] if there is no room. The set is not changed.
    pub fn add(&mut self, request: impl Into<Request>) -> Result<usize, Full> {
        let number = self.length;
        let place = self.requests.get_mut(number).ok_or(Full { most: N })?;
        *place = request.into();
        self.length += 1;
        Ok(number)
    }

    /// Adds a request that the caller must replace. Returns `None` if there is no room.
    pub(crate) fn grow(&mut self) -> Option<&mut Request> {
        let place = self.requests.get_mut(self.length)?;
        self.length += 1;
        Some(place)
    }

    /// Sets whose codes the events of its requests have.
    pub(crate) fn of_codes(mut self, codes: Codes) -> Self {
        self.requests_mut().iter_mut().for_each(|request| *request = request.of_codes(codes));
        self
    }

    /// Sets the value that the count of a request starts at: [`Request::begin_at`]. Returns `None` if there is no such
    /// request.
    pub fn begin_at(&mut self, number: usize, preset: u64) -> Option<()> {
        let request = self.requests_mut().get_mut(number)?;
        *request = request.begin_at(preset);
        Some(())
    }

    /// Returns the requests, in the order of their numbers.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        self.requests.get(..self.length).unwrap_or(&[])
    }

    /// Returns all places, of which the first have its requests.
    pub(crate) const fn places(&self) -> &[Request; N] {
        &self.requests
    }

    pub(crate) fn requests_mut(&mut self) -> &mut [Request] {
        self.requests.get_mut(..self.length).unwrap_or(&mut [])
    }

    /// Returns the requests as an array, or `None` if their number is not `M`.
    #[must_use]
    pub fn exactly<const M: usize>(&self) -> Option<[Request; M]> {
        self.requests().try_into().ok()
    }

    /// Returns the number of requests.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns two requests for the same event in the same modes, if there are such. OProfile refuses them.
    #[must_use]
    pub fn repeated(&self) -> Option<(usize, usize)> {
        let same = |one: &Request, other: &Request| {
            (one.event, one.modes, one.flags, one.threshold) == (other.event, other.modes, other.flags, other.threshold)
        };
        self.requests().iter().enumerate().find_map(|(later, request)| {
            let earlier = self.requests().iter().take(later).position(|other| same(other, request))?;
            Some((earlier, later))
        })
    }
}

/// It does not compile if there is no room for them.
impl<T: Into<Request>, const N: usize, const M: usize> From<[T; M]> for Set<N> {
    fn from(requests: [T; M]) -> Self {
        const { assert!(M <= N, "the set is too small for these requests") };
        let mut set = Self::new();
        for (place, request) in set.requests.iter_mut().zip(requests) {
            *place = request.into();
        }
        set.length = M;
        set
    }
}

impl<const N: usize> Default for Set<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> PartialEq for Set<N> {
    fn eq(&self, other: &Self) -> bool {
        self.requests() == other.requests()
    }
}

impl<const N: usize> Eq for Set<N> {}

impl<const N: usize> fmt::Debug for Set<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.requests()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_says_so_and_stays_as_it_was() {
        let mut set = Set::<1>::new();
        assert_eq!(set.add(Event::CYCLES), Ok(0));
        assert_eq!(set.add(Event::INSTRUCTIONS), Err(Full { most: 1 }));
        assert_eq!(set.requests(), [Event::CYCLES.into()]);
    }

    #[test]
    fn a_preset_of_a_request_that_notifies_is_its_period() {
        let mut set = Set::<1>::new();
        set.add(Request::new(Event::CYCLES).once_after(1)).expect("there is room");
        assert_eq!(set.begin_at(0, u64::MAX - 99), Some(()));
        assert_eq!(set.requests()[0].sampling.map(|sampling| sampling.period), Some(100));
        assert_eq!(set.begin_at(1, 5), None);
    }

    #[test]
    fn what_is_asked_for_twice_is_found() {
        let mut set = Set::<3>::new();
        for request in [Request::new(Event::CYCLES), Event::INSTRUCTIONS.into(), Request::new(Event::CYCLES).every(9)] {
            set.add(request).expect("there is room");
        }
        assert_eq!(set.repeated(), Some((0, 2)));
    }
}
