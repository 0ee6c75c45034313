//! Reading a session's counters, as fast as that can be done.
//!
//! An overflow interrupt may change an account while its counter is read. So a reading is one
//! straight attempt between two looks at how many have come, and, rarely, another. Loops here are over
//! arrays, and without closures: those the compiler would call instead of inlining them.

use crate::backend::Backend;
use crate::event::Result;
use crate::session::Session;

/// Counts, and how long they were counted for.
///
/// A session of a CPU always has its counters, so `running` equals `enabled`; where counters are
/// shared in turn, `running` is less and a count is a part of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts<const N: usize> {
    /// Events, in the order of the requests, as they were counted.
    pub raw: [u64; N],
    /// Ticks of the processor's clock during which the session was started.
    pub enabled: u64,
    /// Ticks during which its counters counted.
    pub running: u64,
}

impl<'u, B: Backend, const N: usize> Session<'u, B, N> {
    /// The 64-bit counts, in the order of the requests.
    ///
    /// # Errors
    /// [`Error::WrongCpu`](crate::Error::WrongCpu).
    #[inline]
    pub fn read(&self) -> Result<[u64; N]> {
        Ok(self.reader()?.read())
    }

    /// The 64-bit counts, and how long they were counted for.
    ///
    /// # Errors
    /// [`Error::WrongCpu`](crate::Error::WrongCpu).
    pub fn counts(&self) -> Result<Counts<N>> {
        let (raw, enabled) = (self.read()?, self.hold.enabled());
        Ok(Counts { raw, enabled, running: enabled })
    }

    /// A reader without the check that every [`Session::read`] makes: reading costs one
    /// instruction sequence a counter.
    ///
    /// The thread MUST stay on this CPU while it uses the reader, or it reads another unit's
    /// counters.
    ///
    /// # Errors
    /// [`Error::WrongCpu`](crate::Error::WrongCpu).
    #[inline]
    pub fn reader(&self) -> Result<Reader<'_, 'u, B, N>> {
        self.hold.owner.check()?;
        Ok(Reader { session: self })
    }
}

/// Reads a session's counters on the CPU that was checked when it was made.
#[derive(Debug)]
pub struct Reader<'s, 'u, B: Backend, const N: usize> {
    session: &'s Session<'u, B, N>,
}

impl<B: Backend, const N: usize> Reader<'_, '_, B, N> {
    /// The 64-bit counts, in the order of the requests.
    #[inline(always)]
    #[must_use]
    pub fn read(&self) -> [u64; N] {
        // No loop here: it would make the compiler hoist, and spill, what each counter needs.
        match self.attempt() {
            Some(counts) => counts,
            None => self.read_again(),
        }
    }

    /// The counts since the start as wide as the counters are: right while less than the
    /// counter's longest period has been counted, and no period of sampling has ended.
    #[inline(always)]
    #[must_use]
    pub fn read_narrow(&self) -> [u64; N] {
        let session = self.session;
        let mut counts = [0; N];
        for (count, place) in counts.iter_mut().zip(&session.places) {
            let raw = session.hold.owner.backend.read(place.handle);
            *count = place.since_start(raw);
        }
        counts
    }

    /// One straight reading; `None` if an interrupt changed an account meanwhile.
    #[inline(always)]
    fn attempt(&self) -> Option<[u64; N]> {
        let session = self.session;
        let before = session.hold.shared.overflows();
        session.hold.owner.backend.fence();
        let mut counts = [0; N];
        for ((count, place), account) in counts.iter_mut().zip(&session.places).zip(&session.accounts) {
            let raw = session.hold.owner.backend.read(place.handle);
            *count = place.position(raw).wrapping_add(account.base.get());
        }
        session.hold.owner.backend.fence();
        (session.hold.shared.overflows() == before).then_some(counts)
    }

    #[cold]
    #[inline(never)]
    fn read_again(&self) -> [u64; N] {
        loop {
            if let Some(counts) = self.attempt() {
                return counts;
            }
        }
    }
}
