//! What a hostile guest chooses, from bytes: a fuzzer's, or noise that is the same in every run.

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

/// Lets `guest` make a million random accesses, the same in every run. It returns how many it makes of some bytes.
pub(crate) fn a_million(guest: impl Fn(&[u8]) -> u64) {
    let mut accesses = 0;
    let mut bytes = noise(0x9E37_79B9_7F4A_7C15);
    while accesses < 1_000_000 {
        let some: Vec<u8> = bytes.by_ref().take(4096).collect();
        accesses += guest(&some);
    }
}

/// Marsaglia's xorshift.
pub(crate) fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let step = |x: &u64| {
        let x = x ^ x << 13;
        let x = x ^ x >> 7;
        Some(x ^ x << 17)
    };
    std::iter::successors(Some(seed), step).flat_map(u64::to_le_bytes)
}
