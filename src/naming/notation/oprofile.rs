//! OProfile's notation.

use core::{fmt, iter};

use super::names::{Found, event_of, is_no_code, other, unknown};
use super::scan::Piece;
use super::words::{self, Spelling, Words};
use super::{Error, Inexpressible, Problem, Processor};
use crate::event::catalogue::{Catalogue, Effect, MaskKind, NamedEvent, Text};
use crate::event::{CounterId, Event, Modes, Repeat, Request, Sampling, Set};

/// OProfile's notation: `CPU_CLK_UNHALTED:100000:0:1:1`, with commas between several events.
///
/// ```text
/// text  := event { "," event }
/// event := name ":" count [ ":" unit-mask [ ":" kernel [ ":" user ] ] ]
/// ```
/// The count is the period: every n-th event interrupts. A unit mask is a number or a name; the event's
/// default is used without one. A name may be the end of an event's own: `br_inst_retired:400009:near_taken`; underscores may
/// stand for its dots, and `_pebs` or `_ps` after it changes nothing. A number may be the unit mask that the one event of
/// this first word has. Kernel and
/// user are 0 or 1, and 1 by default. The word `default` stands for the event that the processor is profiled by if none is
/// given. A generic event has its own name or PAPI's: `cycles:100000`,
/// `PAPI_TOT_CYC:100000`.
///
/// What `ophelp --check-events` finds is an [`Error`] here: an unknown event, a unit mask that the
/// event does not have, a count below its minimum, the same event twice. The driver finds out whether
/// there are enough counters when the requests are placed. [`check_bits`](Self::check_bits) returns the numbers
/// that `op_check_events` returned.
///
/// A value prints requests in this notation. Parsing the text returns the same requests.
#[derive(Clone, Copy, Debug)]
pub struct Oprofile<'a> {
    requests: &'a [Request],
    processor: Processor,
}

impl Oprofile<'_> {
    /// The count of a default event.
    pub const DEFAULT_COUNT: u64 = 100_000;

    /// The factor by which the least count of an event grows with call chains (`ophelp --callgraph`).
    pub const CALL_CHAIN_FACTOR: u64 = 15;

    /// Parses events and counts.
    ///
    /// # Errors
    /// The place where the text is wrong, and what was expected.
    pub fn parse<const N: usize>(text: &str, processor: Processor) -> Result<Set<N>, Error> {
        read(Piece::whole(text), processor)
    }

    /// Parses events for profiles with call chains, whose counts must be at least [`Self::CALL_CHAIN_FACTOR`] times
    /// the event's own minimum.
    ///
    /// # Errors
    /// Those of [`Self::parse`].
    pub fn parse_with_call_chains<const N: usize>(text: &str, processor: Processor) -> Result<Set<N>, Error> {
        read_with(Piece::whole(text), processor, Self::CALL_CHAIN_FACTOR)
    }

    /// Parses the event of one counter, to which the request is pinned: OProfile's daemon had the event of each counter from
    /// `/dev/oprofile/N`, and checked that the counter has it.
    ///
    /// # Errors
    /// Those of [`Self::parse`]; also if there is no such counter, or if it does not have the event.
    pub fn parse_with_counter(text: &str, counter: CounterId, processor: Processor) -> Result<Request, Error> {
        let text = Piece::whole(text);
        let name = text.split(|byte| byte == b':').next().unwrap_or(text);
        let request = event(text, processor, 1)?.of_codes(processor.codes);
        let all = processor.description.general.or(processor.description.fixed);
        if !all.contains(counter) {
            return Err(name.error(Problem::UnknownCounter { counters: all.len() }));
        }
        match found(name, processor)? {
            found if found.counts_on(processor.catalogue, counter) => Ok(request.pinned_to(counter)),
            found => {
                let able = all.into_iter().filter(|&other| found.counts_on(processor.catalogue, other)).collect();
                Err(name.error(Problem::CounterCannot { able }))
            }
        }
    }

    /// Returns the number that `op_check_events` returns for a problem: 0 for none, 1 for an unknown event, 2 for an
    /// unknown unit mask, 4 for an unknown counter. Returns `None` for problems that it does not check.
    #[must_use]
    pub const fn check_bits(problem: &Problem) -> Option<u32> {
        match problem {
            Problem::UnknownEvent | Problem::NotMapped => Some(1),
            Problem::UnitMask => Some(2),
            Problem::UnknownCounter { .. } | Problem::CounterCannot { .. } => Some(4),
            _ => None,
        }
    }
}

pub(super) fn read<const N: usize>(text: Piece, processor: Processor) -> Result<Set<N>, Error> {
    read_with(text, processor, 1)
}

fn read_with<const N: usize>(text: Piece, processor: Processor, factor: u64) -> Result<Set<N>, Error> {
    let mut set = Set::new();
    for piece in text.split(|byte| byte == b',') {
        let request = event(piece, processor, factor)?;
        set.add(request).map_err(|_| piece.error(Problem::TooMany { room: N }))?;
        if set.repeated().is_some() {
            return Err(piece.error(Problem::Repeated));
        }
    }
    Ok(set.of_codes(processor.codes))
}

fn event(piece: Piece, processor: Processor, factor: u64) -> Result<Request, Error> {
    let mut fields = piece.split(|byte| byte == b':');
    let name = fields.next().filter(|name| !name.text.is_empty());
    let name = name.ok_or_else(|| piece.error(Problem::Expected("the name of an event, or default")))?;
    let is_default = is_default(name);
    let mask = piece.split(|byte| byte == b':').nth(2).filter(|mask| !mask.text.is_empty());
    let (found, request) = chosen(name, mask, processor)?;
    let count = match fields.next() {
        Some(count) => self::count(count, found.own(), factor)?,
        None if is_default => Oprofile::DEFAULT_COUNT,
        None => return Err(name.error_after(Problem::Expected(": and a count"))),
    };
    let kernel = switch(fields.nth(1))?;
    let user = switch(fields.next())?;
    match fields.next() {
        Some(more) => Err(more.error(Problem::Expected("the end of the event"))),
        None if !kernel && !user => Err(piece.error(Problem::Expected("kernel, user, or both"))),
        None => Ok(request.modes(modes(kernel, user)).every(count)),
    }
}

fn is_default(name: Piece) -> bool {
    name.text == b"default"
}

/// Returns the event with this name, or the processor's default.
fn found(name: Piece, processor: Processor) -> Result<Found, Error> {
    let word = if is_default(name) { Piece::whole(processor.catalogue.default) } else { name };
    let found = event_of(processor.catalogue, word);
    let found = counted_without_fixed(processor.catalogue, word, found);
    found.ok_or_else(|| unknown(processor.catalogue, name, name, iter::empty()))
}

/// Returns what OProfile means by a name of which libpfm has a fixed counter's event: OProfile uses no fixed counters, and
/// its UNHALTED_REFERENCE_CYCLES is 0x013C.
fn counted_without_fixed(catalogue: &'static Catalogue, word: Piece, found: Option<Found>) -> Option<Found> {
    let is_fixed = |found: Found| found.own().is_some_and(|named| catalogue.mask.put(named.code, 0) == 0);
    if found.is_some_and(is_fixed) { other(catalogue, word).or(found) } else { found }
}

/// Returns the event with this unit mask, and a request for both.
fn chosen(name: Piece, mask: Option<Piece>, processor: Processor) -> Result<(Found, Request), Error> {
    let catalogue = processor.catalogue;
    let plain = |found: Found| (found, found.request(catalogue));
    let Some(mask) = mask else { return found(name, processor).map(plain) };
    if let Some(own) = catalogue.named_by(Text::joined(name.text, mask.text).as_bytes()) {
        return Ok(plain(Found::Own(own)));
    }
    let masked = found(name, processor)
        .and_then(|found| Ok((found, with_mask(found.request(catalogue), mask, found, processor)?)));
    masked.or_else(|error| with_mask_in_name(name, mask, catalogue).map(plain).ok_or(error))
}

/// Returns the event whose name ends with this unit mask, as in Intel's lists. OProfile has an event and a named mask, or
/// the first word and a number.
#[cold]
fn with_mask_in_name(name: Piece, mask: Piece, catalogue: &'static Catalogue) -> Option<Found> {
    if let Some(number) = mask.number().filter(|&number| number != 0) {
        let other =
            || other(catalogue, name).filter(|found| found.code().is_some_and(|it| catalogue.mask.of(it) == number));
        return catalogue.with_number(name.text, number).map(Found::Own).or_else(other);
    }
    let own = match without_end(mask.text, PRECISELY) {
        // OProfile's names begin with a letter: `u4k_alias` is 4K_ALIAS.
        [b'u' | b'U', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => digits,
        plain => plain,
    };
    catalogue.alike(&[name.text, own]).map(Found::Own)
}

/// How OProfile's masks end of events that the debug store may sample. They count the same.
const PRECISELY: [&[u8]; 2] = [b"_pebs", b"_ps"];

/// Returns the word without the first of these ends that it has.
fn without_end<'t>(word: &'t [u8], ends: [&[u8]; 2]) -> &'t [u8] {
    let without = |end: &[u8]| {
        let (rest, last) = word.split_at_checked(word.len().checked_sub(end.len())?)?;
        last.eq_ignore_ascii_case(end).then_some(rest)
    };
    ends.into_iter().find_map(without).unwrap_or(word)
}

fn modes(kernel: bool, user: bool) -> Modes {
    Modes::NONE.set(Modes::KERNEL, kernel).set(Modes::USER, user)
}

fn count(piece: Piece, named: Option<NamedEvent>, factor: u64) -> Result<u64, Error> {
    let count = piece.number().filter(|&count| count > 0);
    let count = count.ok_or_else(|| piece.error(Problem::Expected("a count from 1 to 2^64 - 1")))?;
    let least = named.map_or(0, |named| named.least).saturating_mul(factor);
    if count < least { Err(piece.error(Problem::CountTooSmall { least })) } else { Ok(count) }
}

/// Returns the request with the unit mask that the piece names.
fn with_mask(request: Request, piece: Piece, found: Found, processor: Processor) -> Result<Request, Error> {
    let masks = found.masks();
    if found.is_generic() {
        let changes_nothing = piece.number() == Some(0);
        return if changes_nothing { Ok(request) } else { Err(piece.error(Problem::GenericTakesNone)) };
    }
    let field = processor.catalogue.mask;
    // An event without a choice has its unit mask in its code: OProfile's mandatory one.
    let is_own = |mask| {
        masks.kind == MaskKind::None && found.own().is_some_and(|own| own.code >> field.shift & field.largest == mask)
    };
    // Of Intel's it has the end of the name, too: `baclears_any` has the mask `any`.
    let is_end = masks.kind == MaskKind::None && found.own().is_some_and(|own| piece.ends(&own.name.text()));
    let mask = piece.mask_of(masks).filter(|&mask| mask <= field.largest && (masks.allows(mask) || is_own(mask)));
    let mask = mask.or(is_end.then_some(0)).ok_or_else(|| piece.error(Problem::UnitMask))?;
    if masks.kind == MaskKind::None {
        // The mask that it accepts changes nothing.
        return Ok(request);
    }
    let masked = Effect::UnitMask.apply(request, mask, field);
    if is_no_code(processor.catalogue, &masked) { Err(piece.error(Problem::UnitMask)) } else { Ok(masked) }
}

/// Parses the field for kernel or user: 0 or 1, and 1 if it is missing or empty.
fn switch(piece: Option<Piece>) -> Result<bool, Error> {
    match piece.map(|piece| (piece, piece.text)) {
        None | Some((_, b"1")) => Ok(true),
        Some((_, b"0")) => Ok(false),
        Some((piece, _)) => Err(piece.error(Problem::Expected("0 or 1"))),
    }
}

impl<'a> Oprofile<'a> {
    /// Prepares these requests for printing.
    ///
    /// # Errors
    /// The first request that the notation cannot express: it has no continuous period, a period below its
    /// event's least, or anything beside event, unit mask and modes.
    pub fn of(requests: &'a [Request], processor: Processor) -> Result<Self, Inexpressible> {
        let text = Self { requests, processor };
        Inexpressible::first(requests, |request| text.reason(request))?;
        Ok(text)
    }

    /// Returns why a request cannot be written, if it cannot.
    fn reason(&self, request: &Request) -> Option<&'static str> {
        let sampling = request.sampling;
        let can_be_written = |request: &Request| self.words(&Request { sampling, ..*request }).is_some();
        match request.sampling {
            _ if can_be_written(request) => None,
            None => Some("it has no period"),
            Some(Sampling { repeat: Repeat::OneShot, .. }) => Some("its period ends once"),
            Some(_) => Some(words::reason(request, can_be_written)),
        }
    }

    /// Returns how the event is written, its count and its unit mask. An event whose name does not allow so small
    /// a count is written by its code.
    fn words(&self, request: &Request) -> Option<(Spelling, u64, u64)> {
        let catalogue = self.processor.catalogue;
        let sampling = request.sampling.filter(|sampling| sampling.repeat == Repeat::Continuous)?;
        let plain = |read: Request| read.modes(request.modes).every(sampling.period);
        let is_enough = |words: &Words| words.event.least(catalogue) <= sampling.period;
        let words = Words::of_masked(catalogue, &[], request, plain).filter(is_enough);
        let words = words.or_else(|| Words::of_code(catalogue, request, plain))?;
        let has_mode = Modes::ALL.covers(request.modes) && request.modes != Modes::NONE;
        let mask = match request.event {
            Event::Raw { code, .. } if words.event.has_masks(catalogue) => catalogue.mask.of(code),
            _ => 0,
        };
        has_mode.then_some((words.event, sampling.period, mask))
    }
}

impl fmt::Display for Oprofile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.requests.iter().filter_map(|request| Some((request, self.words(request)?)));
        for (number, (request, (name, count, mask))) in all.enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let switch = |modes| u8::from(request.modes.covers(modes));
            let (kernel, user) = (switch(Modes::KERNEL), switch(Modes::USER));
            write!(f, "{comma}{name}:{count}:{mask:#x}:{kernel}:{user}")?;
        }
        Ok(())
    }
}
