//! What perf's users write for an event: the name of a generic one, or a code; and libpfm's names for these, as
//! `perf::PERF_COUNT_HW_CPU_CYCLES`.

use core::iter;

use super::super::names::{self, Found};
use super::super::scan::{Piece, are_digits};
use super::super::{Error, Problem};
use crate::event::catalogue::{Catalogue, EventName};

/// libpfm's names of the unit that has perf's events.
const UNITS: [&str; 2] = [UNIT, "perf_raw"];
/// The one of its generic events.
pub(super) const UNIT: &str = "perf";
/// How libpfm's names of them begin.
const PREFIX: &[u8] = b"PERF_COUNT_HW_";

/// How perf's names begin of the events that have no codes here (perf-list(1), "hardware events", "hardware cache events").
const WITHOUT_CODES: [&str; 9] =
    ["L1-dcache-", "L1-icache-", "LLC-", "dTLB-", "iTLB-", "branch-load", "node-", "bus-cycles", "stalled-cycles-"];

/// The answer to them. Which generic events the unit counts is its driver's to say.
const NO_CODE: &str = "an event of this processor's own, or cache-references or cache-misses where the unit counts them: \
    perf's cache, bus and stall events have no codes here";

/// perf's names of cache events, each with PAPI's names for about the same, the nearer one first.
const PAPIS: [(&str, [&str; 2]); 12] = [
    ("branch-load-misses", ["papi_br_msp"; 2]),
    ("branch-loads", ["papi_br_ins"; 2]),
    ("dTLB-load-misses", ["papi_tlb_dm"; 2]),
    ("iTLB-load-misses", ["papi_tlb_im"; 2]),
    ("L1-dcache-load-misses", ["papi_l1_dcm", "papi_l1_ldm"]),
    ("L1-dcache-loads", ["papi_l1_dcr", "papi_l1_dca"]),
    ("L1-dcache-store-misses", ["papi_l1_stm", "papi_l1_dcm"]),
    ("L1-dcache-stores", ["papi_l1_dcw", "papi_l1_dca"]),
    ("L1-icache-load-misses", ["papi_l1_icm"; 2]),
    ("L1-icache-loads", ["papi_l1_icr", "papi_l1_ica"]),
    ("LLC-load-misses", ["papi_l3_tcm", "papi_l2_tcm"]),
    ("LLC-loads", ["papi_l3_tca", "papi_l2_tca"]),
];

/// Finds what perf's users write for an event: a generic event's name, or `r` and a code in hexadecimal digits.
#[cold]
pub(super) fn event_of(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let is_it = |name: &str| begins(word, name) && without_prefix(word).len() == name.len();
    let generic = names::generics().find(|(name, _)| is_it(name)).map(|(_, generic)| Found::Common(generic));
    generic.or_else(|| raw(catalogue, word))
}

/// Returns true if a word is one of libpfm's names of the unit that has perf's events.
pub(super) fn is_unit(word: Piece) -> bool {
    UNITS.into_iter().any(|unit| word.is(unit))
}

/// Returns true if a word begins like one of perf's names, as perf or libpfm writes it. Case does not matter.
fn begins(word: Piece, name: &str) -> bool {
    let word = without_prefix(word);
    let is_like = |(one, other): (&u8, u8)| one.eq_ignore_ascii_case(&other) || (*one, other) == (b'_', b'-');
    word.len() >= name.len() && word.iter().zip(name.bytes()).all(is_like)
}

/// Returns a word without what libpfm's names of perf's events begin with.
fn without_prefix(word: Piece<'_>) -> &[u8] {
    let has_it = word.text.get(..PREFIX.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(PREFIX));
    word.text.get(if has_it { PREFIX.len() } else { 0 }..).unwrap_or_default()
}

fn raw(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let digits = str::from_utf8(word.text.strip_prefix(b"r")?).ok()?;
    let is_code = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = u64::from_str_radix(digits, 16).ok().filter(|_| is_code)?;
    (code != 0 || names::names_zero(catalogue)).then_some(Found::Code(code))
}

/// Returns what is wrong with a word that names no event. `whole` is the word with what may be part of the name.
#[cold]
pub(super) fn unknown(catalogue: &'static Catalogue, word: Piece, whole: Piece) -> Error {
    if whole.text.contains(&b'/') {
        return whole.error(Problem::Expected("an event without perf's slashes: its name, or r and its code"));
    }
    if let Some(b'{') = whole.text.first() {
        return whole
            .error(Problem::Expected("events without perf's braces: all that are written are counted together"));
    }
    if word.text.strip_prefix(b"r").is_some_and(|digits| digits.len() > 16 && are_digits(digits, 16)) {
        return word.error(Problem::OutOfRange { largest: u64::MAX });
    }
    if lacks_code(whole) && names::unknown_here(catalogue, word, whole, iter::empty()).nearest.is_none() {
        return whole.error(Problem::Expected(NO_CODE)).near(papis(catalogue, word));
    }
    names::unknown(catalogue, word, whole, iter::empty())
}

fn lacks_code(word: Piece) -> bool {
    WITHOUT_CODES.into_iter().any(|name| begins(word, name))
}

/// Returns PAPI's name for about the same as one of perf's cache events, if the processor counts it by one event.
fn papis(catalogue: &'static Catalogue, word: Piece) -> Option<EventName> {
    let (_, names) = PAPIS.into_iter().find(|(perfs, _)| word.is(perfs))?;
    let is_counted = |name: &&str| catalogue.generic(name).is_some() || catalogue.alias(name.as_bytes()).is_some();
    names.into_iter().find(is_counted).map(EventName::new)
}
