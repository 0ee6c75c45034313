//! What a hostile guest chooses, from bytes: a fuzzer's, or noise that is the same in every run.

use super::chance::Chance;
use super::effort;

/// The choices of a guest, from the bytes; 0 once they are used up.
pub(crate) struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    pub(crate) fn below(&mut self, end: u8) -> u8 {
        self.byte() % end
    }

    pub(crate) fn word(&mut self) -> u64 {
        u64::from_le_bytes([0; 8].map(|_: u8| self.byte()))
    }
}

/// Lets `guest` make a million random accesses, and a tenth of them in a short run. It returns how many it makes of some
/// bytes.
pub(crate) fn a_million(guest: impl Fn(&[u8]) -> u64) {
    let mut accesses = 0;
    let mut bytes = noise(0x9E37_79B9_7F4A_7C15);
    while accesses < effort::whole_or(1_000_000, 100_000) {
        let some: Vec<u8> = bytes.by_ref().take(4096).collect();
        accesses += guest(&some);
    }
}

/// Random bytes.
pub(crate) fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let mut chance = Chance(seed);
    std::iter::repeat_with(move || chance.any()).flat_map(u64::to_le_bytes)
}
