//! A unit's registers as bytes, for a guest that is stored or moves to another host.
//!
//! ```text
//! offset   0     8        16        20       24            32
//!          magic family   version   words    fingerprint   the words of the unit's registers
//! bytes    8     8        4         4        8             8 each
//! ```
//!
//! Numbers are little-endian. The words are those of the family's `State`, in the order of its fields. A later version of
//! a family's format has more words, which come last: in a snapshot of an older version they are as after a reset. The
//! fingerprint is a number for what the guest has been told of its unit, so that it never wakes up on another.

use core::fmt;

use super::{Fault, Words};

const MAGIC: [u8; 8] = *b"PMU unit";
const HEADER: usize = 32;
/// The most words that a family has.
const MOST: usize = 102;

/// The name of a family of units in its snapshots: up to eight ASCII letters or digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Family([u8; 8]);

impl Family {
    /// Creates a name.
    ///
    /// # Panics
    /// If `name` has more than eight bytes.
    #[must_use]
    pub const fn new(name: &str) -> Self {
        let (name, mut bytes) = (name.as_bytes(), [0; 8]);
        assert!(name.len() <= bytes.len(), "a family's name has at most eight bytes");
        bytes.split_at_mut(name.len()).0.copy_from_slice(name);
        Self(bytes)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.iter().position(|&byte| byte == 0).unwrap_or(self.0.len());
        write!(f, "{}", self.0.get(..end).unwrap_or_default().escape_ascii())
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A number for what a guest is told of its unit: which processor it is, and which counters, bits and events it has.
///
/// Units of equal fingerprints take each other's snapshots. It does not depend on what a host observes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Returns the fingerprint of these words.
    #[must_use]
    pub fn of(words: impl IntoIterator<Item = u64>) -> Self {
        Self(hash(words.into_iter().flat_map(u64::to_le_bytes)))
    }
}

/// Returns the FNV-1a hash of the bytes, of 64 bits (Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm").
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The contents of all registers of a unit, as plain data.
pub trait Contents: Copy + PartialEq + fmt::Debug + Default + Words {
    /// The family's name.
    const FAMILY: Family;
    /// The number of words in each version of the format, from version 1 on. The last is the one that is written.
    const VERSIONS: &'static [usize];
}

/// A unit's registers as bytes.
///
/// [`Device::snapshot`](super::Device::snapshot) takes it, and [`Device::restore`](super::Device::restore) reads its bytes.
/// They may come from another host, and from an older version of this crate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    bytes: [u8; HEADER + 8 * MOST],
    length: usize,
}

impl Snapshot {
    /// Creates the snapshot of a unit with these contents, for a host that has them from elsewhere, such as another
    /// hypervisor. `fingerprint` is the [`fingerprint`](super::Device::fingerprint) of the unit that it is for.
    #[must_use]
    pub fn new<S: Contents>(fingerprint: Fingerprint, contents: &S) -> Self {
        const { assert!(!S::VERSIONS.is_empty() && S::VERSIONS[S::VERSIONS.len() - 1] <= MOST) };
        let words = S::VERSIONS.last().copied().unwrap_or_default();
        let mut snapshot = Self { bytes: [0; HEADER + 8 * MOST], length: HEADER + 8 * words };
        snapshot.set(0, MAGIC);
        snapshot.set(8, S::FAMILY.0);
        snapshot.set(16, (S::VERSIONS.len() as u32).to_le_bytes());
        snapshot.set(20, (words as u32).to_le_bytes());
        snapshot.set(24, fingerprint.0.to_le_bytes());
        let (mut copy, mut at) = (*contents, HEADER);
        copy.exchange(&mut |word| {
            snapshot.set(at, word.to_le_bytes());
            at += 8;
            word
        });
        debug_assert_eq!(at, HEADER + 8 * words, "the newest version has all words of {}", S::FAMILY);
        snapshot
    }

    /// Returns the bytes, for a file or for another host.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    fn set<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        self.bytes.get_mut(at..at + N).into_iter().for_each(|place| place.copy_from_slice(&bytes));
    }

    /// Returns the contents that the bytes of a snapshot have for a unit whose guest was told this.
    ///
    /// # Errors
    /// All of [`RestoreError`].
    pub(crate) fn read<S: Contents>(bytes: &[u8], fingerprint: Fingerprint) -> Result<S, RestoreError> {
        let (version, words) = check_header::<S>(bytes, fingerprint)?;
        let expected = *S::VERSIONS.get(version).ok_or(RestoreError::NoSnapshot)?;
        let found = bytes.len() - HEADER;
        if words != expected || found != 8 * expected {
            return Err(RestoreError::Length { found: bytes.len(), expected: HEADER + 8 * expected });
        }
        let mut left = bytes.get(HEADER..).unwrap_or_default();
        let mut contents = S::default();
        let fits = contents.exchange(&mut |since| match left.split_first_chunk() {
            Some((word, rest)) => {
                left = rest;
                u64::from_le_bytes(*word)
            }
            None => since,
        });
        if fits { Ok(contents) } else { Err(RestoreError::Contents(Fault::Reserved)) }
    }
}

/// Checks everything before the number of words. Returns that, and the index of the version.
fn check_header<S: Contents>(bytes: &[u8], fingerprint: Fingerprint) -> Result<(usize, usize), RestoreError> {
    if field(bytes, 0) != Some(MAGIC) {
        return Err(RestoreError::NoSnapshot);
    }
    let is_partial = RestoreError::Length { found: bytes.len(), expected: HEADER };
    let (family, version) = (field(bytes, 8).ok_or(is_partial)?, field(bytes, 16).ok_or(is_partial)?);
    let (words, found) = (field(bytes, 20).ok_or(is_partial)?, field(bytes, 24).ok_or(is_partial)?);
    if family != S::FAMILY.0 {
        return Err(RestoreError::Family { found: Family(family), expected: S::FAMILY });
    }
    let (version, newest) = (u32::from_le_bytes(version), S::VERSIONS.len() as u32);
    if version == 0 || version > newest {
        return Err(RestoreError::Version { found: version, newest });
    }
    if u64::from_le_bytes(found) != fingerprint.0 {
        return Err(RestoreError::Identity);
    }
    Ok((version as usize - 1, u32::from_le_bytes(words) as usize))
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Snapshot").field(&self.as_bytes()).finish()
    }
}

/// The reason why a unit is not restored from bytes. It has not changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes do not begin as a snapshot does.
    NoSnapshot,
    /// Bytes are missing, or there are too many.
    Length {
        /// The number of bytes.
        found: usize,
        /// The number that the snapshot should have.
        expected: usize,
    },
    /// The snapshot is of another family's unit.
    Family {
        /// The snapshot's family.
        found: Family,
        /// The unit's family.
        expected: Family,
    },
    /// The version of the format is not known.
    Version {
        /// The snapshot's version.
        found: u32,
        /// The newest version that is known. All from 1 on are.
        newest: u32,
    },
    /// The guest has been told of another unit.
    Identity,
    /// The unit's registers cannot have these contents.
    Contents(Fault),
}

impl From<Fault> for RestoreError {
    fn from(fault: Fault) -> Self {
        Self::Contents(fault)
    }
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSnapshot => f.write_str("these bytes are not a unit's snapshot: pass what as_bytes returned"),
            Self::Length { found, expected } => {
                write!(f, "the snapshot has {found} bytes and should have {expected}: pass all of it, and nothing else")
            }
            Self::Family { found, expected } => {
                write!(f, "the snapshot is of the family {found}, and the unit of {expected}: create a unit of {found}")
            }
            Self::Version { found, newest } => {
                write!(
                    f,
                    "the snapshot has format {found}, and formats 1 to {newest} are known: restore it with the "
                )?;
                f.write_str("version of this crate that wrote it, or a later one")
            }
            Self::Identity => {
                f.write_str("the guest was told of another unit: create the unit from the identity that the guest had")
            }
            Self::Contents(fault) => {
                write!(
                    f,
                    "the registers cannot have these contents ({fault}): the snapshot was changed since it was "
                )?;
                f.write_str("taken, so take it again")
            }
        }
    }
}

impl core::error::Error for RestoreError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::virt::words;

    /// A unit as it was at first.
    #[derive(Clone, Copy, PartialEq, Debug, Default)]
    struct First {
        counter: u64,
        is_high: bool,
    }
    words!(First { counter, is_high });

    impl Contents for First {
        const FAMILY: Family = Family::new("toy");
        const VERSIONS: &'static [usize] = &[2];
    }

    /// The same unit, of which more is kept since.
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Second {
        counter: u64,
        is_high: bool,
        datum: Option<u32>,
    }
    words!(Second { counter, is_high, datum });

    impl Contents for Second {
        const FAMILY: Family = Family::new("toy");
        const VERSIONS: &'static [usize] = &[2, 4];
    }

    impl Default for Second {
        fn default() -> Self {
            Self { counter: 0, is_high: false, datum: Some(9) }
        }
    }

    const TOLD: Fingerprint = Fingerprint(0x1122_3344_5566_7788);

    #[test]
    fn the_contents_come_back() {
        for datum in [None, Some(0), Some(u32::MAX)] {
            let contents = Second { counter: u64::MAX, is_high: true, datum };
            assert_eq!(Snapshot::read(Snapshot::new(TOLD, &contents).as_bytes(), TOLD), Ok(contents));
        }
    }

    #[test]
    fn the_first_version_is_still_read_and_what_is_new_is_as_after_a_reset() {
        let bytes = *b"PMU unittoy\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x88\x77\x66\x55\x44\x33\x22\x11\
            \x05\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0";
        assert_eq!(Snapshot::new(TOLD, &First { counter: 5, is_high: true }).as_bytes(), bytes);
        assert_eq!(Snapshot::read(&bytes, TOLD), Ok(Second { counter: 5, is_high: true, datum: Some(9) }));
    }

    #[test]
    fn a_later_version_is_refused_and_the_error_says_how_to_restore_it() {
        let later = Snapshot::new(TOLD, &Second::default());
        let error = Snapshot::read::<First>(later.as_bytes(), TOLD).unwrap_err();
        assert_eq!(error, RestoreError::Version { found: 2, newest: 1 });
        assert!(error.to_string().contains("or a later one"));
    }

    #[test]
    fn every_part_of_a_snapshot_is_refused_and_so_is_more_than_one() {
        let snapshot = Snapshot::new(TOLD, &Second::default());
        let whole = snapshot.as_bytes();
        for end in 0..whole.len() {
            let expected = match end {
                0..8 => RestoreError::NoSnapshot,
                8..32 => RestoreError::Length { found: end, expected: 32 },
                _ => RestoreError::Length { found: end, expected: 64 },
            };
            assert_eq!(Snapshot::read::<Second>(&whole[..end], TOLD), Err(expected), "{end} bytes");
        }
        let error = RestoreError::Length { found: 128, expected: 64 };
        assert_eq!(Snapshot::read::<Second>(&whole.repeat(2), TOLD), Err(error));
    }

    #[test]
    fn a_number_of_words_that_is_not_its_versions_is_refused() {
        let mut snapshot = Snapshot::new(TOLD, &Second::default());
        snapshot.set(20, u32::MAX.to_le_bytes());
        assert!(matches!(Snapshot::read::<Second>(snapshot.as_bytes(), TOLD), Err(RestoreError::Length { .. })));
    }

    #[test]
    fn no_version_is_0_and_no_field_takes_a_word_that_it_cannot_hold() {
        let snapshot = Snapshot::new(TOLD, &Second::default());
        let with = |at, word: u64| {
            let mut forged = snapshot;
            forged.set(at, word.to_le_bytes());
            Snapshot::read::<Second>(forged.as_bytes(), TOLD).err()
        };
        assert_eq!(with(16, 4 << 32), Some(RestoreError::Version { found: 0, newest: 2 }));
        for (at, word) in [(40, 2), (48, 2), (56, 1 << 32), (48, 0)] {
            assert_eq!(with(at, word), Some(RestoreError::Contents(Fault::Reserved)), "{word} at {at}");
        }
    }

    #[test]
    fn another_family_and_another_identity_are_named() {
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        struct Other(u64);
        impl Words for Other {
            fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
                self.0.exchange(exchange)
            }
        }
        impl Contents for Other {
            const FAMILY: Family = Family::new("sparrow8");
            const VERSIONS: &'static [usize] = &[1];
        }
        let toy = Snapshot::new(TOLD, &First::default());
        let error = Snapshot::read::<Other>(toy.as_bytes(), TOLD).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the snapshot is of the family toy, and the unit of sparrow8: create a unit of toy"
        );
        assert_eq!(Snapshot::read::<First>(toy.as_bytes(), Fingerprint(1)), Err(RestoreError::Identity));
    }

    #[test]
    fn the_hash_is_the_published_one() {
        let of = |text: &str| hash(text.bytes());
        let expected = [0xCBF2_9CE4_8422_2325, 0xAF63_DC4C_8601_EC8C, 0x8594_4171_F739_67E8];
        assert_eq!([of(""), of("a"), of("foobar")], expected, "the FNV test vectors");
        assert_ne!(Fingerprint::of([1, 0]), Fingerprint::of([0, 1]));
    }
}
