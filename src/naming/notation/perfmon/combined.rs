//! Several of libpfm's names for one value of an auxiliary register: `OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_HIT:SNP_MISS`.
//!
//! libpfm's table has the event with each of these words alone, with the whole value that it then has. A word says one part
//! of the value: the requests, who responds to them, or the snoops ([`Catalogue::parts`]). What no word says is as in the
//! event without words. Words for the same part add up.
//!
//! Source: what libpfm4 4.13 encodes. `oracles` compares all pairs and triples of words of each event.

use core::fmt;

use super::super::scan::Piece;
use super::super::{Error, Problem};
use super::{ends_word, is_between_words};
use crate::event::catalogue::{Catalogue, Name, NamedEvent, Text};
use crate::event::{Event, Request};

/// libpfm's word for a response by anyone, which is what an event has if nothing is said of responses and snoops.
const ANY: &str = "ANY_RESPONSE";

/// The parts of a value that words have said.
struct Value {
    parts: [u64; 3],
    /// The value without any words.
    plain: u64,
    requests: Option<u64>,
    responses: Option<u64>,
    snoops: Option<u64>,
    /// Bits of a response that an event with no word for its requests has too.
    kept: u64,
    /// The snoops of a response, if no word says which.
    implied: u64,
    /// Whether a word says that anyone responds.
    is_any: bool,
}

impl Value {
    const fn new(parts: [u64; 3], plain: u64) -> Self {
        Self { parts, plain, requests: None, responses: None, snoops: None, kept: 0, implied: 0, is_any: false }
    }

    /// Adds a word, by the value that the event has with it alone.
    fn add(&mut self, alone: u64, is_any: bool) {
        let [requests, responses, snoops] = self.parts;
        let differs = |part| (alone ^ self.plain) & part != 0;
        let says_nothing = alone == self.plain;
        if differs(requests) || says_nothing && !is_any {
            self.requests = Some(self.requests.unwrap_or(0) | alone & requests);
        } else if differs(responses) || says_nothing {
            let by_anyone = self.plain & responses;
            let is_beside = !says_nothing && alone & by_anyone == by_anyone;
            self.kept |= if is_beside { by_anyone } else { 0 };
            self.implied |= if says_nothing { 0 } else { alone & snoops };
            self.is_any |= says_nothing;
            let others = if is_beside { responses & !by_anyone } else { responses };
            self.responses = Some(self.responses.unwrap_or(0) | alone & others);
        } else {
            self.snoops = Some(self.snoops.unwrap_or(0) | alone & snoops);
        }
    }

    /// Returns the bits of the one part that a word says.
    fn said_by(&self, alone: u64) -> u64 {
        let mut value = Self::new(self.parts, self.plain);
        value.add(alone, false);
        value.requests.or(value.responses).or(value.snoops).unwrap_or(0)
    }

    /// Returns the value, or `None` if anyone and someone respond.
    fn together(&self) -> Option<u64> {
        let [requests, responses, _] = self.parts;
        let by_anyone = self.plain & responses;
        let said = self.responses.unwrap_or(by_anyone);
        let is_contradictory = self.is_any && said & !by_anyone != 0;
        let requests = self.requests.unwrap_or(self.plain & requests | self.kept);
        (!is_contradictory).then_some(requests | said | self.snoops.unwrap_or(self.implied))
    }
}

/// Returns libpfm's event for a request whose value several words make together, or `None` if one word does or none do.
#[cold]
pub(super) fn of_request(catalogue: &'static Catalogue, request: &Request) -> Option<NamedEvent> {
    let (Event::Raw { code, auxiliary }, true) = (request.event, request.name.is_none_or(Name::is_libpfms)) else {
        return None;
    };
    let mut alike = catalogue.libpfm.iter().filter(|row| row.code == code && row.auxiliary != 0);
    let is_base = |row: &NamedEvent| catalogue.parts != [0; 3] && !row.name.text().contains('.');
    let plain = alike.next().filter(|row| is_base(row) && row.auxiliary != auxiliary)?;
    let is_combined = alike.all(|row| row.auxiliary != auxiliary) && words(catalogue, plain, auxiliary).is_some();
    is_combined.then_some(NamedEvent { auxiliary, ..plain })
}

/// Prints the words that make the value of an event of [`of_request`]. It prints nothing for other events.
pub(super) fn print(f: &mut fmt::Formatter<'_>, catalogue: &'static Catalogue, named: NamedEvent) -> fmt::Result {
    let plain = catalogue.libpfm_by(named.name.text().as_bytes()).filter(|row| row.auxiliary != named.auxiliary);
    let Some((plain, says_requests)) = plain.and_then(|plain| Some((plain, words(catalogue, plain, named.auxiliary)?)))
    else {
        return Ok(());
    };
    let mut result = Ok(());
    let print = |word: &str| result = result.and_then(|()| write!(f, ":{word}"));
    say(catalogue, plain, named.auxiliary, says_requests, print);
    result
}

/// Returns whether words make this value if they say the requests, or if they do not; `None` if neither.
fn words(catalogue: &'static Catalogue, plain: NamedEvent, wanted: u64) -> Option<bool> {
    let makes = |says_requests: &bool| say(catalogue, plain, wanted, *says_requests, |_| ()) == Some(wanted);
    [false, true].into_iter().find(makes)
}

/// Says the words that make a value, as far as they do. Returns the value that they make.
fn say(
    catalogue: &'static Catalogue,
    plain: NamedEvent,
    wanted: u64,
    says_requests: bool,
    mut word: impl FnMut(&str),
) -> Option<u64> {
    let [requests, responses, snoops] = catalogue.parts;
    let by_anyone = plain.auxiliary & responses;
    let implied = if wanted & by_anyone == by_anyone { by_anyone } else { 0 };
    let mut value = Value::new(catalogue.parts, plain.auxiliary);
    let parts = [(if says_requests { requests } else { 0 }, 0), (responses, implied), (snoops, 0)];
    for (part, implied) in parts {
        let mut missing = wanted & part & !implied;
        while missing != 0 {
            let rows = catalogue.libpfm.iter().filter(|row| row.code == plain.code && row.auxiliary != plain.auxiliary);
            let bits = rows.map(|row| (row, value.said_by(row.auxiliary) & part & !implied));
            let fitting = bits.filter(|(_, bits)| bits & !wanted == 0 && bits & missing != 0);
            let (row, bits) = fitting.max_by_key(|(_, bits)| (bits & missing).count_ones())?;
            word(row.name.text().get(plain.name.text().len() + 1..)?);
            value.add(row.auxiliary, false);
            missing &= !bits;
        }
    }
    value.together()
}

/// Parses the words after an event of libpfm's that needs a value in an auxiliary register. Returns the event with the value
/// that they make together, and sets `rest` to what follows them. Returns `None` if the words of this event do not combine.
#[cold]
pub(super) fn event<'t>(
    catalogue: &'static Catalogue,
    text: Piece<'t>,
    rest: &mut Piece<'t>,
) -> Option<Result<NamedEvent, Error>> {
    let (event, mut after) = text.until(ends_word);
    let plain = catalogue.libpfm_by(event.text).filter(|named| named.auxiliary != 0 && catalogue.parts != [0; 3])?;
    let mut value = Value::new(catalogue.parts, plain.auxiliary);
    while let Some(words) = after.strip_first(is_between_words) {
        let (word, further) = words.until(ends_word);
        let Some(alone) = catalogue.libpfm_by(Text::joined(event.text, word.text).as_bytes()) else { break };
        value.add(alone.auxiliary, word.is(ANY));
        after = further;
    }
    let words = text.up_to(after);
    *rest = after;
    let auxiliary = value.together().ok_or_else(|| words.error(Problem::UnitMask));
    Some(auxiliary.map(|auxiliary| NamedEvent { auxiliary, ..plain }))
}
