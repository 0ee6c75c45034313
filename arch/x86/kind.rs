//! The number that tells units apart that do not take each other's placements.

use crate::contract::Kind;

/// Numbers that are packed into a kind. Together they take 63 bits at most.
pub(super) struct Packed(u64);

impl Packed {
    pub(super) const fn new() -> Self {
        Self(0)
    }

    /// Adds a number of so many bits.
    #[inline(always)]
    pub(super) const fn add(&mut self, bits: u32, value: u64) {
        self.0 = self.0 << bits | value & ((1 << bits) - 1);
    }

    pub(super) const fn finish(self) -> Kind {
        Kind::from_bits(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_tells_kinds_apart() {
        let kinds = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[one, other]| {
            let mut kind = Packed::new();
            kind.add(1, one);
            kind.add(62, other);
            kind.finish()
        });
        assert!((0..4).all(|one| (0..4).all(|other| (kinds[one] == kinds[other]) == (one == other))));
    }
}
