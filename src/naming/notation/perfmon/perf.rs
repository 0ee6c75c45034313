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

/// How perf's names begin of the events that have no codes here (perf-list(1), "hardware events", "hardware cache events"; for
/// Intel's own torvalds/linux arch/x86/events/intel/core.c), each with the answer. Which generic events the unit counts is its
/// driver's to say.
const WITHOUT_CODES: [(&str, &str); 12] = [
    ("L1-dcache-", NO_CODE),
    ("L1-icache-", NO_CODE),
    ("LLC-", NO_CODE),
    ("dTLB-", NO_CODE),
    ("iTLB-", NO_CODE),
    ("branch-load", NO_CODE),
    ("node-", NO_CODE),
    ("bus-cycles", NO_CODE),
    ("stalled-cycles-", NO_CODE),
    ("mem-loads", OF_DEBUG_STORE),
    ("mem-stores", OF_DEBUG_STORE),
    ("topdown-", NO_METRICS),
];
const NO_CODE: &str = "an event of this processor's own, or cache-references or cache-misses where the unit counts them: \
    perf's cache, bus and stall events have no codes here";
const OF_DEBUG_STORE: &str = "an event that a counter counts: this one is for samples by the debug store (PEBS), which this \
    driver does not program";
const NO_METRICS: &str = "an event of this processor's own, or slots where the unit counts them: this processor has no event \
    with the code of perf's, or perf computes it from PERF_METRICS, which this driver does not read";

/// perf's names of the processor's own events of slots, each with Intel's names of the one that has the same code.
const OWN: [(&str, &[&str]); 7] = [
    ("topdown-bad-spec", &["TOPDOWN_BAD_SPECULATION.ALL_P", "TOPDOWN_BAD_SPECULATION.ALL"]),
    ("topdown-be-bound", &["TOPDOWN_BE_BOUND.ALL_P", "TOPDOWN_BE_BOUND.ALL"]),
    ("topdown-fe-bound", &["TOPDOWN_FE_BOUND.ALL_P", "TOPDOWN_FE_BOUND.ALL"]),
    ("topdown-fetch-bubbles", &["IDQ_UOPS_NOT_DELIVERED.CORE"]),
    ("topdown-retiring", &["TOPDOWN_RETIRING.ALL_P", "TOPDOWN_RETIRING.ALL"]),
    ("topdown-slots-issued", &["UOPS_ISSUED.ANY"]),
    ("topdown-slots-retired", &["UOPS_RETIRED.RETIRE_SLOTS"]),
];

/// Names of perf's that have no codes, each with names for about the same, PAPI's or Intel's, the nearer one first.
const INSTEAD: [(&str, &[&str]); 23] = [
    ("branch-load-misses", &["papi_br_msp"]),
    ("branch-loads", &["papi_br_ins"]),
    ("dTLB-load-misses", &["papi_tlb_dm"]),
    ("iTLB-load-misses", &["papi_tlb_im"]),
    ("L1-dcache-load-misses", &["papi_l1_dcm", "papi_l1_ldm"]),
    ("L1-dcache-loads", &["papi_l1_dcr", "papi_l1_dca"]),
    ("L1-dcache-store-misses", &["papi_l1_stm", "papi_l1_dcm"]),
    ("L1-dcache-stores", &["papi_l1_dcw", "papi_l1_dca"]),
    ("L1-icache-load-misses", &["papi_l1_icm"]),
    ("L1-icache-loads", &["papi_l1_icr", "papi_l1_ica"]),
    ("LLC-load-misses", &["papi_l3_tcm", "papi_l2_tcm"]),
    ("LLC-loads", &["papi_l3_tca", "papi_l2_tca"]),
    ("mem-loads", &["MEM_INST_RETIRED.ALL_LOADS", "MEM_UOPS_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.LOADS"]),
    ("mem-stores", &["MEM_INST_RETIRED.ALL_STORES", "MEM_UOPS_RETIRED.ALL_STORES", "MEM_INST_RETIRED.STORES"]),
    ("topdown-bad-spec", &["TOPDOWN.BAD_SPEC_SLOTS"]),
    ("topdown-be-bound", &["TOPDOWN.BACKEND_BOUND_SLOTS"]),
    ("topdown-br-mispredict", &["TOPDOWN.BR_MISPREDICT_SLOTS"]),
    ("topdown-fe-bound", &["IDQ_BUBBLES.CORE", "IDQ_UOPS_NOT_DELIVERED.CORE"]),
    ("topdown-heavy-ops", &["UOPS_RETIRED.HEAVY"]),
    ("topdown-mem-bound", &["TOPDOWN.MEMORY_BOUND_SLOTS"]),
    ("topdown-recovery-bubbles", &["INT_MISC.RECOVERY_CYCLES"]),
    ("topdown-retiring", &["UOPS_RETIRED.SLOTS", "UOPS_RETIRED.RETIRE_SLOTS"]),
    ("topdown-total-slots", &["TOPDOWN.SLOTS_P", "CPU_CLK_UNHALTED.THREAD_P", "CPU_CLK_UNHALTED.CORE_P"]),
];

/// How the names end of the events that Intel's lists have for the debug store alone.
const ENDS_OF_DEBUG_STORE: [&str; 4] = ["_PS", "_PEBS", "_RETIRED.LATENCY_GE_1", "_RETIRED.LATENCY_ABOVE_THRESHOLD_0"];

/// Finds what perf's users write for an event: a generic event's name, or `r` and a code in hexadecimal digits.
#[cold]
pub(super) fn event_of(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let is_it = |name: &str| begins(word, name) && without_prefix(word).len() == name.len();
    let generic = names::generics().find(|(name, _)| is_it(name)).map(|(_, generic)| Found::Common(generic));
    generic.or_else(|| own(catalogue, word)).or_else(|| raw(catalogue, word))
}

/// Finds the processor's own event that has a name of perf's.
fn own(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let (_, names) = OWN.into_iter().find(|(perfs, _)| word.is(perfs))?;
    names.iter().find_map(|name| catalogue.named(name)).map(Found::Own)
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
    if let Some(reason) = why_without_code(whole)
        && names::unknown_here(catalogue, word, whole, iter::empty()).nearest.is_none()
    {
        return whole.error(Problem::Expected(reason)).near(instead(catalogue, word));
    }
    names::unknown(catalogue, word, whole, iter::empty())
}

/// A word without a hyphen is perf's if it begins as libpfm's names of perf's events: `DTLB_MISSES` is Intel's.
fn why_without_code(word: Piece) -> Option<&'static str> {
    let is_perfs = word.text.contains(&b'-') || without_prefix(word).len() < word.text.len();
    if !is_perfs {
        return None;
    }
    WITHOUT_CODES.into_iter().find(|(name, _)| begins(word, name)).map(|(_, reason)| reason)
}

/// Returns a name for about the same as one of perf's events, if the processor counts it by one event.
fn instead(catalogue: &'static Catalogue, word: Piece) -> Option<EventName> {
    let (_, names) = INSTEAD.into_iter().find(|(perfs, _)| word.is(perfs))?;
    let is_counted = |name: &&&str| {
        let is_generic = catalogue.generic(name).is_some() || catalogue.alias(name.as_bytes()).is_some();
        is_generic || catalogue.named(name).is_some()
    };
    names.iter().find(is_counted).map(|name| EventName::new(name))
}

/// Says of an event that Intel's lists have for the debug store alone that no counter counts it.
#[cold]
pub(super) fn of_debug_store(catalogue: &'static Catalogue, event: Piece, error: Error) -> Error {
    let name = event.until(|byte| byte == b':').0;
    let is_last = |end: &&str| {
        let letters = name.text.len().checked_sub(end.len()).and_then(|at| name.text.get(at..));
        letters.is_some_and(|letters| letters.eq_ignore_ascii_case(end.as_bytes()))
    };
    let is_unknown = matches!(error.problem, Problem::UnknownEvent | Problem::UnknownAttribute);
    if is_unknown && catalogue.unit.starts_with("i386/") && ENDS_OF_DEBUG_STORE.iter().any(is_last) {
        return name.error(Problem::Expected(OF_DEBUG_STORE)).near(error.nearest);
    }
    error
}
