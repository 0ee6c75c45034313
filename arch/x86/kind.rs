//! The number that tells units apart that do not take each other's placements.

use crate::contract::Kind;

/// Numbers that are packed into a kind. Together they take 63 bits at most.
pub(super) struct Packed {
    bits: u64,
    events: u64,
}

impl Packed {
    pub(super) const fn new() -> Self {
        Self { bits: 0, events: 0 }
    }

    /// Adds a number of so many bits.
    #[inline(always)]
    pub(super) const fn add(&mut self, bits: u32, value: u64) {
        self.bits = self.bits << bits | value & ((1 << bits) - 1);
    }

    /// The numbers so far are those that events depend on. Only placements depend on the rest.
    #[inline(always)]
    pub(super) const fn end_events(&mut self) {
        self.events = self.bits;
    }

    pub(super) const fn finish(self) -> Kind {
        Kind::new(self.events, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_events_tell_kinds_apart_and_all_fields_tell_placements() {
        let kinds = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[one, other]| {
            let mut kind = Packed::new();
            kind.add(1, one);
            kind.end_events();
            kind.add(62, other);
            kind.finish()
        });
        assert!((0..4).all(|one| (0..4).all(|other| (kinds[one] == kinds[other]) == (one / 2 == other / 2))));
        assert!((0..4).all(|one| (0..4).all(|other| (kinds[one].alone() == kinds[other].alone()) == (one == other))));
    }
}
