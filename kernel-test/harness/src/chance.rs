//! Chance that is the same every time.

/// A linear congruential generator (Knuth's constants for MMIX, The Art of Computer Programming, volume 2,
/// section 3.3.4).
#[derive(Clone, Copy, Debug)]
pub struct Chance(u64);

impl Chance {
    /// What chance begins with makes it another one.
    #[must_use]
    pub const fn new(beginning: u64) -> Self {
        Self(beginning)
    }

    /// The next number, smaller than this.
    pub const fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_the_limit_comes_up_and_none_above() {
        let mut chance = Chance::new(1);
        let mut seen = [0; 64];
        (0..6400).for_each(|_| seen[chance.below(64) as usize] += 1);
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
    }
}
