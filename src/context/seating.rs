//! The counters of a thread's requests, all together.
//!
//! A switch goes through them in straight code. Mostly there are as many as there is room for, and then
//! it need not ask for each whether there is another one.

use core::array;

use super::seat::Seat;
use crate::backend::Backend;
use crate::shared::Shared;

/// A seat for each request, if they have any.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Seating<S, const N: usize> {
    /// One for each of as many requests as there is room for.
    Full([S; N]),
    /// Fewer, or none; there is none behind the last request.
    Partial([Option<S>; N]),
}

impl<S, const N: usize> Seating<S, N> {
    /// They have had none yet.
    pub(super) const NOWHERE: Self = Self::Partial([const { None }; N]);

    /// One for each of so many requests.
    pub(super) fn of(requests: usize, seat: impl Fn(usize) -> S) -> Self {
        if requests < N {
            Self::Partial(array::from_fn(|number| (number < requests).then(|| seat(number))))
        } else {
            Self::Full(array::from_fn(seat))
        }
    }

    /// They have none any more; nothing is written where they had none.
    pub(super) fn clear(&mut self) {
        if self.get(0).is_some() {
            *self = Self::NOWHERE;
        }
    }

    /// That of a request.
    #[inline(always)]
    pub(super) fn get(&self, request: usize) -> Option<&S> {
        match self {
            Self::Full(seats) => seats.get(request),
            Self::Partial(seats) => seats.get(request)?.as_ref(),
        }
    }

    /// In the order of the requests.
    pub(super) fn iter(&self) -> impl Iterator<Item = &S> {
        let (full, partial): (&[S], &[Option<S>]) = match self {
            Self::Full(seats) => (seats, &[]),
            Self::Partial(seats) => (&[], seats),
        };
        full.iter().chain(partial.iter().flatten())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut S> {
        let (full, partial): (&mut [S], &mut [Option<S>]) = match self {
            Self::Full(seats) => (seats, &mut []),
            Self::Partial(seats) => (&mut [], seats),
        };
        full.iter_mut().chain(partial.iter_mut().flatten())
    }
}

impl<H: Copy, W: Copy, const N: usize> Seating<Seat<H, W>, N> {
    /// Notes how the stopped counters were left. Is any past its overflow? Then the others may not have been
    /// noted.
    #[inline(always)]
    pub(super) fn leave<B: Backend<Handle = H, WayBack = W>>(&mut self, backend: &B) -> bool {
        match self {
            Self::Full(seats) => {
                for seat in seats {
                    if seat.leave(backend) {
                        return true;
                    }
                }
            }
            Self::Partial(seats) => {
                for place in seats {
                    let Some(seat) = place else { break };
                    if seat.leave(backend) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Has each counter go on from where it was left, though it may count something else by now.
    #[inline(always)]
    pub(super) fn resume<B: Backend<Handle = H, WayBack = W>>(&self, shared: &Shared<B>, backend: &B) {
        match self {
            Self::Full(seats) => {
                for seat in seats {
                    seat.resume(shared, backend);
                }
            }
            Self::Partial(seats) => {
                for place in seats {
                    let Some(seat) = place else { break };
                    seat.resume(shared, backend);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<const N: usize>(seating: &Seating<usize, N>) -> [Option<usize>; 3] {
        [0, 1, 2].map(|request| seating.get(request).copied())
    }

    #[test]
    fn each_request_has_a_seat_and_nobody_else() {
        assert_eq!(numbers(&Seating::<_, 2>::of(2, |number| number + 7)), [Some(7), Some(8), None]);
        assert_eq!(numbers(&Seating::<_, 3>::of(2, |number| number + 7)), [Some(7), Some(8), None]);
        assert_eq!(numbers(&Seating::<_, 2>::NOWHERE), [None; 3]);
    }

    #[test]
    fn all_seats_are_gone_through_full_or_not() {
        for requests in 0..=3 {
            let mut seating = Seating::<_, 3>::of(requests, |number| number);
            seating.iter_mut().for_each(|seat| *seat += 10);
            assert!(seating.iter().copied().eq(10..10 + requests), "{requests}");
        }
    }
}
