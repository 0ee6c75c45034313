//! Random numbers that are the same in every run.

/// A generator, from its seed (xorshift64; Marsaglia, "Xorshift RNGs", 2003).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn any(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.any() % limit
    }
}
