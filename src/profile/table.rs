//! A table of fixed size whose rows are kept in the order of their keys, and counted.

/// A row: what it is about, and how many samples.
pub(super) trait Row: Copy {
    /// What it is about.
    type Key: Ord;
    /// In the place of a row that is not there.
    const NONE: Self;

    fn key(&self) -> Self::Key;
    fn samples(&self) -> u64;
    /// The same with this number of samples.
    fn with(self, samples: u64) -> Self;
}

/// Up to `N` rows, and how many samples found no room in them. Counts stop at 2^64 - 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table<R, const N: usize> {
    /// Those in use come first, in the order of their keys.
    rows: [R; N],
    used: usize,
    left_out: u64,
}

impl<R: Row, const N: usize> Table<R, N> {
    pub(super) const fn new() -> Self {
        Self { rows: [R::NONE; N], used: 0, left_out: 0 }
    }

    /// Adds a row's samples to those of its key.
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

    /// So many more samples found no room.
    pub(super) const fn leave_out(&mut self, samples: u64) {
        self.left_out = self.left_out.saturating_add(samples);
    }

    pub(super) fn rows(&self) -> &[R] {
        self.rows.get(..self.used).unwrap_or_default()
    }

    /// The samples of this key; 0 if it is not there.
    pub(super) fn at(&self, key: &R::Key) -> u64 {
        self.find(key).ok().and_then(|known| self.rows.get(known)).map_or(0, Row::samples)
    }

    pub(super) const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// All samples, those that found no room among them.
    pub(super) fn total(&self) -> u64 {
        self.rows().iter().fold(self.left_out, |sum, row| sum.saturating_add(row.samples()))
    }

    pub(super) const fn clear(&mut self) {
        self.used = 0;
        self.left_out = 0;
    }
}
