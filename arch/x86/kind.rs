//! The number that tells units apart that do not take each other's placements.

use crate::contract::Kind;

/// Packs numbers into a kind. Each comes with the number of bits that it takes; together they take 63 at most.
pub(super) fn packed<const N: usize>(fields: [(u64, u32); N]) -> Kind {
    let pack = |all: u64, &(value, bits): &(u64, u32)| all << bits | value & ((1 << bits) - 1);
    Kind::from_bits(fields.iter().fold(0, pack))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_tells_kinds_apart() {
        let kinds = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[one, other]| packed([(one, 1), (other, 62)]));
        assert!((0..4).all(|one| (0..4).all(|other| (kinds[one] == kinds[other]) == (one == other))));
    }
}
