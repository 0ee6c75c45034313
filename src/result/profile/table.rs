//! A table of fixed size, sorted by key, that counts samples.

/// A row of a table.
pub(super) trait Row: Copy {
    /// What the row is about.
    type Key: Ord;
    /// Fills the places that are not in use.
    const NONE: Self;

    fn key(&self) -> Self::Key;
    fn samples(&self) -> u64;
    /// Returns the same row with another number of samples.
    fn with(self, samples: u64) -> Self;
}

/// Up to `N` rows, and the number of samples that found no room. Counts stop at 2^64 - 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table<R, const N: usize> {
    /// The rows in use come first, sorted by key.
    rows: [R; N],
    used: usize,
    left_out: u64,
}

impl<R: Row, const N: usize> Table<R, N> {
    pub(super) const fn new() -> Self {
        Self { rows: [R::NONE; N], used: 0, left_out: 0 }
    }

    /// Adds the row's samples to the row with the same key.
    pub(super) fn add(&mut self, row: R) {
        match self.find(&row.key()) {
            Ok(known) => self.count(known, row.samples()),
            Err(place) if self.used < N => self.insert(place, row),
            Err(_) => self.leave_out(row.samples()),
        }
    }

    fn find(&self, key: &R::Key) -> Result<usize, usize> {
        self.rows().binary_search_by(|row| row.key().cmp(key))
    }

    fn count(&mut self, known: usize, samples: u64) {
        if let Some(row) = self.rows.get_mut(known) {
            *row = row.with(row.samples().saturating_add(samples));
        }
    }

    fn insert(&mut self, place: usize, new: R) {
        self.used += 1;
        if let Some(moved) = self.rows.get_mut(place..self.used) {
            moved.rotate_right(1);
            moved[0] = new;
        }
    }

    /// Counts samples that found no room.
    pub(super) const fn leave_out(&mut self, samples: u64) {
        self.left_out = self.left_out.saturating_add(samples);
    }

    pub(super) fn rows(&self) -> &[R] {
        self.rows.get(..self.used).unwrap_or_default()
    }

    /// Returns the samples of a key, or 0 if it has no row.
    pub(super) fn at(&self, key: &R::Key) -> u64 {
        self.find(key).ok().and_then(|known| self.rows.get(known)).map_or(0, Row::samples)
    }

    pub(super) const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns the number of all samples, including those that found no room.
    pub(super) fn total(&self) -> u64 {
        self.rows().iter().fold(self.left_out, |sum, row| sum.saturating_add(row.samples()))
    }

    pub(super) const fn clear(&mut self) {
        self.used = 0;
        self.left_out = 0;
    }
}
