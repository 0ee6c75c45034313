//! The hash by which a packed table finds a name. The generator and the library compute it alike.
//!
//! Names that are equal but for case, or for `.` and `:`, have one hash. The letters are taken eight at a time, and the last
//! eight once more, so that no name needs its last letters one by one.

/// The hash of the beginnings of a text.
pub(super) struct Hasher<'t> {
    text: &'t [u8],
    /// What is not in the state yet.
    rest: &'t [u8],
    state: u64,
}

impl<'t> Hasher<'t> {
    #[inline]
    pub(super) const fn new(text: &'t [u8]) -> Self {
        Self { text, rest: text, state: 0 }
    }

    /// Returns the hash of the first letters. Each call MUST ask for at least as many as the one before.
    #[inline]
    pub(super) fn of_first(&mut self, length: usize) -> u32 {
        let behind = self.text.len().saturating_sub(length);
        while self.rest.len() >= behind + 8
            && let Some((eight, rest)) = self.rest.split_first_chunk()
        {
            self.state = mixed(self.state, u64::from_le_bytes(*eight));
            self.rest = rest;
        }
        let letters = self.text.get(..length).unwrap_or(self.text);
        let last = letters.last_chunk().map_or_else(|| few(letters), |eight| u64::from_le_bytes(*eight));
        let state = mixed(self.state, last) ^ letters.len() as u64;
        ((state ^ state >> 32).wrapping_mul(FACTOR) >> 32) as u32
    }
}

/// 2 to the 64th divided by the golden ratio, as an odd number: D. E. Knuth, The Art of Computer Programming, vol. 3, 6.4.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
const fn mixed(state: u64, letters: u64) -> u64 {
    (state.rotate_left(29) ^ folded(letters)).wrapping_mul(FACTOR)
}

/// Makes letters equal that a name may have in place of each other. `.` (2EH) and `:` (3AH) differ in bits 2 and 4, and the
/// cases of a letter in bit 5. A few pairs of letters become equal too, which a hash may.
#[inline]
const fn folded(letters: u64) -> u64 {
    (letters ^ letters >> 2 & each(0x04)) & each(0xCF)
}

/// Returns fewer than eight letters.
#[inline(never)]
fn few(letters: &[u8]) -> u64 {
    letters.iter().fold(0, |word, &letter| word << 8 | u64::from(letter))
}

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> u32 {
        Hasher::new(text.as_bytes()).of_first(text.len())
    }

    #[test]
    fn one_name_has_one_hash_however_it_is_written() {
        for name in ["", "A", "INST_RETIRED.ANY", "L2_RQSTS.ALL_RFO", "ABCDEFGH", "EIGHTEEN.LETTERS.X"] {
            for text in [name.to_lowercase(), name.replace('.', ":")] {
                assert_eq!(hash(name), hash(&text), "{text}");
            }
        }
        assert_ne!(hash("PMC1_X"), hash("PMC2_X"));
        assert_ne!(hash("ABCDEFGH"), hash("ABCDEFGHABCDEFGH"));
    }

    #[test]
    fn beginnings_are_hashed_as_they_are_alone() {
        let text = "L1D_PEND_MISS:PENDING_CYCLES:u:c=1";
        let mut hasher = Hasher::new(text.as_bytes());
        for end in [13, 28, 30, text.len()] {
            assert_eq!(hasher.of_first(end), hash(&text[..end]));
        }
    }
}
