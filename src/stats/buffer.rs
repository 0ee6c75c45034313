//! A snapshot of counts, with the time and the thread's ticks at which it was taken.

use core::fmt;

/// Up to `N` values, with the time at which they were taken and the virtual ticks until then. A thread's
/// virtual ticks stop while it is off its CPU.
///
/// This is libcpc's `cpc_buf_t`, with the same rules for addition and subtraction except one: buffers of
/// unequal size return [`UnequalSizes`], where libcpc silently does nothing.
///
/// ```
/// use pmu::stats::Buffer;
///
/// let before = Buffer::<4>::new([10, 20]).at(1_000, 300);
/// let after = Buffer::<4>::new([15, 50]).at(9_000, 800);
/// let between = after.less(&before)?;
/// assert_eq!((between.values(), between.time(), between.tick()), (&[5, 30][..], 9_000, 500));
/// # Ok::<(), pmu::stats::UnequalSizes>(())
/// ```
#[derive(Clone, Copy)]
pub struct Buffer<const N: usize> {
    values: [u64; N],
    length: usize,
    time: u64,
    tick: u64,
}

/// Two buffers hold different numbers of values. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnequalSizes {
    /// The number of values in this buffer.
    pub ours: usize,
    /// The number of values in the other buffer.
    pub theirs: usize,
}

impl fmt::Display for UnequalSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ours, theirs } = self;
        write!(f, "a buffer of {ours} values cannot be combined with one of {theirs}")
    }
}

impl core::error::Error for UnequalSizes {}

impl<const N: usize> Buffer<N> {
    /// Creates a buffer with these values at time 0. It does not compile if there are more than `N`.
    #[must_use]
    pub const fn new<const M: usize>(values: [u64; M]) -> Self {
        const { assert!(M <= N, "the buffer is too small for these values") };
        let mut buffer = Self { values: [0; N], length: M, time: 0, tick: 0 };
        let mut at = 0;
        while at < M {
            buffer.values[at] = values[at];
            at += 1;
        }
        buffer
    }

    /// Creates a buffer of `length` zeros at time 0, or returns `None` if `length` is more than `N`.
    #[must_use]
    pub const fn zeros(length: usize) -> Option<Self> {
        if length > N { None } else { Some(Self { values: [0; N], length, time: 0, tick: 0 }) }
    }

    /// Creates a buffer of these values at time 0, as far as there is room.
    pub(crate) fn collect(values: impl Iterator<Item = u64>) -> Self {
        let mut buffer = Self { values: [0; N], length: 0, time: 0, tick: 0 };
        for (place, value) in buffer.values.iter_mut().zip(values) {
            *place = value;
            buffer.length += 1;
        }
        buffer
    }

    /// Returns the same values as taken at `time`, in nanoseconds, and after `tick` virtual ticks.
    #[must_use]
    pub const fn at(mut self, time: u64, tick: u64) -> Self {
        (self.time, self.tick) = (time, tick);
        self
    }

    /// Returns the values, in the order of their requests.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        self.values.get(..self.length).unwrap_or(&[])
    }

    /// Replaces the value of a request. Returns `None` if there is no such request.
    pub fn set(&mut self, request: usize, value: u64) -> Option<()> {
        let place = self.values.get_mut(..self.length)?.get_mut(request)?;
        *place = value;
        Some(())
    }

    /// Returns the time at which the values were taken, in nanoseconds.
    #[must_use]
    pub const fn time(&self) -> u64 {
        self.time
    }

    /// Returns the number of virtual ticks until the values were taken.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the sum of both buffers' values and ticks, modulo 2^64, at the later of the two times.
    ///
    /// # Errors
    /// Returns [`UnequalSizes`] if the buffers hold different numbers of values.
    pub fn plus<const M: usize>(&self, other: &Buffer<M>) -> Result<Self, UnequalSizes> {
        self.with(other, u64::wrapping_add)
    }

    /// Subtracts the other buffer's values and ticks, modulo 2^64. The result has the later of the two times.
    ///
    /// # Errors
    /// Returns [`UnequalSizes`] if the buffers hold different numbers of values.
    pub fn less<const M: usize>(&self, other: &Buffer<M>) -> Result<Self, UnequalSizes> {
        self.with(other, u64::wrapping_sub)
    }

    fn with<const M: usize>(&self, other: &Buffer<M>, operate: fn(u64, u64) -> u64) -> Result<Self, UnequalSizes> {
        self.check(other)?;
        let mut result = *self;
        for (ours, &theirs) in result.values.iter_mut().zip(other.values()) {
            *ours = operate(*ours, theirs);
        }
        Ok(result.at(self.time.max(other.time), operate(self.tick, other.tick)))
    }

    /// Copies the other buffer's values, time and ticks.
    ///
    /// # Errors
    /// Returns [`UnequalSizes`] if the buffers hold different numbers of values.
    pub fn copy_from<const M: usize>(&mut self, other: &Buffer<M>) -> Result<(), UnequalSizes> {
        self.check(other)?;
        for (ours, &theirs) in self.values.iter_mut().zip(other.values()) {
            *ours = theirs;
        }
        (self.time, self.tick) = (other.time, other.tick);
        Ok(())
    }

    /// Sets values, time and ticks to 0.
    pub fn zero(&mut self) {
        *self = Self { values: [0; N], length: self.length, time: 0, tick: 0 };
    }

    fn check<const M: usize>(&self, other: &Buffer<M>) -> Result<(), UnequalSizes> {
        let sizes = UnequalSizes { ours: self.length, theirs: other.length };
        if sizes.ours == sizes.theirs { Ok(()) } else { Err(sizes) }
    }
}

impl<const N: usize> PartialEq for Buffer<N> {
    fn eq(&self, other: &Self) -> bool {
        (self.values(), self.time, self.tick) == (other.values(), other.time, other.tick)
    }
}

impl<const N: usize> Eq for Buffer<N> {}

impl<const N: usize> fmt::Debug for Buffer<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {} ns, {} ticks", self.values(), self.time, self.tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_ticks_wrap_and_the_time_is_the_later() {
        let first = Buffer::<2>::new([u64::MAX, 1]).at(50, u64::MAX);
        let second = Buffer::<2>::new([2, 2]).at(40, 1);
        assert_eq!(first.plus(&second), Ok(Buffer::new([1, 3]).at(50, 0)));
        assert_eq!(second.less(&first), Ok(Buffer::new([3, 1]).at(50, 2)));
    }

    #[test]
    fn unequal_sizes_are_an_error_and_change_nothing() {
        let two = Buffer::<4>::new([1, 2]);
        let mut three = Buffer::<3>::new([1, 2, 3]);
        let sizes = UnequalSizes { ours: 3, theirs: 2 };
        assert_eq!((three.plus(&two), three.less(&two), three.copy_from(&two)), (Err(sizes), Err(sizes), Err(sizes)));
        assert_eq!(three, Buffer::new([1, 2, 3]));
    }

    #[test]
    fn a_copy_is_the_same_whatever_the_room() {
        let mut wide = Buffer::<8>::zeros(2).expect("there is room");
        wide.copy_from(&Buffer::<2>::new([5, 6]).at(7, 8)).expect("both hold two");
        assert_eq!(wide, Buffer::new([5, 6]).at(7, 8));
        wide.zero();
        assert_eq!(wide, Buffer::new([0, 0]));
    }

    #[test]
    fn a_value_can_be_set_where_there_is_one() {
        let mut buffer = Buffer::<4>::new([1]);
        assert_eq!((buffer.set(0, 9), buffer.set(1, 9)), (Some(()), None));
        assert_eq!(buffer.values(), [9]);
        assert_eq!(Buffer::<1>::zeros(2), None);
    }
}
