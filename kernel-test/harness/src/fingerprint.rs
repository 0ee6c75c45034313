//! Whether something is as it was, said in one number.

use core::fmt::{self, Write};

/// A hash of what something prints as (FNV-1a, 64 bits).
#[derive(Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;

    /// The number for this value.
    pub fn of(value: &impl fmt::Debug) -> u64 {
        let mut fingerprint = Self(Self::BASIS);
        write!(fingerprint, "{value:?}").expect("a hash has room for everything");
        fingerprint.0
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(Self::PRIME));
        Ok(())
    }
}
