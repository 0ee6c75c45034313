//! What is measured together: requests, and where their counts begin.

use core::fmt;

use crate::error::Result;
use crate::event::{Event, Request};

/// Up to `N` requests that are to count together.
///
/// A session takes its requests as an array; a set is for requests whose number is only known when
/// the kernel runs, because they were read from a command line or asked for one by one.
///
/// ```
/// use pmu::{Event, Request, Set};
///
/// let mut set = Set::<4>::new();
/// set.add(Event::CYCLES)?;
/// set.add(Request::new(Event::INSTRUCTIONS).every(10_000))?;
/// let [cycles, instructions] = set.exactly().unwrap();
/// assert_eq!((cycles.sampling, set.preset(1)), (None, Some(0)));
/// # let _ = instructions;
/// # Ok::<(), pmu::Full>(())
/// ```
#[derive(Clone, Copy)]
pub struct Set<const N: usize> {
    requests: [Request; N],
    presets: [u64; N],
    length: usize,
}

/// The set holds as many requests as it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full {
    /// How many that are.
    pub most: usize,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the set holds its {} requests already; make it larger", self.most)
    }
}

impl core::error::Error for Full {}

impl<const N: usize> Set<N> {
    /// Nothing is asked for.
    #[must_use]
    pub const fn new() -> Self {
        Self::NEW
    }

    const NEW: Self = Self { requests: [Request::new(Event::raw(0)); N], presets: [0; N], length: 0 };

    /// Adds a request whose count begins at 0; answers its number.
    ///
    /// # Errors
    /// [`Full`]; the set is as it was.
    pub fn add(&mut self, request: impl Into<Request>) -> Result<usize, Full> {
        let number = self.length;
        let place = self.requests.get_mut(number).ok_or(Full { most: N })?;
        *place = request.into();
        self.length += 1;
        Ok(number)
    }

    /// Room for one request more, which asks for nothing sensible until it is made another.
    pub(crate) fn grow(&mut self) -> Option<&mut Request> {
        let place = self.requests.get_mut(self.length)?;
        self.length += 1;
        Some(place)
    }

    /// Lets the count of this request begin at `preset`, as libcpc's do. One that notifies does so
    /// as its count passes 2^64 - 1, on the event 2^64 - `preset`: it gets that period, once (from
    /// 0, the longest there is, which no unit has).
    /// `None` if there is no such request.
    pub fn begin_at(&mut self, number: usize, preset: u64) -> Option<()> {
        let request = self.requests.get_mut(..self.length)?.get_mut(number)?;
        if request.sampling.is_some() {
            *request = request.once_after(if preset == 0 { u64::MAX } else { preset.wrapping_neg() });
        }
        self.presets[number] = preset;
        Some(())
    }

    /// Where the count of this request begins; `None` if there is no such request.
    #[must_use]
    pub fn preset(&self, number: usize) -> Option<u64> {
        self.presets.get(..self.length)?.get(number).copied()
    }

    /// The requests, by their numbers.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        self.requests.get(..self.length).unwrap_or(&[])
    }

    pub(crate) fn requests_mut(&mut self) -> &mut [Request] {
        self.requests.get_mut(..self.length).unwrap_or(&mut [])
    }

    /// The requests as an array, which [`Pmu::open`](crate::Pmu::open) takes; `None` if their
    /// number is not `M`.
    #[must_use]
    pub fn exactly<const M: usize>(&self) -> Option<[Request; M]> {
        self.requests().try_into().ok()
    }

    /// How many requests there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Is nothing asked for?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Two requests that ask for the same, in the same modes: OProfile refuses those.
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
        self.requests() == other.requests() && self.presets[..self.length] == other.presets[..other.length]
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
