//! A fixed piece of work, by whose processor seconds a machine's speed is told.
//!
//! It uses processor and memory about as a compiler does. It is a package of its own because it is optimised, unlike the
//! rest of xtask: see the profile in the repository's manifest.

/// The numbers of one round.
const NUMBERS: usize = 1 << 19;

/// Sorts two rounds of pseudo-random numbers, always the same, and returns a sum that depends on both.
pub fn work() -> u64 {
    let mut numbers = Xorshift(0x9E37_79B9_7F4A_7C15);
    (0..2).fold(0, |sum: u64, _| {
        let mut round: Vec<_> = numbers.by_ref().take(NUMBERS).collect();
        round.sort_unstable();
        sum.wrapping_add(round[1000])
    })
}

/// Marsaglia's generator with the shifts 13, 7 and 17 ("Xorshift RNGs", Journal of Statistical Software 8, 2003).
struct Xorshift(u64);

impl Iterator for Xorshift {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Some(self.0)
    }
}
