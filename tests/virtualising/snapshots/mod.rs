//! Snapshots of every family's unit: bytes that come back, that only the same unit takes, and that nobody can forge.

use crate::families;
use crate::support::chance::Chance;
use pmu::Mode;
use pmu::arch::{self, x86};
use pmu::virt::{Device, Kind, Kinds, RestoreError, Snapshot, Unconnected, Work};

/// A unit of any family.
trait Unit {
    fn take(&self) -> Snapshot;
    fn put(&self, bytes: &[u8]) -> Result<(), RestoreError>;
    /// Works, and asks everything that a host asks.
    fn use_it(&self);
}

impl<D: Device> Unit for D {
    fn take(&self) -> Snapshot {
        self.snapshot()
    }

    fn put(&self, bytes: &[u8]) -> Result<(), RestoreError> {
        self.restore(bytes)
    }

    fn use_it(&self) {
        let step = Work::instructions(Mode::User, 0x4000_0001).with(Kind::Branches, u64::MAX);
        assert_ne!(self.until_overflow(&step), Some(0));
        self.advance(&step);
        assert!(self.unfed().into_iter().count() <= 64);
        self.wanted();
    }
}

/// Adds the units of all identities of each family, with a name each.
macro_rules! units_of_each {
    ($($isa:ident::$family:ident: $it:ident => $unit:expr, $on:ident => $driver:expr, $fields:expr;)*) => {{
        let mut units: Vec<(String, Box<dyn Unit>)> = Vec::new();
        $({
            use arch::$isa::$family;
            units.extend($family::Identity::ALL.map(|$it| ($it.name().to_owned(), Box::new($unit) as _)));
        })*
        units
    }};
}

fn units() -> Vec<(String, Box<dyn Unit>)> {
    families::each!(units_of_each)
}

#[test]
fn only_a_unit_of_the_same_identity_takes_a_snapshot() {
    let units = units();
    for (from, (source, one)) in units.iter().enumerate() {
        let snapshot = one.take();
        for (to, (target, other)) in units.iter().enumerate() {
            let before = other.take();
            let outcome = other.put(snapshot.as_bytes());
            assert_eq!(outcome.is_ok(), from == to, "from {source} to {target}");
            let is_family = before.as_bytes()[8..16] == snapshot.as_bytes()[8..16];
            match outcome {
                Ok(()) => assert_eq!(other.take(), snapshot, "{target}"),
                Err(RestoreError::Identity) => assert!(is_family, "from {source} to {target}"),
                Err(RestoreError::Family { .. }) => assert!(!is_family, "from {source} to {target}"),
                Err(error) => panic!("from {source} to {target}: {error}"),
            }
            assert!(outcome.is_ok() || other.take() == before, "{target} has changed");
        }
    }
}

#[test]
fn a_zen_4_refuses_the_snapshot_of_a_zen_2_and_the_error_says_what_to_do() {
    let unit = |identity| x86::amd::Device::new(&identity, Kinds::CLOCK, Unconnected);
    let (from, to) = (unit(x86::amd::Identity::ZEN_2), unit(x86::amd::Identity::ZEN_4));
    let error = to.restore(from.snapshot().as_bytes()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the guest was told of another unit: create the unit from the identity that the guest had"
    );
}

#[test]
fn what_a_guest_is_told_makes_another_unit_and_what_the_host_observes_does_not() {
    let told = |identity: x86::intel::Identity, observed| {
        x86::intel::Device::new(&identity, observed, Unconnected).fingerprint()
    };
    let skylake = x86::intel::Identity::SKYLAKE;
    let plain = told(skylake, Kinds::CLOCK);
    assert_eq!(plain, told(skylake, Kinds::NONE));
    let others = [
        skylake.with_general_counters(4),
        skylake.with_fixed_counters(2),
        skylake.without_events(x86::intel::Architectural::CACHE_MISSES),
        skylake.with_signature(0x0005_06E4),
        skylake.with_force_abort(),
        skylake.with_freezing_in_smm(),
    ];
    for other in others {
        assert_ne!(told(other, Kinds::CLOCK), plain, "{other:?}");
    }
}

/// Snapshots of version 1, as they were written when it was the newest: `identity: bytes`.
const VERSION_1: &str = include_str!("version_1.txt");

#[test]
fn snapshots_of_version_1_are_still_read() {
    let units = units();
    let lines = VERSION_1.lines().filter(|line| !line.starts_with('#'));
    for (name, digits) in lines.clone().filter_map(|line| line.split_once(": ")) {
        let pairs = digits.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).unwrap());
        let bytes: Vec<u8> = pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect();
        assert_eq!(bytes[16..20], [1, 0, 0, 0]);
        let (_, unit) = units.iter().find(|(known, _)| known == name).unwrap();
        assert_eq!(unit.put(&bytes), Ok(()), "{name}");
        assert_eq!(unit.take().as_bytes()[32..bytes.len()], bytes[32..], "{name}: later versions have more words");
    }
    assert_eq!(lines.count(), 13, "one of each family");
}

#[test]
fn bytes_that_were_changed_are_refused_or_are_a_snapshot_that_the_unit_could_have_made() {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let mut below = |end: usize| chance.below(end as u64) as usize;
    let (mut taken, mut refused) = (0, 0);
    for (name, unit) in &units() {
        for _ in 0..2000 {
            let before = unit.take();
            let mut bytes = before.as_bytes().to_vec();
            for _ in 0..=below(3) {
                let at = 32 + below(bytes.len() - 32);
                bytes[at] = if below(2) == 0 { 1 << below(8) } else { below(256) as u8 };
            }
            let outcome = unit.put(&bytes);
            let expected = if outcome.is_ok() { &bytes } else { before.as_bytes() };
            assert_eq!(unit.take().as_bytes(), expected, "{name}");
            let count = if outcome.is_ok() { &mut taken } else { &mut refused };
            *count += 1;
            unit.use_it();
        }
    }
    assert!(taken > 1000 && refused > 1000, "{taken} taken and {refused} refused");
}

#[test]
fn every_part_of_a_snapshot_is_refused() {
    for (name, unit) in &units() {
        let snapshot = unit.take();
        for end in 0..snapshot.as_bytes().len() {
            let outcome = unit.put(&snapshot.as_bytes()[..end]);
            assert!(matches!(outcome, Err(RestoreError::NoSnapshot | RestoreError::Length { .. })), "{name}, {end}");
        }
    }
}
